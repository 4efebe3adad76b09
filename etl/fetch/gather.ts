// Fetches what one unit needs: one answer of a report or list, or all pages of an archive day, in parts if it is long.
import type PQueue from 'p-queue';
import type { SeenNames } from '../decode/names.ts';
import { Unauthorized, Unreachable } from '../errors.ts';
import { failureOf, type Gathered, type PageText, type ReceivedResponse } from '../fetched.ts';
import type { FetchedAnswer, Fetcher } from './fetch.ts';
import { readDay } from './pages.ts';
import type { ListUnit, PullUnit } from '../unit.ts';
import { readThreads } from './threads.ts';

/** What gathering needs of a run. */
export interface Gathering {
  fetcher: Fetcher;
  /** By these names a day is narrowed that is too long for one question. */
  names: SeenNames;
  /** Long days are read one after the other. */
  long: PQueue;
  /** Told of every attempt at once. */
  hear: (unit: PullUnit | ListUnit, attempt: ReceivedResponse) => void;
}

/**
 * Delivers the answers part by part, including those received before a fatal error. @throws Unauthorized, Unreachable: no further
 * requests to this account are possible now.
 */
export async function gather<U extends PullUnit | ListUnit>(
  unit: U,
  { fetcher, names, long, hear }: Gathering,
  hand: (gathered: Gathered<U>) => Promise<void>,
): Promise<void> {
  const answers: ReceivedResponse[] = [];
  const ask = (path: string): Promise<FetchedAnswer> =>
    fetcher.ask(path, (attempt) => {
      answers.push(attempt);
      hear(unit, attempt);
    });
  try {
    if (unit.kind === 'archive') {
      const part = (pages: PageText[]): Promise<void> =>
        hand({ unit, answers: answers.splice(0), bodies: [], pages, isPart: true });
      const end = await (unit.via === 'agent_v3'
        ? readThreads(unit, ask, part)
        : readDay(unit, ask, names, long, part));
      // Aborted pages say nothing about the source.
      if (!fetcher.has_ended()) await hand({ unit, answers, ...end });
    } else {
      const { json } = await ask(unit.path);
      await hand({ unit, answers, bodies: [json] });
    }
  } catch (error) {
    if (fetcher.has_ended()) return;
    await hand({ unit, answers, bodies: [], failure: failureOf(error) });
    if (error instanceof Unreachable) throw error;
    // A source that is only compared must not stop the one that feeds the facts.
    if (error instanceof Unauthorized && !(unit.kind === 'archive' && unit.isCompared)) throw error;
  }
}
