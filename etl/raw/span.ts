// How far back the raw archive reaches, and how it thins out: retention of an answer depends on its age.
import type { Store } from '#warehouse/engine.ts';
import { daysToThin, endThinning, hasBegun, spanHeld } from '#warehouse/raw/responses.ts';
import { rawAbout, rawResponses, rawVersion } from '#warehouse/tables/tables.ts';
import { addDays } from '../days.ts';
import { compact } from './compact.ts';
import { readingsOf, type ReadingStamp } from './readings.ts';

/** The span for which every answer is stored, Unix seconds; `from` is after `to` if there is none. */
export interface ArchiveSpan {
  from: number;
  to: number;
}

/** UTC days for which every answer is kept; later, redundant ones are removed. Chats are kept for ever. */
const every_answer_days = 30;

export async function heldBy(engine: Store, account: string): Promise<ArchiveSpan> {
  const { begun_at, last_received_at } = await spanHeld(engine, account);
  const second = (instant: string | null, none: number): number => (instant ? Date.parse(instant) / 1000 : none);
  return { from: second(begun_at, Infinity), to: second(last_received_at, -Infinity) };
}

/** Runs before the first answer of a UTC day: records the start of a new file, thins out an old one. `now` in Unix seconds. */
export async function beginDay(engine: Store, now: number): Promise<void> {
  const today = new Date(now * 1000).toISOString().slice(0, 10);
  const begun = await hasBegun(engine, today);
  if (!begun.file) await engine.load(rawAbout, [{ version: rawVersion, begun_at: now, thinned_until: today }]);
  if (!begun.day) await thin(engine, addDays(today, -every_answer_days));
}

/** Days before `until` lose what leaves no trace when the archive is played back, and bodies that nobody names any more. */
async function thin(engine: Store, until: string): Promise<void> {
  for (const { account, received_on } of await daysToThin(engine, until)) {
    const readings = await readingsOf(engine, String(account), String(received_on));
    const kept = new Set((await compact(engine, readings)).map(({ first }) => nameOf(first)));
    const gone = readings.filter(({ first }) => !kept.has(nameOf(first)));
    await engine.load(rawResponses, [], {
      replacing: ['account', 'received_on', 'pull_id', 'sequence'],
      marks: gone.map(({ first: { pull_id, sequence } }) => ({
        ...{ account: String(account), received_on: String(received_on), pull_id, sequence },
      })),
    });
  }
  await endThinning(engine, until);
}

const nameOf = ({ pull_id, sequence }: ReadingStamp): string => `${pull_id} ${sequence}`;
