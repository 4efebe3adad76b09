// Reads an archive day completely: every page, again if pages shifted, and by narrower questions if there are too many.
import type PQueue from 'p-queue';
import { lastPage, pageSize } from '#contract/archive.ts';
import { numberOf } from '../days.ts';
import { addNames, noNames, type SeenNames } from '../decode/names.ts';
import { pageOf, type ArchivePageSummary } from '../decode/page.ts';
import { Final, Retryable, Unauthorized } from '../errors.ts';
import type { Failure, PageText } from '../fetched.ts';
import type { FetchPath } from './fetch.ts';
import { narrowings, queriesOf } from './narrow.ts';
import type { ArchiveUnit } from '../unit.ts';

/** More chats than this cannot be reached by one question. */
const reachable = lastPage * pageSize;
/** Pages per part of a day, so that no day has to fit into memory. */
export const pages_a_part = 20;
/** Characters per part, for days with long chats. */
const characters_a_part = 4 * 1024 * 1024;
/**
 * Request limit for narrower questions: eight times the day's pages plus two thousand; beyond it the ledger records a shortfall. A total
 * far above the number of chats reached is not trusted.
 */
const most_requests = ({ total }: ArchivePageSummary, reader: PageReader): number =>
  (8 * Math.min(total, 4 * reader.reached() + reachable)) / pageSize + 2000;
/** How often the pages of a question are read if chats end meanwhile and the pages shift. */
const readings = 3;
const pages_at_once = 8;

/** The last part of a day, and the result of the day as a whole. */
export interface DayEnd {
  bodies: [];
  pages: PageText[];
  total: number;
  shortfall?: string;
  failure?: Failure;
}

/** @throws the error of the first page; nothing is known about the day then. */
export async function readDay(
  { path, day }: ArchiveUnit,
  ask: FetchPath,
  names: SeenNames,
  long: PQueue,
  hand: (pages: PageText[]) => Promise<void>,
): Promise<DayEnd> {
  const reader = createReader(ask, hand);
  const first = await reader.page(path, 1);
  const read = (): Promise<Reached> => readQuestion(reader, path, first, names, 0);
  const newest_first = { priority: numberOf(day) };
  const { ids, total } = await (first.pages > pages_a_part ? long.add(read, newest_first) : read());
  const end: DayEnd = { bodies: [], pages: reader.rest(), total: Math.max(total, ids.size) };
  if (ids.size >= total && reader.unread.length === 0) return end;
  const reached = `${ids.size} of ${total} chats of ${day} were reached`;
  if (reader.unread.length > 0) {
    const message = `${reached}: ${reader.unread.length} pages could not be read, the first because ${reader.unread[0]}`;
    return { ...end, failure: { state: 'failed', status: 0, message } };
  }
  if (total >= reachable) return { ...end, shortfall: `${reached}, although asked by ${narrowings.join(', ')}` };
  const message = `${reached}: the pages shifted in each of ${readings} readings`;
  return { ...end, failure: { state: 'failed', status: 0, message } };
}

interface PageReader {
  page(path: string, number: number): Promise<ArchivePageSummary>;
  /** Pages asked so far. */
  requests(): number;
  /** Different chats so far. */
  reached(): number;
  /** Why pages could not be read. */
  unread: string[];
  /** Pages that have not been handed over. */
  rest(): PageText[];
}

/** Reads pages and delivers them in parts; requests nothing more while a part waits to be taken. */
function createReader(ask: FetchPath, hand: (pages: PageText[]) => Promise<void>): PageReader {
  let held: PageText[] = [];
  let characters = 0;
  let handing = Promise.resolve();
  let requests = 0;
  const ids = new Set<string>();
  return {
    unread: [],
    requests: () => requests,
    reached: () => ids.size,
    async page(path, number) {
      await handing;
      requests += 1;
      const { json, received } = await ask(number === 1 ? path : `${path}&page=${number}`);
      const page = pageOf(json, number);
      for (const id of page.ids) ids.add(id);
      // The last part stays here, so that no day ends with a part of nothing.
      if (held.length >= pages_a_part || characters >= characters_a_part) {
        characters = 0;
        await (handing = hand(held.splice(0)));
      }
      held.push(received);
      characters += received.body.length;
      return page;
    },
    rest() {
      const last = held;
      held = [];
      return last;
    },
  };
}

/** The chats reached by a question, their total, and the names they mention. */
interface Reached {
  ids: Set<string>;
  total: number;
  names: SeenNames;
}

/** All chats of a question: by its pages or, when they are too many, by narrower questions until their union is whole. */
async function readQuestion(
  reader: PageReader,
  path: string,
  first: ArchivePageSummary,
  known: SeenNames,
  from: number,
): Promise<Reached> {
  if (first.total < reachable && first.pages < lastPage) return readPages(reader, path, first);
  const reached: Reached = { ids: new Set(first.ids), total: first.total, names: noNames() };
  addNames(reached.names, known);
  addNames(reached.names, first.names);
  for (const [index, by] of narrowings.entries()) {
    if (index < from || reader.requests() > most_requests(first, reader)) continue;
    const before = reached.ids.size;
    for (const query of queriesOf(by, reached.names)) {
      if (reader.requests() > most_requests(first, reader)) break;
      const narrower = `${path}&${query}`;
      const its = await readOrNote(reader, narrower, 1);
      // A question that is no narrower yields nothing that this one does not.
      if (its && its.total < first.total) add(reached, await readQuestion(reader, narrower, its, known, index + 1));
    }
    if (isWhole(reached, reached.ids.size === before)) return reached;
  }
  const { total } = reached;
  add(reached, await readPages(reader, path, first));
  return { ...reached, total };
}

/** TRICKY: a source may cap the total it names; then the union outgrows it, and is whole when nothing more is found. */
const isWhole = ({ ids, total }: Reached, hasStopped: boolean): boolean =>
  ids.size === total || (ids.size > total && (total > reachable || hasStopped));

function add(reached: Reached, more: Reached): void {
  for (const id of more.ids) reached.ids.add(id);
  addNames(reached.names, more.names);
}

/** Reads all pages of a question; restarts while chats are missing that a page of this reading counted. */
async function readPages(reader: PageReader, path: string, first: ArchivePageSummary): Promise<Reached> {
  const reached: Reached = { ids: new Set(first.ids), total: first.total, names: first.names };
  let last = first.pages;
  for (let reading = 1; reading <= readings; reading += 1) {
    let next = 2;
    if (reading > 1) {
      const again = await readOrNote(reader, path, 1);
      if (!again) break;
      add(reached, { ...reached, ids: new Set(again.ids) });
      [reached.total, last] = [again.total, again.pages];
    }
    const lane = async (): Promise<void> => {
      while (next <= Math.min(lastPage, last) && !(reading > 1 && reached.ids.size >= reached.total)) {
        const page = await readOrNote(reader, path, next++);
        if (!page) continue;
        add(reached, { ids: new Set(page.ids), total: 0, names: page.names });
        // Chats end during the reading: the largest total of a reading is the most recent.
        [reached.total, last] = [Math.max(reached.total, page.total), Math.max(last, page.pages)];
      }
    };
    await Promise.all(Array.from({ length: pages_at_once }, lane));
    if (reached.ids.size >= reached.total || reader.unread.length > 0) break;
  }
  return reached;
}

/** A page that cannot be read is noted, and the others are read all the same. */
async function readOrNote(reader: PageReader, path: string, number: number): Promise<ArchivePageSummary | undefined> {
  try {
    return await reader.page(path, number);
  } catch (error) {
    if (error instanceof Unauthorized || !(error instanceof Final || error instanceof Retryable)) throw error;
    reader.unread.push(error.message);
    return undefined;
  }
}
