// Asks which boards there are.
import { read } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => ({
  list: await read(fetch, 'GET /boards').catch(() => null),
});
