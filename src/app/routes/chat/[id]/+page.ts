// Asks for one chat with its lines; with a metric also for the lines that were measured.
import { error, redirect } from '@sveltejs/kit';
import { isZone } from '#lib/dates.ts';
import { addressOf, call } from '#lib/api.ts';
import { chatWords } from '#lib/drill/words.ts';
import { samePage } from '#lib/drill/addresses.ts';
import { readNeighbours } from '#lib/why/neighbours.ts';
import { words } from '#lib/words.ts';
import type { PageLoad } from './$types.js';

/** A conversation of days is shown in parts: a page of tens of thousands of lines would hold up everybody. */
const most_lines = 1000;
/** Characters of a line; the answer of the API has the rest. */
const longest = 20_000;
const wholeNumber = /^\d{1,9}$/;

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { account, metrics } = await parent();
  const asked = url.searchParams.get('timezone') ?? '';
  const timezone = asked && isZone(asked) ? asked : (account?.timezone ?? 'UTC');
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => name === 'metric' || name === 'agent'));
  if (account) query.set('account', account.id);
  const { id } = params;
  const whole = addressOf('GET /chats/{id}', { params: { id }, query });
  const asked_offset = url.searchParams.get('offset') ?? '';
  const offset = wholeNumber.test(asked_offset) ? Number(asked_offset) : 0;
  for (const [name, value] of Object.entries({ limit: most_lines, offset, longest })) query.set(name, String(value));
  const [found, neighbours] = await Promise.all([
    call(fetch, 'GET /chats/{id}', { params: { id }, query }),
    account ? readNeighbours(fetch, id, url.searchParams, { account, metrics }) : null,
  ]);
  if (found.kind === 'refused' && found.status === 404) error(404, chatWords.missing);
  if (found.kind !== 'answered') error(503, words.failure.api);
  const { answer } = found;
  if (offset > 0 && offset >= answer.total_lines) redirect(307, samePage(url, { offset: undefined }));
  return { ...answer, offset, timezone, whole, neighbours };
};
