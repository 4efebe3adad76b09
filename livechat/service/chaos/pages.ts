// Faults between the pages of an archive: chats twice, chats skipped, a page again, totals that are not the number of chats.
import { pageSize } from '#contract/archive.ts';
import type { Fault, FaultContext } from './fault.ts';
import type { ChaosRequest } from './question.ts';
import { content, isObject, objectsOf, speaksOf, type Json } from './records.ts';

const paged = speaksOf('archive', 'threads');
const isV2Page = ({ subject, search }: ChaosRequest): boolean =>
  subject === 'archive' && Number(search.get('page')) > 1;

/** The chats of another page of the same question. */
async function chatsOn({ question, ask }: FaultContext, page: number): Promise<unknown[]> {
  const search = new URLSearchParams(question.search);
  search.set('page', String(page));
  const { status, body } = await ask(`${question.path}?${search}`);
  return status === 200 ? ((JSON.parse(body.toString('utf8')) as Json).chats as unknown[]) : [];
}

const pageOf = ({ search }: ChaosRequest): number => Number(search.get('page') ?? 1);
const totalName = ({ subject }: ChaosRequest): string => (subject === 'threads' ? 'found_chats' : 'total');

function miscount(body: Json | unknown[], question: ChaosRequest, difference: number): boolean {
  const name = totalName(question);
  const total = isObject(body) ? Number(body[name]) : 0;
  if (!isObject(body) || total + difference < 0 || total === 0) return false;
  body[name] = total + difference;
  if ('pages' in body) body.pages = Math.ceil((total + difference) / pageSize);
  return true;
}

export const pages = {
  duplicate_id: content(
    'visible',
    'the first chat of a page stands on it twice, in the place of the last',
    paged,
    (body) => {
      const chats = isObject(body) ? objectsOf(body.chats) : [];
      const [first] = chats;
      if (!isObject(body) || !first) return false;
      body.chats = [...chats.slice(0, Math.max(1, chats.length - 1)), structuredClone(first)];
      return true;
    },
  ),
  page_repeated: content('visible', 'the page before, once more', isV2Page, async (body, scene) => {
    const before = await chatsOn(scene, pageOf(scene.question) - 1);
    (body as Json).chats = before;
    return before.length > 0;
  }),
  page_shifted: content(
    'visible',
    'a page begins one chat too late, as when a chat before it was removed meanwhile',
    isV2Page,
    async (body, scene) => {
      const [first, ...rest] = objectsOf((body as Json).chats);
      if (!first) return false;
      const [next] = await chatsOn(scene, pageOf(scene.question) + 1);
      (body as Json).chats = next === undefined ? rest : [...rest, next];
      return true;
    },
  ),
  page_overlaps: content(
    'visible',
    'a page begins one chat too early, as when a chat ended meanwhile',
    isV2Page,
    async (body, scene) => {
      const chats = objectsOf((body as Json).chats);
      const last = (await chatsOn(scene, pageOf(scene.question) - 1)).at(-1);
      if (chats.length === 0 || last === undefined) return false;
      (body as Json).chats = [last, ...chats].slice(0, pageSize);
      return true;
    },
  ),
  page_short: content('visible', 'the last chat of a page is missing', paged, (body) => {
    const chats = isObject(body) ? objectsOf(body.chats) : [];
    if (!isObject(body) || chats.length === 0) return false;
    body.chats = chats.slice(0, -1);
    return true;
  }),
  page_id_repeated: content(
    'visible',
    'the next page is said to be this one',
    ({ subject, key }) => subject === 'threads' && key.includes('page_id'),
    (body, { question }) => {
      const asked = /"page_id"\s*:\s*"([^"]+)"/.exec(question.key)?.[1];
      if (!isObject(body) || asked === undefined) return false;
      body.next_page_id = asked;
      return true;
    },
  ),
  total_too_high: content('visible', 'the total is one higher than the chats there are', paged, (body, { question }) =>
    miscount(body, question, 1),
  ),
  total_too_low: content('hidden', 'the total is one lower than the chats there are', paged, (body, { question }) =>
    miscount(body, question, -1),
  ),
} as const satisfies Record<string, Fault>;
