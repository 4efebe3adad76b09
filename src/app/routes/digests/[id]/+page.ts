// Asks for one digest with its history; `new` is one that is not kept yet.
import { error } from '@sveltejs/kit';
import { read, type Account } from '#lib/api.ts';
import { blankDigest, type Digest, type Send } from '#lib/digests/digests.ts';
import { digestWords } from '#lib/digests/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, params, parent }) => {
  const { account, accounts } = await parent();
  // Each account has groups of its own.
  const choices =
    accounts.length > 1
      ? (await read<{ accounts: Account[] }>(fetch, '/api/accounts')).accounts
      : account
        ? [account]
        : [];
  if (params.id === 'new') {
    const own = account && choices.length > 1 ? { account: account.id } : {};
    const digest: Digest = { ...blankDigest(account?.timezone ?? 'UTC'), ...own };
    return { digest, sends: [] as Send[], isNew: true, choices };
  }
  const response = await fetch(`/api/digests/${encodeURIComponent(params.id)}`);
  if (!response.ok) error(response.status === 404 ? 404 : 503, digestWords.failedToLoad);
  const { digest, sends } = (await response.json()) as { digest: Digest; sends: Send[] };
  return { digest, sends, isNew: false, choices };
};
