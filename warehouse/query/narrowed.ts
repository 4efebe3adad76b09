// A snapshot as a reader with a row rule sees it: each table is replaced by a view that hides what the rule excludes. Statements stay the
// same for everybody, so none can forget the rule; a table that is not listed here does not exist for the reader.
import type { Dialect } from '../dialect.ts';
import type { Engine, NarrowedTable } from '../engine.ts';
import { metrics } from '../definitions/metrics.ts';
import { columnsIn } from './file-columns.ts';
import { narrowedCounts } from './narrowed-counts.ts';
import type { RowRule } from './reader.ts';
import { tables, type Column, type Table } from '../tables/tables.ts';

/** Which rows and columns of a table stay visible. */
interface TableRule {
  where?: readonly string[];
  /** Columns that reveal more than the visible rows; they become null. */
  hidden?: readonly string[];
  /** The visible rows are copied: they are few, and finding them again takes longer than most questions about them. */
  isCopied?: boolean;
}

/** A rule in SQL: conditions on a table's columns, empty where the rule does not restrict. */
interface Terms {
  accounts: readonly string[];
  /** Visible rows of chats. */
  chats: readonly string[];
  /** Hides that a chat also belongs to other groups. */
  groupsOfChats: readonly string[];
  /** Visible rows of chats and groups, where the groups alone decide which chats are visible: every chat with such a row is. */
  ownGroups: readonly string[] | undefined;
  /** Rows of lists that belong to a group. */
  groups: readonly string[];
  /** The source's reports by group or agent. */
  reported: readonly string[];
  /** The source's reports on when members of the groups were available. */
  members: readonly string[];
  /** Agents listed to the reader. */
  agents: readonly string[];
  /** Whether the rule hides any chats. */
  isPartial: boolean;
  hidesAgents: boolean;
  /** Whether compared cells of single agents stay visible with their numbers. */
  showsCells: boolean;
  /** Rows about metrics that always concern single agents. */
  rankings: string;
}

const visibleChats = 'facts.visible_chats';

const nothing: TableRule = { where: ['false'] };
const everything: TableRule = {};
const ofChats = ({ chats }: Terms): TableRule => ({ where: chats });
const ofGroup = ({ groups }: Terms): TableRule => ({ where: groups });
const ofReports = ({ reported }: Terms): TableRule => ({ where: reported });
/** Rows that meet all conditions of at least one list; a list without conditions is ignored. */
const anyOfThese = (...lists: (readonly string[])[]): string[] => {
  const any = lists.filter((list) => list.length > 0).map((list) => `(${list.join(' and ')})`);
  return any.length > 0 ? [`(${any.join(' or ')})`] : [];
};
const ofAvailability = ({ reported, members }: Terms): TableRule => ({ where: anyOfThese(reported, members) });
/** Visible only to readers of every chat. */
const ofWholes = ({ isPartial }: Terms): TableRule => (isPartial ? nothing : everything);

const archives = "source in ('archive', 'archive_v3')";
/** Archive days are visible to everybody; the number of chats on them is not. */
const periods = ({ reported, members, isPartial }: Terms): TableRule =>
  isPartial
    ? {
        where: anyOfThese([archives], reported, members.length > 0 ? [`source = 'availability'`, ...members] : []),
        hidden: ['hash', 'rows', 'rows_new', 'rows_changed', 'rows_unchanged', 'total', 'bytes', 'error'],
      }
    : { where: reported };

const pulls = ({ isPartial }: Terms): TableRule =>
  isPartial
    ? { hidden: ['requests', 'faults', 'chats_new', 'chats_changed', 'chats_unchanged', 'quarantined', 'error'] }
    : everything;

/** Keyed by schema and name, or by schema alone for its other tables. */
const shown: Readonly<Record<string, (terms: Terms) => TableRule>> = {
  facts: ofChats,
  'facts.chat_goals': (terms) => ({ ...ofChats(terms), isCopied: terms.isPartial }),
  'facts.chat_groups': ({ ownGroups, chats, groupsOfChats }) => ({ where: ownGroups ?? [...chats, ...groupsOfChats] }),
  reports: ofReports,
  'reports.availability': ofAvailability,
  'account.agents': ({ agents }) => ({ where: agents }),
  'account.groups': ofGroup,
  // Chats are measured by the business hours of their groups; the hours of hidden groups are left out.
  'account.business_hours': ({ groups }) => ({
    where: groups.length > 0 ? [`(group_id is null or (${groups.join(' and ')}))`] : [],
  }),
  'account.open_hours': () => everything,
  'account.group_agents': (terms) => (terms.hidesAgents ? nothing : ofGroup(terms)),
  'account.tags': (terms) => ({
    ...ofGroup(terms),
    ...(terms.isPartial ? { hidden: ['in_chats', 'in_tickets'] } : {}),
  }),
  'account.variables': () => everything,
  'account.goals': () => everything,
  'account.greetings': () => everything,
  'account.canned_responses': ofGroup,
  'account.status': ofGroup,
  'ledger.pulls': pulls,
  'ledger.requests': ofWholes,
  'ledger.periods': periods,
  'ledger.quarantine': ofWholes,
  'ledger.source_differences': ofWholes,
  'ledger.notices': () => everything,
  // A ranking cell names the agent who decided it.
  'ledger.reconciliation': ({ reported, rankings, showsCells }) => ({
    where: [...reported, ...(showsCells ? [] : [`split <> 'agent'`, `not (${rankings})`])],
  }),
  'ledger.versions': () => everything,
  'ledger.snapshot': () => everything,
};

/** Which part of a table a rule shows; undefined if no entry says it. */
export const shownOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): ((terms: Terms) => TableRule) | undefined =>
  shown[`${schema}.${name}`] ?? shown[schema];

const anyOf = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} in (${values.join(', ')})`;

const ofAgentsAlone = metrics.filter(({ always }) => always?.includes('agent')).map(({ id }) => id);

type WholeTable = (table: string) => string;

/** What decides how a rule is written down. */
interface File {
  /** Columns of each table: files published long ago have fewer. */
  tableColumns: ReadonlyMap<string, ReadonlySet<string>>;
  /** All chats are of one account, so that their ids alone tell them apart. */
  isOneAccount: boolean;
}

function termsOf(
  { accounts, groups, agent, hides_agents, agents_from }: RowRule,
  dialect: Dialect,
  whole: WholeTable,
  { isOneAccount }: File,
): Terms {
  // TRICKY: by both columns a question by group takes a tenth longer than by the id alone.
  const key = isOneAccount ? 'chat_id' : 'account, chat_id';
  const ids = groups?.map((group) => dialect.literal(group, 'int'));
  const login = agent === undefined ? undefined : dialect.literal(agent, 'text');
  // A login or the id of a group means something within its account only.
  const among = (column: string, from: string, other = column): string =>
    `(account, ${column}) in (select account, ${other} from ${from})`;
  const inTeams = (column: string, which: string): string =>
    among(column, `${whole('account.group_agents')} where ${which}`);
  const isPartial = ids !== undefined || login !== undefined;
  const inChats = among('login', 'facts.chat_agents', 'agent');
  const inTeam = login ? `login = ${login}` : inTeams('login', anyOf('group_id', ids ?? []));
  const hidesAgents = hides_agents === true;
  return {
    isPartial,
    hidesAgents,
    showsCells: !hidesAgents && agents_from === undefined,
    rankings: anyOf(
      'metric',
      ofAgentsAlone.map((id) => dialect.literal(id, 'text')),
    ),
    accounts: accounts
      ? [
          anyOf(
            'account',
            accounts.map((id) => dialect.literal(id, 'text')),
          ),
        ]
      : [],
    chats: isPartial ? [`(${key}) in (select ${key} from ${visibleChats})`] : [],
    ownGroups: ids && login === undefined ? [anyOf('group_id', ids)] : undefined,
    groupsOfChats: ids ? [anyOf('group_id', ids)] : [],
    groups: ids ? [anyOf('group_id', ids)] : login ? [inTeams('group_id', `login = ${login}`)] : [],
    reported: [
      ...(ids
        ? [`split = 'group'`, anyOf('split_value', groups?.map((id) => dialect.literal(String(id), 'text')) ?? [])]
        : []),
      ...(login ? [`split = 'agent'`, `split_value = ${login}`] : []),
      ...(hidesAgents ? [`split <> 'agent'`] : []),
    ],
    members:
      ids && !login && !hidesAgents
        ? [
            `split = 'agent'`,
            `(account, split_value) in (select account, login from ${whole('account.group_agents')} where ${anyOf('group_id', ids)})`,
          ]
        : [],
    agents: hidesAgents ? ['false'] : isPartial ? [`(${inTeam} or ${inChats})`] : [],
  };
}

/** The chats visible under a rule, materialized because many statements read them. */
function visible({ accounts, groups, agent }: RowRule, dialect: Dialect, whole: WholeTable): NarrowedTable {
  const text = (value: string): string => dialect.literal(value, 'text');
  const among = (table: string, which: string): string =>
    `(account, chat_id) in (select account, chat_id from ${whole(`facts.${table}`)} where ${which})`;
  const ids = groups?.map((group) => dialect.literal(group, 'int'));
  const where = [
    ...(accounts ? [anyOf('account', accounts.map(text))] : []),
    ...(ids ? [among('chat_groups', anyOf('group_id', ids))] : []),
    ...(agent === undefined ? [] : [among('chat_agents', `agent = ${text(agent)}`)]),
  ];
  return {
    name: visibleChats,
    select:
      `select account, chat_id\nfrom ${whole('facts.chats')}\n` +
      `where ${where.join('\n  and ')}\norder by account, started_quarter, chat_id`,
    isCopied: true,
  };
}

/** Replaces each character that somebody wrote. */
const dot = '·';

/** Dialect of the engine, and the secret for pseudonyms. */
interface NarrowingDialect {
  dialect: Dialect;
  secret: string;
}

/**
 * Visitor identities become pseudonyms, written text keeps its length only, other personal columns become null; undefined: not personal.
 */
function maskOf(
  { dialect, secret }: NarrowingDialect,
  column: string,
  { type, personal, erased, nullable }: Column,
): string | undefined {
  if (erased === 'pseudonym')
    return `case when ${column} <> '' then ${dialect.pseudonym(column, secret)} else ${column} end`;
  if (!personal) return undefined;
  return erased === 'dots' ? dialect.filled(dot, column) : dialect.literal(nullable ? null : '', type);
}

/** `whole` maps a table to its name in the file. */
function narrowedViews(
  rule: RowRule,
  { dialect, secret }: NarrowingDialect,
  whole: WholeTable,
  file: File,
): NarrowedTable[] {
  const { tableColumns } = file;
  const terms = termsOf(rule, dialect, whole, file);
  const views = tables.flatMap((table) => {
    const there = tableColumns.get(`${table.schema}.${table.name}`);
    const found = shownOf(table)?.(terms);
    if (!found || !there) return [];
    const { where = [], hidden = [], isCopied = false } = found;
    const own = Object.entries(table.columns).filter(([name]) => there.has(name));
    const columns = own.map(([name, column]) => {
      const { type, namesAgent, nullable } = column;
      if (hidden.includes(name)) return `${dialect.literal(null, type)} as "${name}"`;
      const mask = rule.is_anonymous ? maskOf({ dialect, secret }, `"${name}"`, column) : undefined;
      if (mask !== undefined) return `${mask} as "${name}"`;
      if (namesAgent && rule.hides_agents)
        return `${nullable ? dialect.literal(null, type) : dialect.pseudonym(`"${name}"`, secret)} as "${name}"`;
      return `"${name}"`;
    });
    const which = [...('account' in table.columns ? terms.accounts : []), ...where];
    const name = `${table.schema}.${table.name}`;
    const select =
      `select ${columns.join(', ')}\nfrom ${whole(name)}` +
      (which.length > 0 ? `\nwhere ${which.join('\n  and ')}` : '');
    return [{ name, select, isCopied }];
  });
  return [
    ...(terms.isPartial ? [visible(rule, dialect, whole)] : []),
    ...views,
    ...narrowedCounts({ rule, dialect, whole, tableColumns }),
  ];
}

const fileOf = async (engine: Engine): Promise<File> => {
  const [accounts] = await engine.query(
    'select cast(min(account) = max(account) as boolean) as is_one\nfrom facts.chats',
  );
  return { tableColumns: await columnsIn(engine), isOneAccount: accounts?.is_one === true };
};

/** Engine for questions under a rule; `secret` derives the pseudonyms and stays the same for a file. */
export const narrowed = (engine: Engine, rule: RowRule, secret = ''): Promise<Engine> =>
  engine.narrowed(JSON.stringify(rule), async (whole) =>
    narrowedViews(rule, { dialect: engine.dialect, secret }, whole, await fileOf(engine)),
  );
