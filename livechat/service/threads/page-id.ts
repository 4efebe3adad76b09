// The opaque id of a page: it encodes the first request's filters and the thread at which the page begins, so the service stores no
// state.
import { z } from 'zod';
import { highlights, threadFilters } from '#contract/list-archives.ts';
import { refuse } from '../refusals.ts';

const lifetime = 30 * 86_400;

const page = z.object({
  filters: threadFilters,
  sort_order: z.enum(['asc', 'desc']),
  limit: z.int(),
  highlights: highlights.optional(),
  /** Start and id of the thread adjacent to the page, which is not on it. */
  beside: z.tuple([z.int(), z.string()]),
  /** The page lies before that thread. */
  is_before: z.boolean(),
  issued: z.int(),
});
export type PageCursor = z.infer<typeof page>;

export const pageIdOf = (content: PageCursor): string => Buffer.from(JSON.stringify(content)).toString('base64url');

/** @throws Refusal for an id that is invalid or older than a month. `now` is in Unix seconds. */
export function pageOf(page_id: string, now: number): PageCursor {
  const parsed = page.safeParse(contentOf(page_id));
  if (!parsed.success) throw refuse.v3('validation', '`page_id` is not one that was given');
  if (parsed.data.issued + lifetime < now) throw refuse.v3('validation', '`page_id` has expired');
  return parsed.data;
}

function contentOf(page_id: string): unknown {
  try {
    return JSON.parse(Buffer.from(page_id, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
