// The contents of an archive page besides its chats: the total, the listed ids and the names that its chats mention. Pure.
import { pageSize } from '#contract/archive.ts';
import { readThreadsPage, type ReadThreadsPage } from '#contract/threads.ts';
import { Garbled } from '../errors.ts';
import { noNames, type SeenNames } from './names.ts';

export interface ArchivePageSummary {
  /** One per record; a record without an id is identified by its position. */
  ids: string[];
  total: number;
  pages: number;
  names: SeenNames;
}

/** The records of a page as received. @throws Garbled if the body is not a page. */
export function chatsOf(body: unknown): unknown[] {
  const { chats } = (body ?? {}) as { chats?: unknown };
  if (!Array.isArray(chats)) throw new Garbled('the answer is no page of the archive: it holds no list of chats');
  return chats;
}

/** @throws Garbled if the body is not a page or lacks the total number of chats. */
export function pageOf(body: unknown, number: number): ArchivePageSummary {
  const chats = chatsOf(body);
  const said = body as { total?: unknown; pages?: unknown };
  const total = wholeNumber(said.total);
  if (total === undefined) throw new Garbled('the page of the archive does not say how many chats there are');
  const names = noNames();
  const ids = chats.map((chat, place) => {
    const { id, group, agents, tags } = (chat ?? {}) as Record<string, unknown>;
    for (const each of listOf(group)) names.groups.add(String(each));
    for (const each of listOf(agents)) names.agents.add(String((each as { email?: unknown } | null)?.email ?? ''));
    for (const each of listOf(tags)) names.tags.add(String(each));
    return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : `#${number}.${place}`;
  });
  names.agents.delete('');
  return { ids, total, pages: wholeNumber(said.pages) ?? Math.ceil(total / pageSize), names };
}

/** The same for list_archives. @throws Garbled if the body is not a page, or lacks the number of chats found. */
export function threadsPageOf(body: unknown, number: number): ReadThreadsPage {
  const page = readThreadsPage(body, number);
  if (typeof page === 'string') throw new Garbled(page);
  return page;
}

/** A whole number, also written as text. */
const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : undefined;
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
