// Loads one report with its history; `new` is one that has not been saved yet.
import { error } from '@sveltejs/kit';
import type { Digest, DigestSend } from '#api/contract/digests.ts';
import { call, read } from '#lib/api.ts';
import { blankDigest } from '#lib/digests/digests.ts';
import { knownPeople } from '#lib/digests/people.ts';
import { readBoards } from '#lib/user-data.ts';
import { digestWords } from '#lib/digests/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, params, parent }) => {
  const { account, accounts, me } = await parent();
  // Each account has its own groups.
  const choices = accounts.length > 1 ? (await read(fetch, 'GET /accounts')).accounts : account ? [account] : [];
  const list = await read(fetch, 'GET /digests').catch(() => error(503, digestWords.failedToLoad));
  const { channels, can_mail: canMail, digests } = list;
  const boards = await readBoards(fetch);
  const around = { choices, channels, canMail, boards, people: await knownPeople(fetch, me, digests) };
  if (params.id === 'new') {
    const own = account && choices.length > 1 ? { account: account.id } : {};
    const digest: Digest = { ...blankDigest(account?.timezone ?? 'UTC'), ...own };
    return { ...around, digest, version: 0, next: null, sends: [] as DigestSend[], isNew: true };
  }
  const found = await call(fetch, 'GET /digests/{id}', { params: { id: params.id } });
  if (found.kind === 'refused' && found.status === 404) error(404, digestWords.missing);
  if (found.kind !== 'answered') error(503, digestWords.failedToLoad);
  const { digest, sends } = found.answer;
  const { version, next_at: next } = digest;
  return { ...around, digest: digest as Digest, version, next, sends, isNew: false };
};
