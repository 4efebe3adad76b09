// Asks which digests there are, when they are due next and what became of the last ones.
import { read } from '#lib/api.ts';
import type { Listed } from '#lib/digests/digests.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch }) => ({
  list: await read<{ digests: Listed[]; can_mail: boolean }>(fetch, '/api/digests').catch(() => null),
});
