// Fetches what one unit needs: one answer of a report or list, or every page of an archive day, in parts when it is long.
import { Final, Garbled, Retryable, Unauthorized, Unreachable } from '../errors.ts';
import type PQueue from 'p-queue';
import type { Answer, Fetcher, Received } from './fetch.ts';
import type { Cost } from '../ledger/ledger.ts';
import type { Names } from './narrow.ts';
import { readDay } from './pages.ts';
import type { ListUnit, Unit } from '../unit.ts';
import { readThreads } from './threads.ts';

/**
 * What came back for a unit: plain values. A long archive day comes as several of these in a row, each with the same
 * unit; all but the last have `isPart`. `failure` is set when the unit as a whole gave nothing that can be used, or,
 * with the last part of a day, when pages of it are missing for now.
 */
export interface Gathered<U = Unit | ListUnit> {
  unit: U;
  /** Every attempt in the order in which it ended: kept raw when a status came, and counted in the ledger. */
  answers: Received[];
  /** What all attempts took, when `answers` does not hold them all. */
  cost?: Cost;
  /** The parsed bodies that are decoded; of usable answers only. */
  bodies: unknown[];
  /**
   * Archive only: bodies that are parsed one at a time when they are decoded, after `bodies`. What is parsed and let go
   * at once costs little memory; a hundred parsed pages that wait cost a hundred megabytes.
   */
  texts?: string[];
  /** Archive only, from the raw archive: records that are parsed one at a time when they are decoded, after `texts`. */
  records?: readonly StoredRecord[];
  failure?: Failure;
  /** Archive only: more pages of the same day follow. What the day as a whole says comes with the last part. */
  isPart?: true;
  /** Archive only, last part: the number of chats that the source named. */
  total?: number;
  /** Archive only, last part: why chats of the day can not be reached at all, in one sentence. */
  shortfall?: string;
}

/** A record of an archive page as the raw archive keeps it. */
export interface StoredRecord {
  text: string;
  /** Of an object: SHA-1 of the text, base64url. */
  hash?: string;
  /** The pull that brought it first, where that may be another than the one that is played back. */
  pull_id?: string;
}

export interface Failure {
  state: 'failed' | 'not_in_plan' | 'gone' | 'quarantined';
  status: number;
  message: string;
}

/** What gathering needs of a run. */
export interface Gathering {
  fetcher: Fetcher;
  /** By these names a day is narrowed that is too long for one question. */
  names: Names;
  /** Long days are read one after the other. */
  long: PQueue;
  /** Told of every attempt at once. */
  hear: (unit: Unit | ListUnit, attempt: Received) => void;
}

/**
 * Hands over what came, part by part. What was heard before a fatal error is handed over too.
 * @throws Unauthorized, Unreachable: nothing else can be asked of this account now.
 */
export async function gather<U extends Unit | ListUnit>(
  unit: U,
  { fetcher, names, long, hear }: Gathering,
  hand: (gathered: Gathered<U>) => Promise<void>,
): Promise<void> {
  const answers: Received[] = [];
  const ask = (path: string): Promise<Answer> =>
    fetcher.ask(path, (attempt) => {
      answers.push(attempt);
      hear(unit, attempt);
    });
  try {
    if (unit.kind === 'archive') {
      const part = (bodies: unknown[], texts: string[] = []): Promise<void> =>
        hand({ unit, answers: answers.splice(0), bodies, texts, isPart: true });
      const end = await (unit.via === 'agent_v3'
        ? readThreads(unit, ask, part)
        : readDay(unit, ask, names, long, (texts) => part([], texts)));
      // Pages that were given up are no news of the source.
      if (!fetcher.has_ended()) await hand({ unit, answers, ...end });
    } else {
      const { json } = await ask(unit.path);
      await hand({ unit, answers, bodies: [json] });
    }
  } catch (error) {
    if (fetcher.has_ended()) return;
    await hand({ unit, answers, bodies: [], failure: failureOf(error) });
    if (error instanceof Unreachable) throw error;
    // What is only compared must not stop what feeds the facts.
    if (error instanceof Unauthorized && !(unit.kind === 'archive' && unit.isCompared)) throw error;
  }
}

/** What an error means for the unit. Anything that is no error of fetching is a mistake of the answer. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof Final || error instanceof Retryable ? error.status : 0;
  if (error instanceof Garbled) return { state: 'quarantined', status, message };
  if (status === 403) return { state: 'not_in_plan', status, message };
  if (status === 404 || status === 410) return { state: 'gone', status, message };
  if (error instanceof Final || error instanceof Retryable || error instanceof Unreachable)
    return { state: 'failed', status, message };
  return { state: 'quarantined', status: 200, message };
}
