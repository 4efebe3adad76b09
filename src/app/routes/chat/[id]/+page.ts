// Asks for one chat with its lines; with a metric also for the lines that were measured.
import { error } from '@sveltejs/kit';
import { isZone } from '#lib/dates.ts';
import type { ChatAnswer } from '#lib/drill/receipt.ts';
import { chatWords } from '#lib/drill/words.ts';
import { words } from '#lib/words.ts';
import type { PageLoad } from './$types.js';

/** A conversation of days is shown in parts: a page of tens of thousands of lines would hold up everybody. */
const most_lines = 1000;

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { account } = await parent();
  const asked = url.searchParams.get('timezone') ?? '';
  const timezone = asked && isZone(asked) ? asked : (account?.timezone ?? 'UTC');
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => name === 'metric' || name === 'agent'));
  if (account) query.set('account', account.id);
  const response = await fetch(`/api/chats/${encodeURIComponent(params.id)}?${query}`);
  if (response.status === 404) error(404, chatWords.missing);
  if (!response.ok) error(503, words.failure.api);
  const answer = (await response.json()) as ChatAnswer;
  const all = answer.lines.length;
  const asked_offset = Number(url.searchParams.get('offset') ?? 0);
  const offset = Number.isSafeInteger(asked_offset) && asked_offset > 0 && asked_offset < all ? asked_offset : 0;
  const lines = answer.lines.slice(offset, offset + most_lines);
  const shown = new Set(lines.map(({ position }) => position));
  const marks = answer.marks.filter(({ from, to }) => shown.has(from) || shown.has(to));
  return { ...answer, lines, marks, all, offset, timezone };
};
