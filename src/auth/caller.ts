// Who sends a request: what they may do, and which rows their questions are about.
import { localReader, type Reader, type RowRule } from '#warehouse/query/reader.ts';
import { rightNames, rightsOf, type Right, type Role } from './rights.ts';

export interface Caller {
  reader: Reader;
  rights: ReadonlySet<Right>;
  /** Null: whoever sits at the machine, or a token without a user. */
  user: { id: string; email: string; name: string; role: Role } | null;
  /** Id of the session of a browser. */
  session?: string;
}

/** Whoever sits at a machine on which nobody has to sign in. */
export const localCaller: Caller = { reader: localReader, rights: new Set(rightNames), user: null };

/** What of the rows a user may see. */
export type Rows = Pick<RowRule, 'accounts' | 'groups' | 'agent'>;

/** A user as the guard knows them. */
export interface Known {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Rights besides those of the role. */
  given: readonly Right[];
  rows: Rows;
}

/** The row rule of somebody with these rights; undefined: every row. */
export function ruleOf(rows: Rows, rights: ReadonlySet<Right>): RowRule | undefined {
  // The same rule in one spelling: what is made for it is made once.
  const rule: RowRule = {
    ...(rows.accounts ? { accounts: [...new Set(rows.accounts)].sort() } : {}),
    ...(rows.groups ? { groups: [...new Set(rows.groups)].sort((one, other) => one - other) } : {}),
    ...(rows.agent === undefined ? {} : { agent: rows.agent }),
    ...(rights.has('names:read') ? {} : { is_anonymous: true }),
    ...(rights.has('agents:read') ? {} : { hides_agents: true }),
  };
  return Object.keys(rule).length > 0 ? rule : undefined;
}

const readerOf = (id: string, rows: Rows, rights: ReadonlySet<Right>): Reader => {
  const rule = ruleOf(rows, rights);
  return rule ? { id, rows: rule } : { id };
};

export function callerOf(known: Known, session?: string): Caller {
  const { id, email, name, role, given, rows } = known;
  const rights = rightsOf(role, given);
  return {
    ...{ reader: readerOf(id, rows, rights), rights, user: { id, email, name, role } },
    ...(session === undefined ? {} : { session }),
  };
}

const both = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined): readonly T[] | undefined =>
  one && other ? one.filter((value) => other.includes(value)) : (one ?? other);

/** Rows that two rules leave. Two agents have nothing in common. */
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

/** Somebody who asks with a token of a user's: at most what the user may do today. */
export function callerWithToken(maker: Known, token: { id: string; rights: readonly Right[]; rows: Rows }): Caller {
  const theirs = rightsOf(maker.role, maker.given);
  const rights = new Set(token.rights.filter((right) => theirs.has(right)));
  return { reader: readerOf(token.id, narrowedTo(maker.rows, token.rows), rights), rights, user: null };
}
