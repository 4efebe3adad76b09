// Asks which digests there are, when they are due next and what became of the last ones.
import { read } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => ({
  list: await read(fetch, 'GET /digests').catch(() => null),
});
