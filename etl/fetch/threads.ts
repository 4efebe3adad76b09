// Reads a day of list_archives (v3.5) to its end, page id after page id, and reads it again when pages were missing.
import { listArchives } from '#contract/list-archives.ts';
import { threadsPageOf } from '../decode/page.ts';
import { Final, Garbled, Retryable, Unauthorized } from '../errors.ts';
import type { PageText } from '../fetched.ts';
import type { FetchPath } from './fetch.ts';
import type { DayEnd } from './pages.ts';
import { posted } from '../source-request.ts';

/** Pages per part of a day, so that no day has to fit into memory. */
export const pages_a_part = 5;
const readings = 3;

/** How far one reading came. */
interface PageWalk {
  found: number;
  /** Why it ended before the last page. */
  broken?: string;
  /** The page was tried often enough: reading again would only cost requests. */
  is_hopeless?: boolean;
}

type Hand = (pages: PageText[]) => Promise<void>;

/** `found_chats` is an estimate: fewer threads are a shortfall, not a failure. @throws the error of the first page. */
export async function readThreads(
  { path, day }: { path: string; day: string },
  ask: FetchPath,
  hand: Hand,
): Promise<DayEnd> {
  const ids = new Set<string>();
  const held: PageText[] = [];
  const take = async (page: PageText): Promise<void> => {
    // The last part stays here, so that no day ends with a part of nothing.
    if (held.length >= pages_a_part) await hand(held.splice(0));
    held.push(page);
  };
  let reading: PageWalk = { found: 0 };
  for (let time = 1; time <= readings; time += 1) {
    reading = await read(path, ask, take, ids, time === 1);
    if (reading.is_hopeless || (!reading.broken && ids.size >= reading.found)) break;
  }
  const end: DayEnd = { bodies: [], pages: held, total: Math.max(reading.found, ids.size) };
  const reached = `${ids.size} of ${reading.found} chats of ${day} were reached`;
  if (reading.broken)
    return { ...end, failure: { state: 'failed', status: 0, message: `${reached}: ${reading.broken}` } };
  if (ids.size >= reading.found) return end;
  return {
    ...end,
    shortfall: `${reached} in each of ${readings} readings; the number found is an estimate of the source`,
  };
}

/** One reading, starting from the first page. */
async function read(
  path: string,
  ask: FetchPath,
  take: (page: PageText) => Promise<void>,
  ids: Set<string>,
  is_first: boolean,
): Promise<PageWalk> {
  const asked = new Set<string>();
  let found = 0;
  for (let next: string | undefined = path; next !== undefined;) {
    const number = asked.size + 1;
    asked.add(next);
    try {
      const { json, received } = await ask(next);
      const page = threadsPageOf(json, number);
      await take(received);
      for (const id of page.ids) ids.add(id);
      found = Math.max(found, page.found);
      next = page.next === undefined ? undefined : posted(listArchives.path, { page_id: page.next });
    } catch (error) {
      if (isFatal(error) || (is_first && number === 1)) throw error;
      const broken = `page ${number} could not be read, because ${(error as Error).message}`;
      return { found, broken, is_hopeless: !(error instanceof Garbled) };
    }
    if (next !== undefined && asked.has(next))
      return { found, broken: `page ${number} names a page before it as the next` };
  }
  return { found };
}

const isFatal = (error: unknown): boolean =>
  error instanceof Unauthorized || !(error instanceof Final || error instanceof Retryable);
