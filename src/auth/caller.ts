// Who sends a request: their rights, and the rows that their questions may read.
import type { Actor } from './actor.ts';
import { readerUnder, type AgentFigures } from '#warehouse/query/agent-figures.ts';
import { localReader, type Reader, type RowRule } from '#warehouse/query/reader.ts';
import { rightNames, rightsOf, type Right, type Role } from './rights.ts';

/** What is still due: replacing the assigned password, or a second factor. */
export type Owed = 'password' | 'second_factor';

export interface Caller {
  reader: Reader;
  /** By which SQL is limited: of whoever made a token, that of its maker. */
  role: Role;
  rights: ReadonlySet<Right>;
  /** Recorded in the audit. */
  actor: Actor;
  /** Login of the calling agent, also with a token. */
  agent?: string;
  /** Null for the person at a machine without logins, or a token without a user. */
  user: { id: string; email: string; name: string; role: Role } | null;
  /** Id of the browser session. */
  session?: string;
  /** What the user must do first; until then they have no rights. */
  owes?: Owed;
  /** Set for the holder of a shared link: what it opens; nothing else is allowed. */
  share?: OpenedShare;
}

/** A shared link that has been opened. */
export interface OpenedShare {
  id: string;
  title: string;
  /** Name of the user who made the link. */
  maker: string;
  /** The page and its frozen filters, as JSON. */
  frozen: unknown;
  /** ISO instant. */
  expires_at: string;
}

/** The person at a machine without logins. */
export const localCaller: Caller = {
  ...{ reader: localReader, role: 'admin', rights: new Set(rightNames), user: null },
  actor: { who: 'whoever sits at this machine', user: null },
};

/** The rows that a user may see. */
export type Rows = Pick<RowRule, 'accounts' | 'groups' | 'agent'>;

/** A user as the guard knows them. */
export interface KnownUser {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Rights in addition to the role's. */
  extra_rights: readonly Right[];
  rows: Rows;
}

/** The row rule for these rights; undefined: every row. */
function ruleOf(rows: Rows, rights: ReadonlySet<Right>): RowRule | undefined {
  // Normalized, so that equal rules share what is cached for them.
  const rule: RowRule = {
    ...(rows.accounts ? { accounts: [...new Set(rows.accounts)].sort() } : {}),
    ...(rows.groups ? { groups: [...new Set(rows.groups)].sort((one, other) => one - other) } : {}),
    ...(rows.agent === undefined ? {} : { agent: rows.agent, own_figures: true }),
    ...(rights.has('names:read') ? {} : { is_anonymous: true }),
    ...(rights.has('agents:read') ? {} : { hides_agents: true }),
  };
  return Object.keys(rule).length > 0 ? rule : undefined;
}

const readerOf = (id: string, rows: Rows, rights: ReadonlySet<Right>): Reader => {
  const rule = ruleOf(rows, rights);
  return rule ? { id, rows: rule } : { id };
};

export function callerOf(known: KnownUser, session?: string, owes?: Owed): Caller {
  const { id, email, name, role, extra_rights, rows } = known;
  const rights: ReadonlySet<Right> = owes ? new Set() : rightsOf(role, extra_rights);
  return {
    ...{ reader: readerOf(id, rows, rights), role, rights, user: { id, email, name, role } },
    actor: { who: email, user: id },
    ...(session === undefined ? {} : { session }),
    ...(owes === undefined ? {} : { owes }),
    ...(rows.agent === undefined ? {} : { agent: rows.agent }),
  };
}

/** Rights that reveal single agents: named figures, conversations, which contain names, and the complete data file. */
const ofAgents: Readonly<Record<AgentFigures['kind'], readonly Right[]>> = {
  all: [],
  from: ['files'],
  none: ['agents:read', 'chats:read', 'files'],
};

/** Whether the agreement takes a right from everybody except the agents themselves. */
export const isTaken = (agreed: AgentFigures, right: Right): boolean => ofAgents[agreed.kind].includes(right);

/** A caller restricted by the agreement on figures of single agents. Agents keep access to their own. */
export function callerUnder(agreed: AgentFigures, caller: Caller): Caller {
  if (agreed.kind === 'all' || caller.agent !== undefined) return caller;
  const rights = new Set([...caller.rights].filter((right) => !isTaken(agreed, right)));
  return { ...caller, reader: readerUnder(agreed, caller.reader), rights };
}

const both = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined): readonly T[] | undefined =>
  one && other ? one.filter((value) => other.includes(value)) : (one ?? other);

/** Rows that two rules have in common; two different agents share none. */
export function narrowedTo(one: Rows, other: Rows): Rows {
  const accounts = both(one.accounts, other.accounts);
  const groups = both(one.groups, other.groups);
  const agent = one.agent ?? other.agent;
  const isNobody = one.agent !== undefined && other.agent !== undefined && one.agent !== other.agent;
  return {
    ...(isNobody ? { accounts: [] } : accounts ? { accounts } : {}),
    ...(groups ? { groups } : {}),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** Rights that a user has passed on. */
interface TokenRights {
  id: string;
  rights: readonly Right[];
  rows: Rows;
}

/** Never more than the user's current rights. */
function callerBy(maker: KnownUser, { id, rights: given, rows }: TokenRights, who: string): Caller {
  const theirs = rightsOf(maker.role, maker.extra_rights);
  const rights = new Set(given.filter((right) => theirs.has(right)));
  return {
    ...{ reader: readerOf(id, narrowedTo(maker.rows, rows), rights), role: maker.role, rights, user: null },
    actor: { who: `${who} of ${maker.email}`, user: maker.id },
    ...(maker.rows.agent === undefined ? {} : { agent: maker.rows.agent }),
  };
}

/** The caller behind a user's token. */
export const callerWithToken = (maker: KnownUser, token: TokenRights & { name: string }): Caller =>
  callerBy(maker, token, `token ${token.name}`);

/** The caller behind a user's shared link. */
export const callerWithShare = (maker: KnownUser, share: TokenRights & Omit<OpenedShare, 'maker'>): Caller => {
  const { id, title, frozen, expires_at } = share;
  return { ...callerBy(maker, share, `link ${title}`), share: { id, title, maker: maker.name, frozen, expires_at } };
};
