// Who asks, and which rows of a snapshot he may see.

/** What of a snapshot a reader may see; what is left out narrows nothing. */
export interface RowRule {
  /** Ids of accounts. */
  accounts?: readonly string[];
  /** Chats of any of these groups, and what the source reports of these groups. */
  groups?: readonly number[];
  /** Login: chats in which this agent took part, and what the source reports of this agent. */
  agent?: string;
  /** What says who a visitor is is left out, and so is what was written. */
  is_anonymous?: true;
  /** What says which agent is left out, and so is what the source reports of agents. */
  hides_agents?: true;
  /** Figures of single agents are those of `agent` alone. */
  own_figures?: true;
  /** Figures of single agents are told from so many chats on, and agents are not ranked. */
  agents_from?: number;
}

export interface Reader {
  /** Unique; views and notes are kept under it. */
  id: string;
  /** Undefined: every row. */
  rows?: RowRule;
}

/** The one reader of a machine without a login. */
export const localReader: Reader = { id: 'local' };

/** What an answer depends on besides the question, the same for all who may see the same: part of the key of what is kept for the next caller. */
export const readerKey = ({ rows }: Reader): string => JSON.stringify(rows ?? null);

/** Whether the rule leaves chats of an account out, so that totals of the account are none of this reader's. */
export const isPartial = ({ rows }: Reader): boolean => rows?.groups !== undefined || rows?.agent !== undefined;

/** The group whose chats alone, and all of them, the reader sees. */
export const ofOneGroup = ({ rows }: Reader): number | undefined =>
  rows?.groups?.length === 1 && rows.agent === undefined ? rows.groups[0] : undefined;

/** Whether who visitors are and what was written is masked for this reader. */
export const isMasked = ({ rows }: Reader): boolean => rows?.is_anonymous === true;
