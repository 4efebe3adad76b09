// The rows of one cell: the metric's own selection, restricted to the period and the split values.
import type { Ask } from '../query/ask.ts';
import { parameters, type Bind } from '../query/bind.ts';
import { cells, localKeys, quarters, quarterSeconds } from '../query/time-buckets.ts';
import { membersOnly, withoutGroup } from '../query/reported.ts';
import { scanOf, type Scan } from '../query/scan.ts';
import type { Queryable, Row } from '../engine.ts';
import type { Recipe } from '../definitions/recipe.ts';
import type { Archived, ReportedSource } from '../definitions/metric.ts';
import type { ReceiptCell } from './cell.ts';
import { rawValue, typeOfSplit } from './cell.ts';

/** First second of the cell and the first after it. */
export const bounds = ({ slot }: Pick<ReceiptCell, 'slot'>): { from: number; until: number } => ({
  from: slot.pieces()[0]?.from ?? 0,
  until: slot.pieces().at(-1)?.until ?? 0,
});

interface MemberScan {
  ctes: string[];
  rows: Scan;
  join: string;
  where: string[];
}

/** Rows counted in their quarter hour. */
function countedRows(archived: Archived, ask: Ask, cell: ReceiptCell, bind: Bind): MemberScan {
  const { dialect } = bind;
  const local = localKeys(ask);
  const quarter = archived.rows === 'chats' ? 'c.started_quarter' : 'g.reached_quarter';
  const { first, last } = quarters(ask);
  const near = (alias: string): string[] => [
    `${alias}.started_quarter >= ${bind.value('first', first, 'int')}`,
    `${alias}.started_quarter < ${bind.value('last', last, 'int')}`,
  ];
  const { from, until } = bounds(cell);
  const when = [
    `${quarter} >= ${bind.value('cell_first', Math.floor(from / quarterSeconds), 'int')}`,
    `${quarter} < ${bind.value('cell_last', Math.ceil(until / quarterSeconds), 'int')}`,
  ];
  const rows = scanOf(archived, ask, bind, when, archived.rows === 'chats' ? near : undefined);
  const where = local.map((key) => {
    if (key !== 'period')
      return `cells.${key} = ${bind.value(`at_${key}`, rawValue(key, cell.at[key] ?? null), 'int')}`;
    const label = dialect.label('cells.period', ask.grain === 'total' ? 'day' : ask.grain);
    return `${label} = ${bind.value('at_period', cell.period, 'text')}`;
  });
  return {
    ctes: [...rows.ctes, ...(local.length > 0 ? [cells(ask, bind, local)] : [])],
    rows,
    join: local.length > 0 ? `\njoin cells on cells.quarter = ${quarter}` : '',
    where,
  };
}

/** Chats that were open at some time of the cell. */
function openRows(archived: Archived, ask: Ask, cell: ReceiptCell, bind: Bind): MemberScan {
  const { from, until } = bounds(cell);
  const first = bind.value('cell_from', from, 'bigint');
  const end = archived.sweep?.end ?? 'c.ended_second';
  const when = [`c.ended_second >= ${first}`, `c.started_second < ${bind.value('cell_until', until, 'bigint')}`];
  return { ctes: [], rows: scanOf(archived, ask, bind, [...when, `${end} > ${first}`]), join: '', where: [] };
}

/** Columns of every row, in addition to what the metric's recipe reads. */
const always = { chat_id: ':row.chat_id', pull_id: ':chat.pull_id', started_second: ':chat.started_second' };

/** TRICKY: an engine that sorts before it looks up in other tables must not have dropped the columns by which it does. */
const lookedUpBy = { account: ':chat.account', started_quarter: ':chat.started_quarter' };

/** Maximum number of rows in memory: a year of a large account is read in slices by start of chats. */
const mostAtOnce = 200_000;

/** Conditions on the quarter hour in which the chat started. */
type Slice = (quarter: string) => readonly string[];

/**
 * Rows in order of the chats' starts, in one or several batches; rows of one chat are adjacent. `agent` differs from the metric's own for
 * chats in which an agent took part without being credited by the metric.
 */
export async function* membersOf(
  engine: Queryable,
  archived: Archived,
  cell: ReceiptCell,
  reads: Recipe['reads'],
  agent: Archived['agent'] = archived.agent,
  batch = mostAtOnce,
  { each }: Pick<ReportedSource, 'each'> = {},
): AsyncGenerator<Row[]> {
  const read = (shape: (body: Body) => string, slice?: Slice): Promise<Row[]> => {
    const bind = parameters(engine.dialect);
    const body = bodyOf({ ...archived, agent }, cell, bind, each, slice);
    return engine.query(body.ctes + shape(body), bind.params);
  };
  const rows = ({ fill, sql }: Body): string => {
    const own = Object.entries(reads).map(
      ([name, of]) => [name, typeof of === 'string' ? of : of(engine.dialect)] as const,
    );
    // Ids of chats are unique within their account only.
    const whose = cell.ask.pool ? { account: lookedUpBy.account } : {};
    const looksUp = own.some(([, sql]) => sql.includes('select'));
    const columns = [...Object.entries({ ...always, ...whose, ...(looksUp ? lookedUpBy : {}) }), ...own];
    // TRICKY: by expressions, because another table that is joined may have a column of the same name.
    const order = own.filter(([name]) => name === 'position').map(([, sql]) => sql);
    const by = [always.started_second, ...Object.values(whose), always.chat_id, ...order].map(fill).join(', ');
    return `select\n${columns.map(([name, of]) => `  ${fill(of)} as ${name}`).join(',\n')}\n${sql}\norder by ${by}`;
  };
  // Records of one chat may be reached far apart, so goals are read whole; they are few.
  if (archived.rows === 'goals') return yield await read(rows);
  const first = await read((body) => `${rows(body)}\nlimit ${batch + 1}`);
  if (first.length <= batch) return yield first;
  const [all] = await read(
    ({ fill, sql }) =>
      `select count(*) as rows, min(${fill(':chat.started_quarter')}) as first, max(${fill(':chat.started_quarter')}) as last\n${sql}`,
  );
  const last = Number(all?.last);
  const width = Math.max(1, Math.ceil(((last - Number(all?.first) + 1) * batch) / Number(all?.rows)));
  for (let from = Number(all?.first); from <= last; from += width)
    yield await read(rows, (quarter) => [`${quarter} >= ${from}`, `${quarter} < ${from + width}`]);
}

interface Body {
  /** `with …`, or nothing. */
  ctes: string;
  /** `from … where …`. */
  sql: string;
  /** Fills in `:row`, `:chat` and the names of scan.ts. */
  fill: (sql: string) => string;
}

/** For metrics computed per agent: one row per agent of a chat who is a member of the requested groups. */
const askedOf = (ask: Ask): Ask => ({ ...withoutGroup(ask), split: [...new Set([...ask.split, 'agent' as const])] });

function bodyOf(metric: Archived, cell: ReceiptCell, bind: Bind, each: ReportedSource['each'], slice?: Slice): Body {
  // Rows that the metric does not count are read too, because the receipt explains why.
  const { where: _, ...archived } = metric;
  const asked = cell.sources.ask;
  const ask = each ? askedOf(asked) : asked;
  const { ctes, rows, join, where } = (archived.sweep ? openRows : countedRows)(archived, ask, cell, bind);
  const row = archived.rows === 'chats' ? 'c' : 'g';
  const isWhole = archived.rows === 'chats' && archived.nextWithin === undefined;
  const chat = isWhole ? 'c' : 'said';
  const whole = isWhole
    ? ''
    : `\njoin facts.chats as said on said.account = ${row}.account and said.started_quarter = ${row}.started_quarter ` +
      `and said.chat_id = ${row}.chat_id`;
  const agent = rows.columns.find(({ name }) => name === 'agent')?.sql ?? '';
  const columns = rows.columns.filter(({ name }) => asked.split.includes(name));
  const at = columns.map(({ name, sql }) => {
    const value = cell.at[name] ?? null;
    return value === null ? `${sql} is null` : `${sql} = ${bind.value(`at_${name}`, value, typeOfSplit[name])}`;
  });
  const conditions = [
    ...rows.where.map(rows.fill),
    ...(each ? membersOnly(agent, asked, bind) : []),
    ...at,
    ...where,
    ...(slice?.(`${chat}.started_quarter`) ?? []),
  ];
  return {
    ctes: ctes.length > 0 ? `with ${ctes.join(',\n')}\n` : '',
    sql: `${rows.from}${whole}${join}\nwhere ${conditions.join('\n  and ')}`,
    fill: (sql) =>
      rows.fill(sql.replaceAll(':chat.', `${chat}.`).replaceAll(':row.', `${row}.`).replaceAll(':agent', agent)),
  };
}
