// Users and tokens of a data folder, for the server and for commands beside it.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { UserData } from '#api/user-data.ts';
import { openAuth, type Auth } from '#auth/auth.ts';
import { BadUser } from '#auth/errors.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { clock } from './clock.ts';
import type { Config } from './config.ts';
import { Stopped } from './errors.ts';
import type { Folder } from './folder.ts';
import { openAppState, withAppState } from './user-data/database.ts';
import { userDataIn } from './user-data/user-data.ts';

const viewsOf = (state: DatabaseSync): UserData['views'] =>
  userDataIn(state, { clock: () => clock() * 1000, id: randomUUID }).views;

/** Behind a trusted proxy browsers know the public address alone. */
export const authIn = (state: DatabaseSync, { host, port, proxies, public_url }: Config): Auth =>
  openAuth(state, {
    url:
      proxies.length > 0 && public_url !== null
        ? public_url
        : `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    clock: () => clock() * 1000,
    closed: (first) => viewsOf(state).handOver(localReader.id, first),
    removed: (id) => viewsOf(state).forget(id),
  });

const longest_name = 100;

/** The admin of CHATLEDGER_ADMIN_EMAIL, while there is no user; a sentence when one was made. Errors: Stopped. */
export async function letFirstAdminIn(auth: Auth, { admin }: Config): Promise<string | undefined> {
  if (!admin || auth.isClosed()) return undefined;
  try {
    await auth.begin({ ...admin, name: admin.email.slice(0, longest_name) });
  } catch (error) {
    if (error instanceof BadUser)
      throw new Stopped(`CHATLEDGER_ADMIN_${error.what === 'password' ? 'PASSWORD' : 'EMAIL'}: ${error.message}`);
    throw error;
  }
  return `${admin.email} is the first admin: everybody signs in from now on`;
}

/** Errors: Stopped, when the file cannot be used. */
export function openAuthIn(folder: Folder, config: Config): { auth: Auth; close: () => void } {
  const state = openAppState(folder.path);
  return { auth: withAppState(folder.path, () => authIn(state, config)), close: () => state.close() };
}
