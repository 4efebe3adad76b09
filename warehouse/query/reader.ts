// Who asks, and which rows of a snapshot he may see.

/** The part of a snapshot that a reader may see; missing fields do not restrict. */
export interface RowRule {
  /** Ids of accounts. */
  accounts?: readonly string[];
  /** Chats of any of these groups, and the source's reports on them. */
  groups?: readonly number[];
  /** Login: chats in which this agent took part, and the source's reports on the agent. */
  agent?: string;
  /** Hides visitors' identities and written texts. */
  is_anonymous?: true;
  /** Hides agents' identities and the source's reports on agents. */
  hides_agents?: true;
  /** Figures of single agents are limited to those of `agent`. */
  own_figures?: true;
  /** Minimum number of chats for figures of single agents; agents are not ranked. */
  agents_from?: number;
}

export interface Reader {
  /** Unique; views and notes are stored under it. */
  id: string;
  /** Undefined: every row. */
  rows?: RowRule;
}

/** The one reader of a machine without a login. */
export const localReader: Reader = { id: 'local' };

/** The reader's part of a cache key: the same for all readers who may see the same. */
export const readerKey = ({ rows }: Reader): string => JSON.stringify(rows ?? null);

/** Whether the rule hides chats of an account, so that the account's totals do not apply to this reader. */
export const isPartial = ({ rows }: Reader): boolean => rows?.groups !== undefined || rows?.agent !== undefined;

/** The single group whose chats the reader sees completely, and no others. */
export const ofOneGroup = ({ rows }: Reader): number | undefined =>
  rows?.groups?.length === 1 && rows.agent === undefined ? rows.groups[0] : undefined;

/** Whether visitors' identities and written texts are masked for this reader. */
export const isMasked = ({ rows }: Reader): boolean => rows?.is_anonymous === true;
