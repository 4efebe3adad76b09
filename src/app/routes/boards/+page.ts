// Loads the list of boards.
import { read } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => ({
  list: await read(fetch, 'GET /boards').catch(() => null),
});
