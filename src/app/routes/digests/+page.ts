// Loads the digests with their next due times and last outcomes.
import { read } from '#lib/api.ts';
import { readBoards } from '#lib/user-data.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => {
  const [list, boards] = await Promise.all([read(fetch, 'GET /digests').catch(() => null), readBoards(fetch)]);
  return { list, boards };
};
