// Counts the levels of a span of quarter hours from the chats.
import type { Dialect } from '../../dialect.ts';
import type { Store } from '../../engine.ts';
import { lastQuarter, levelTables, type LevelColumn, type KindOfLevels } from '../../query/levels.ts';
import { quarterSeconds } from '../../query/time-buckets.ts';
import type { DaySpan } from './days.ts';

/** A span, and the quarter hour in which the first chat began that is open in it. */
interface WithEarliest extends DaySpan {
  earliest: number;
}

export async function withEarliest(engine: Store, account: string, span: DaySpan): Promise<WithEarliest> {
  const [found] = await engine.query(
    'select min(started_quarter) as earliest from facts.chats\n' +
      `where account = ${engine.dialect.literal(account, 'text')} and started_quarter < ${span.last}` +
      ` and ended_second >= ${span.first * quarterSeconds}`,
  );
  return { ...span, earliest: Number(found?.earliest ?? span.first) };
}

/**
 * Inserts the levels of one kind in a span. Each chat is cut at quarter hours, so that nothing is open where one begins; of several
 * edges in one second only the last has a length, and its level is the sum of all of them.
 */
export function levelsOf(
  kind: KindOfLevels,
  account: string,
  span: WithEarliest,
  columns: readonly LevelColumn[],
  dialect: Dialect,
): string {
  const { table, whose } = levelTables[kind];
  const ends = [...new Set(columns.map(({ end }) => end))];
  const own = whose ? [`"${whose.column}"`] : [];
  const keys = ['quarter', ...own];
  const within = (alias: string): string =>
    `${alias}.started_quarter >= ${span.earliest} and ${alias}.started_quarter < ${span.last}`;
  const bridge = whose
    ? `\n  join ${whose.table} as b on b.account = c.account and b.started_quarter = c.started_quarter and b.chat_id = c.chat_id and ${within('b')}`
    : '';
  const until = `least(${lastQuarter(columns, dialect)} + 1, ${span.last})`;
  const start = `cast(quarter as bigint) * ${quarterSeconds}`;
  const deltas = (closing?: number): string[] =>
    ends.map((_, index) => `${closing === undefined ? 1 : closing === index ? -1 : 0} as delta_${index}`);
  const opening = `select ${[...keys, `greatest(opened, ${start}) as second`, ...deltas()].join(', ')} from pieces`;
  // A chat that has closed before the piece begins (one of no length) closes where it opens.
  const closing = ends.map(
    (_, index) =>
      `select ${[...keys, `least(greatest(end_${index}, opened, ${start}), ${start} + ${quarterSeconds})`, ...deltas(index)].join(', ')} from pieces`,
  );
  const line = `(partition by ${keys.join(', ')} order by second rows between unbounded preceding and current row)`;
  const sums = columns.map(({ sql, end }) => sql.replaceAll(/\blevel\b/g, `level_${ends.indexOf(end)}`));
  return (
    `insert into ${table}\nwith pieces as (\n  select ${[
      ...(whose ? [`b.${whose.column}`] : []),
      'c.started_second as opened',
      ...ends.map((end, index) => `${end} as end_${index}`),
      `${dialect.rowForEach(`greatest(c.started_quarter, ${span.first})`, until)} as quarter`,
    ].join(', ')}\n  from facts.chats as c${bridge}\n` +
    `  where c.account = ${dialect.literal(account, 'text')} and ${within('c')} and c.ended_second >= ${span.first * quarterSeconds}\n),\n` +
    `edges as (\n  ${[opening, ...closing].join('\n  union all\n  ')}\n),\n` +
    `stretches as (\n  select ${[
      ...keys,
      ...ends.map((_, index) => `sum(delta_${index}) over ${line} as level_${index}`),
      `${dialect.after('second', `partition by ${keys.join(', ')} order by second`)} - second as length`,
    ].join(', ')}\n  from edges\n)\n` +
    `select ${[dialect.literal(account, 'text'), ...keys, ...sums].join(', ')}\nfrom stretches\nwhere length > 0\n` +
    `group by ${keys.join(', ')}\norder by ${keys.join(', ')}`
  );
}
