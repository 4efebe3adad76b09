// Fetches what one unit needs: one answer of a report, or every page of an archive day, counted against its total.
import { archivePage, lastPage } from '#contract/archive.ts';
import { Final, Retryable, Unauthorized, Unreachable } from './errors.ts';
import type { Fetcher, Received } from './fetch.ts';
import type { ArchiveUnit, ListUnit, Unit } from './plan.ts';

/** What came back for a unit. `failure` is set when the unit as a whole gave nothing that can be used. */
export interface Gathered<U = Unit | ListUnit> {
  unit: U;
  answers: Received[];
  /** The parsed bodies, in the order of `answers`. */
  bodies: unknown[];
  failure?: Failure;
  /** Archive only: the true number of chats that the source named. */
  total?: number;
}

export interface Failure {
  state: 'failed' | 'not_in_plan' | 'gone' | 'quarantined';
  status: number;
  message: string;
}

/** The pages of a day are read again when chats ended meanwhile and the pages shifted. */
const readings = 3;

/** @throws Unauthorized, Unreachable: nothing else can be asked of this account now. */
export async function gather<U extends Unit | ListUnit>(unit: U, fetcher: Fetcher): Promise<Gathered<U>> {
  const answers: Received[] = [];
  try {
    if (unit.kind === 'archive') return { unit, ...(await allPages(unit, fetcher)) };
    answers.push(await fetcher.ask(unit.path));
    return { unit, answers, bodies: answers.map(({ body }) => JSON.parse(body) as unknown) };
  } catch (error) {
    if (error instanceof Unauthorized || error instanceof Unreachable) throw error;
    return { unit, answers, bodies: [], failure: failureOf(error) };
  }
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const status = error instanceof Final || error instanceof Retryable ? error.status : 0;
  if (status === 403) return { state: 'not_in_plan', status, message };
  if (status === 404 || status === 410) return { state: 'gone', status, message };
  if (error instanceof Final || error instanceof Retryable) return { state: 'failed', status, message };
  return { state: 'quarantined', status: 200, message };
}

interface Pages {
  answers: Received[];
  bodies: unknown[];
  total: number;
}

async function allPages(unit: ArchiveUnit, fetcher: Fetcher): Promise<Pages> {
  let pages = await readPages(unit, fetcher);
  for (let reading = 2; reading <= readings && idsIn(pages.bodies).size < pages.total; reading += 1) {
    pages = await readPages(unit, fetcher);
  }
  const reached = idsIn(pages.bodies).size;
  if (reached < pages.total)
    throw new Final(`${unit.day}: ${reached} of ${pages.total} chats could be reached in ${readings} readings`, 200);
  return pages;
}

async function readPages(unit: ArchiveUnit, fetcher: Fetcher): Promise<Pages> {
  const first = await fetcher.ask(unit.path);
  const { total, pages } = archivePage.parse(JSON.parse(first.body));
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, Math.min(pages, lastPage) - 1) }, (_, index) =>
      fetcher.ask(`${unit.path}&page=${index + 2}`),
    ),
  );
  const answers = [first, ...rest];
  return { answers, bodies: answers.map(({ body }) => JSON.parse(body) as unknown), total };
}

/** Ids on all pages; a record without one counts by its place, so that a nameless record is not read for ever. */
function idsIn(bodies: readonly unknown[]): Set<string> {
  const chats = bodies.flatMap((body) => archivePage.parse(body).chats);
  return new Set(chats.map((chat, place) => (chat as { id?: string } | null)?.id ?? `#${place}`));
}
