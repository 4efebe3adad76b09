// Limits the number of cells per answer: they are counted before they are built, and too large a question is refused with an alternative.
import type { Ask } from './ask.ts';
import type { LocalPart } from '../dialect.ts';
import type { Engine, Row } from '../engine.ts';
import { TooManyCells } from '../errors.ts';
import type { MetricDefinition, Split } from '../definitions/metric.ts';
import { memoized } from '../memoize.ts';
import { dayNumber, slotCount } from '../periods.ts';
import { accountsIn } from './asked-accounts.ts';

const mostCells = 200_000;
/** Answers with more cells run one at a time. */
const manyCells = 20_000;

const coarser = ['day', 'week', 'month', 'total'] as const;

function tooMuch(metric: MetricDefinition, ask: Ask): TooManyCells {
  const { grain, split, from, to } = ask;
  const days = dayNumber(to) - dayNumber(from) + 1;
  const asked = `${metric.id} by ${grain}${split.length > 0 ? ` and ${split.join(', ')}` : ''} over ${days} days`;
  const grains = coarser
    .slice(grain === 'hour' ? 0 : coarser.indexOf(grain) + 1)
    .filter((candidate) => metric.grains.includes(candidate));
  const choices = [
    ...grains.map((choice) => `grain=${choice}`),
    ...(split.length > 1 ? ['fewer splits'] : []),
    'fewer days',
  ];
  return new TooManyCells(
    'grain',
    `${asked} has more than ${mostCells} cells: ask with ${choices.join(', ')}, or take the cells that have something as a file ` +
      `that may have any size: /api/metrics/${metric.id}.csv with the same question`,
    choices,
  );
}

export const isLocalPart = (split: Split): split is LocalPart => split === 'weekday' || split === 'hour_of_day';
const partsOf = (ask: Ask): LocalPart[] => ask.split.filter(isLocalPart);

/** Errors: Refused, if this many split values in each cell of the calendar exceed the limit. */
export function assertFits(metric: MetricDefinition, ask: Ask, combinations: number): void {
  const each = metric.sparse ? 1 : Math.max(1, combinations);
  if (slotCount(ask.from, ask.to, ask.grain, partsOf(ask)) * each > mostCells) throw tooMuch(metric, ask);
}

/** The rows of a statement, read no further than an answer may have cells. Errors: Refused, Cancelled. */
export async function readRows(
  engine: Engine,
  metric: MetricDefinition,
  ask: Ask,
  sql: string,
  params: Row,
): Promise<Row[]> {
  assertFits(metric, ask, 1);
  // Without splits there are no more rows than calendar cells.
  if (partsOf(ask).length === ask.split.length) return engine.query(sql, params);
  const rows: Row[] = [];
  for await (const piece of engine.queryInPieces(sql, params)) {
    for (const row of piece) rows.push(row);
    if (rows.length > mostCells) throw tooMuch(metric, ask);
  }
  return rows;
}

/** Tables that list the values of a split; other splits have few values, except for countries. */
const lists: Partial<Record<Split, string>> = { agent: 'account.agents', group: 'account.groups', tag: 'account.tags' };
const countries = 200;

/** How many values an account lists. */
const listedIn = (engine: Engine, account: string): Promise<ReadonlyMap<string, number>> =>
  memoized(engine, `values of ${account}`, async () => {
    const found = Object.entries(lists).map(async ([split, table]): Promise<[string, number]> => {
      const mine = `account = ${engine.dialect.param('account', 'text')}`;
      const [row] = await engine.query(`select count(*) as n from ${table} where ${mine}`, { account });
      return [split, Number(row?.n ?? 0)];
    });
    return new Map(await Promise.all(found));
  });

/** Whether an answer will probably have so many cells that it takes time and memory from others. */
export async function hasManyCells(engine: Engine, { sparse = false }: MetricDefinition, ask: Ask): Promise<boolean> {
  const periods = slotCount(ask.from, ask.to, ask.grain, partsOf(ask));
  const splits = ask.split.filter((split) => !isLocalPart(split));
  if (sparse || periods * 10 ** splits.length <= manyCells / 100) return false;
  const accounts = accountsIn(ask);
  const counts = await Promise.all(accounts.map((id) => listedIn(engine, id)));
  // Chats may contain values that the account no longer lists.
  const values = (split: Split): number => {
    if (split === 'account') return accounts.length;
    if (split === 'country') return countries;
    return Math.max(10, ...counts.map((its) => its.get(split) ?? 0));
  };
  return splits.reduce((cells, split) => cells * values(split), periods) > manyCells;
}
