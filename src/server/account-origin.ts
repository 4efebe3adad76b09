// Where the chats of an account come from. The first start fixes it: simulated and real chats never stand in one account, nor those of two.
import { createHmac } from 'node:crypto';
import type { SourceAccount } from '#etl/source.ts';
import type { AccountConfig } from './configured-accounts.ts';
import type { Config } from './config.ts';
import { Stopped } from './errors.ts';
import type { Folder } from './folder.ts';

type Origin = 'simulated' | 'configured';

/** That of the chats that are there; before the first start, of those that will be. */
export function originOf(
  { id, remote }: Pick<AccountConfig, 'id' | 'remote'>,
  { state }: Pick<Folder, 'state'>,
): Origin {
  const { origins = {} } = state;
  const fixed = Object.hasOwn(origins, id) ? origins[id] : undefined;
  return fixed ?? (remote ? 'configured' : 'simulated');
}

/** @throws Stopped when the settings name an account where the folder has simulated chats, or the other way round. */
export function fixOrigins({ accounts }: Config, folder: Folder): void {
  for (const account of accounts) {
    const wanted: Origin = account.remote ? 'configured' : 'simulated';
    if (originOf(account, folder) !== wanted) throw new Stopped(sentences[wanted](account.id, folder.path));
  }
  const found = accounts.map((account) => [account.id, originOf(account, folder)] as const);
  if (found.some(([id]) => !Object.hasOwn(folder.state.origins ?? {}, id)))
    folder.keep(({ origins }) => ({ origins: { ...origins, ...Object.fromEntries(found) } }));
}

/** What is to be done when a pull has known the account again; undefined where it is asked as by the last one that did, or embedded. */
export function whenKnownAgain(source: SourceAccount, { accounts }: Config, folder: Folder): (() => void) | undefined {
  const { id, base_url, authorization } = source;
  if (!accounts.some(({ id: each, remote }) => each === id && remote !== null)) return undefined;
  // Address and credentials, in a form that gives neither away.
  const key = folder.state.service_api_key;
  const asked = createHmac('sha256', key).update(`${base_url}\n${authorization}`).digest('base64url');
  const { asked: before = {} } = folder.state;
  if (Object.hasOwn(before, id) && before[id] === asked) return undefined;
  return () => folder.keep((stored) => ({ asked: { ...stored.asked, [id]: asked } }));
}

const sentences: Readonly<Record<Origin, (id: string, path: string) => string>> = {
  configured: (id, path) =>
    `${path} holds chats of the simulated account under the name ${id}: set CHATLEDGER_DATA to a new folder for the account of CHATLEDGER_BASE_URL`,
  simulated: (id, path) =>
    `${path} holds chats of a real account under the name ${id}, and no account is configured: set CHATLEDGER_BASE_URL and its credentials again, or CHATLEDGER_DATA to a new folder for a simulated account`,
};
