// Loads the audit entries that the address selects.
import { call } from '#lib/api.ts';
import type { PageLoad } from './$types.js';

const names = ['action', 'who', 'from', 'to'] as const;

export const load: PageLoad = async ({ fetch, url }) => {
  const chosen = Object.fromEntries(names.map((name) => [name, url.searchParams.get(name) ?? '']));
  const filter = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''));
  const before = url.searchParams.get('before');
  const found = await call(fetch, 'GET /audit', { query: { ...filter, ...(before === null ? {} : { before }) } });
  return {
    chosen: chosen as Record<(typeof names)[number], string>,
    filter: new URLSearchParams(filter).toString(),
    isLater: before !== null,
    ...(found.kind === 'answered' ? { found: found.answer } : { found: null, problem: found.message }),
  };
};
