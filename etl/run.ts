// Works through the units of a pull: fetches a slice while the one before is kept raw, decoded and loaded.
import type { Engine } from '#warehouse/engine.ts';
import { tableOf } from '#warehouse/tables.ts';
import type { RawAnswer, RawArchive } from './archive.ts';
import type { FlatRow } from './decode-chats.ts';
import type { Fetcher } from './fetch.ts';
import { gather, type Gathered } from './gather.ts';
import type { Ledger, Tally } from './ledger.ts';
import { daysOf, load } from './load.ts';
import type { ListUnit, Unit } from './plan.ts';

/** What lasts as long as one pull. */
export interface Run {
  account: string;
  timezone: string;
  pull_id: string;
  engine: Engine;
  archive: RawArchive;
  fetcher: Fetcher;
  ledger: Ledger;
  /** Unix seconds. */
  clock: () => number;
  tally: Tally;
  /** Local days whose reports changed since they were last received. */
  changed: Set<string>;
  failed: number;
  /** Local days that were loaded. */
  touched: Set<string>;
  /** A row outside the ledger became another since the last publication. */
  has_news: boolean;
}

const units_a_slice = 64;

/** Calls `onDone` with the number of units finished after each slice. */
export async function pullUnits(run: Run, units: readonly Unit[], onDone: (count: number) => void): Promise<void> {
  const fetchSlice = (at: number): Promise<Gathered<Unit>[]> =>
    Promise.all(units.slice(at, at + units_a_slice).map((unit) => gather(unit, run.fetcher)));
  let next = fetchSlice(0);
  for (let at = 0; at < units.length; at += units_a_slice) {
    const gathered = await next;
    next = fetchSlice(at + units_a_slice);
    next.catch(() => undefined); // TRICKY: awaited in the next turn; without this a failure meanwhile ends the process
    await keepRaw(run, gathered);
    await loadSlice(run, gathered);
    onDone(gathered.length);
  }
}

async function loadSlice(run: Run, gathered: Gathered<Unit>[]): Promise<void> {
  const batch = { account: run.account, timezone: run.timezone, pull_id: run.pull_id, now: run.clock() };
  const { changed, has_news } = await load(run.engine, run.ledger, gathered, batch, run.tally);
  for (const { grain, split, source, day } of changed)
    if (grain === 'day' && split === 'account' && source !== 'archive') run.changed.add(day);
  for (const { unit } of gathered) for (const day of daysOf(unit)) run.touched.add(day);
  run.failed += gathered.filter(({ failure }) => failure).length;
  run.has_news ||= has_news;
}

export const sourceName = (unit: Unit | ListUnit): string =>
  unit.kind === 'report' ? unit.source : unit.kind === 'archive' ? 'archive' : unit.list;

/** Raw bodies first, then a row for each request in the ledger. */
export async function keepRaw(run: Run, gathered: readonly Gathered[]): Promise<void> {
  const raw = gathered.flatMap(({ unit, answers }) =>
    answers.map((received): RawAnswer => ({ source: sourceName(unit), received })),
  );
  await run.archive.keep(run.account, run.pull_id, raw);
  const rows = gathered.flatMap((item) => requestRows(run, item));
  await run.engine.load(tableOf('ledger', 'requests'), rows);
}

function requestRows(run: Run, { unit, answers, failure }: Gathered): FlatRow[] {
  const base = { account: run.account, pull_id: run.pull_id, source: sourceName(unit) };
  const rows = answers.map((received): FlatRow => {
    const { path, status, attempts, bytes, milliseconds, asked_at } = received;
    run.tally.requests += attempts;
    return {
      ...base,
      sequence: run.tally.requests,
      path,
      status,
      attempts,
      bytes,
      milliseconds,
      asked_at,
      error: null,
    };
  });
  if (!failure || answers.length > 0) return rows;
  run.tally.requests += 1;
  const failed = {
    path: unit.path,
    status: failure.status,
    attempts: 1,
    bytes: 0,
    milliseconds: 0,
    asked_at: run.clock(),
  };
  return [{ ...base, sequence: run.tally.requests, ...failed, error: failure.message }];
}
