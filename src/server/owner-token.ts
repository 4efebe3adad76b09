// A bearer token for the embedded account's owner, created once and stored with the folder's state.
import { existsSync } from 'node:fs';
import { openStore } from '#service/store.ts';
import { findToken, mintToken } from '#service/tokens.ts';
import type { Config } from './config.ts';
import type { Folder } from './folder.ts';

/** Nothing before the embedded account exists. `now` in Unix seconds. */
export function ownerToken({ service }: Config, folder: Folder, now: number): string | undefined {
  if (!existsSync(folder.service)) return undefined;
  const store = openStore(folder.service);
  try {
    const kept = folder.state.service_token;
    if (kept !== undefined && findToken(store, kept, now)?.agent === service.login) return kept;
    const token = mintToken(store, { agent: service.login, scopes: ['chats--all:ro'] }, now);
    folder.keep(() => ({ service_token: token }));
    return token;
  } finally {
    store.close();
  }
}
