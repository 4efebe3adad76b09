// Asks for one digest with its history; `new` is one that is not kept yet.
import { error } from '@sveltejs/kit';
import { blankDigest, type Digest, type Send } from '#lib/digests/digests.ts';
import { digestWords } from '#lib/digests/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, params, parent }) => {
  const { account } = await parent();
  if (params.id === 'new') return { digest: blankDigest(account?.timezone ?? 'UTC'), sends: [] as Send[], isNew: true };
  const response = await fetch(`/api/digests/${encodeURIComponent(params.id)}`);
  if (!response.ok) error(response.status === 404 ? 404 : 503, digestWords.failedToLoad);
  const { digest, sends } = (await response.json()) as { digest: Digest; sends: Send[] };
  return { digest, sends, isNew: false };
};
