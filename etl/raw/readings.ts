// Reads the raw archive back, day by day, in the order in which answers were received.
import type { Engine, Queryable, Row } from '#warehouse/engine.ts';
import { receivedDays, responsesOf } from '#warehouse/raw/responses.ts';
import type { Cost, Gathered, ReceivedResponse } from '../fetched.ts';
import type { ListUnit, PullUnit } from '../unit.ts';
import { hashOf } from './pages.ts';

/** The answers to one question, as one pull got them and later pulls of the same UTC day got them again. */
export interface Reading<U = PullUnit | ListUnit> {
  unit: U;
  timezone: string;
  /** Local day or days asked about. */
  period: string;
  /** The pull's result for the question as a whole. */
  outcome: Pick<Gathered, 'total' | 'shortfall' | 'failure'>;
  /** What all attempts took. */
  cost: Cost;
  /** The last attempt without its body, and the hash of that; none when the pull did not ask, or no answer came. */
  last_answer?: { received: ReceivedResponse; hash: string };
  /** Hashes of the bodies that could be used. */
  usable: string[];
  /** The same for the same answers to the same question. */
  signature: string;
  /** How often the same was received. */
  times: number;
  first: ReadingStamp;
  last: ReadingStamp;
}

/** When (Unix seconds), by which pull, and the question's number in that pull. */
export interface ReadingStamp {
  at: number;
  pull_id: string;
  sequence: number;
}

/** UTC days on which something was received, oldest first. `from` in Unix seconds. */
export const daysHeld = (archive: Queryable, account: string, from: number): Promise<string[]> =>
  receivedDays(archive, account, new Date(Math.max(from, 0) * 1000).toISOString().slice(0, 10));

/** Readings of one UTC day, ordered by their first moment; those that a crash left unfinished are skipped. */
export async function readingsOf(engine: Engine, account: string, day: string): Promise<Reading[]> {
  const readings: Reading[] = [];
  let begun: Row | undefined;
  let said: string[] = [];
  const end = (): void => {
    const reading = readings.at(-1);
    if (reading) reading.signature = hashOf(said.sort().join());
    said = [];
  };
  for await (const rows of responsesOf(engine, account, day))
    for (const row of rows) {
      if (begun?.pull_id !== row.pull_id || begun?.sequence !== row.sequence) {
        end();
        readings.push(readingOf(row));
      }
      begun = row;
      const reading = readings.at(-1);
      // Without an attempt the pull did not ask: its like had been refused.
      if (!reading || Number(row.attempts) === 0) continue;
      said.push(JSON.stringify([row.path, row.status, row.error, row.hash]));
      addAnswer(reading, row);
    }
  end();
  return readings;
}

const readingOf = (row: Row): Reading => ({
  unit: JSON.parse(String(row.unit)) as PullUnit | ListUnit,
  timezone: String(row.timezone),
  period: String(row.period),
  outcome: JSON.parse(String(row.outcome)) as Reading['outcome'],
  cost: { attempts: 0, bytes: 0, milliseconds: 0 },
  usable: [],
  signature: '',
  times: Number(row.times),
  first: { at: secondOf(row.received_at), pull_id: String(row.pull_id), sequence: Number(row.sequence) },
  last: { at: secondOf(row.last_received_at), pull_id: String(row.last_pull_id), sequence: Number(row.last_sequence) },
});

function addAnswer(reading: Reading, row: Row): void {
  reading.cost.attempts += 1;
  reading.cost.bytes += Number(row.bytes);
  reading.cost.milliseconds += Number(row.milliseconds);
  const hash = row.hash === null ? null : String(row.hash);
  if (hash !== null && row.error === null) reading.usable.push(hash);
  if (hash === null) delete reading.last_answer;
  else reading.last_answer = { received: answerOf(row), hash };
}

const answerOf = (row: Row): ReceivedResponse => ({
  ...{ path: String(row.path), status: Number(row.status), headers: {}, body: '' },
  ...{ bytes: Number(row.bytes), milliseconds: Number(row.milliseconds), attempts: Number(row.attempts) },
  ...{ asked_at: secondOf(row.asked_at), error: row.error === null ? null : String(row.error) },
});

const secondOf = (instant: Row[string] | undefined): number => Date.parse(String(instant)) / 1000;
