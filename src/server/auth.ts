// Users and tokens of a data folder, for the server and for commands.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { UserData } from '#api/user-data.ts';
import { actingAs } from '#auth/actor.ts';
import { openAuth, type Auth } from '#auth/auth.ts';
import { BadUser } from '#auth/errors.ts';
import { newPassword } from '#auth/passwords.ts';
import type { ResetLetter } from '#auth/password-reset.ts';
import { longest_name } from '#auth/user-shape.ts';
import type { Post } from '#digests/channels/smtp.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { clock } from './clock.ts';
import { readConfig, type Config } from './config.ts';
import { Stopped, stoppedBySqlite } from './errors.ts';
import { openFolder } from './folder.ts';
import { isLoopback } from './setting-values.ts';
import { complain } from './terminal.ts';
import { appStateFile, openAppState, withAppState } from './user-data/database.ts';
import { localUserData } from './user-data/local.ts';

/** What belongs to one person alone. */
function ownIn(state: DatabaseSync): Pick<UserData['views'], 'handOver' | 'forget'>[] {
  const { views, boards, queries, pins } = localUserData(state);
  return [views, boards, queries, pins];
}

/** Behind a trusted proxy browsers know the public address alone. */
export const urlOf = ({ host, port, proxies, public_url }: Config): string =>
  proxies.length > 0 && public_url !== null ? public_url : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

interface AuthAround {
  /** As it is set when one is sent. */
  mail?: () => Config['mail'];
  accounts?: () => readonly { id: string }[];
}

export const authIn = (
  state: DatabaseSync,
  config: Config,
  { mail = () => config.mail, accounts = () => config.accounts }: AuthAround = {},
): Auth =>
  openAuth(state, {
    url: urlOf(config),
    provider: config.provider,
    needsFactor: config.needs_factor,
    hasSharing: config.has_sharing,
    accounts: () => accounts().map(({ id }) => id),
    canSend: () => mail() !== null,
    send: (letter) => sendBy(mail(), letter),
    log: complain,
    clock: () => clock() * 1000,
    hooks: {
      // The first admin takes over the local user's data; data of a removed user is removed as well.
      onFirst: (id) => ownIn(state).forEach((it) => it.handOver(localReader.id, id)),
      onRemoved: (id) => ownIn(state).forEach((it) => it.forget(id)),
    },
  });

/** Sends one mail. Only then what sends is loaded: nearly all commands end without it. */
async function sendBy(post: Post | null, { to, subject, text }: ResetLetter): Promise<void> {
  if (!post) throw new Error('mail was switched off before it could be sent');
  const { builtFrom, handOver } = await import('#digests/channels/smtp.ts');
  const outcome = await handOver(await builtFrom({ from: post.from, to, subject, text }), post, to);
  if (outcome.kind !== 'sent') throw new Error(outcome.reason);
}

type Doorstep = Pick<Config, 'admin' | 'host' | 'public_url' | 'provider'>;

/**
 * Creates the first admin if there are no users: the one of CHATLEDGER_ADMIN_EMAIL, or one with a generated password if other machines
 * may connect. Returns a sentence if one was created. Errors: Stopped.
 */
export async function letFirstAdminIn(auth: Auth, doorstep: Doorstep): Promise<string | undefined> {
  const { admin, host, provider } = doorstep;
  if (auth.isLoginRequired()) return undefined;
  if (!admin) return isLoopback(host) || provider?.hasPasswords === false ? undefined : letGeneratedIn(auth, doorstep);
  try {
    await auth.addFirstAdmin({ ...admin, name: admin.email.slice(0, longest_name) });
  } catch (error) {
    if (error instanceof BadUser)
      throw new Stopped(`CHATLEDGER_ADMIN_${error.what === 'password' ? 'PASSWORD' : 'EMAIL'}: ${error.message}`);
    throw error;
  }
  return `${admin.email} is the first admin: everybody signs in from now on`;
}

/** Prevents anybody else from becoming the first user: the password is shown once and must be changed. */
async function letGeneratedIn(auth: Auth, { public_url }: Doorstep): Promise<string> {
  const [name, password] = ['admin', newPassword()];
  const ours = `${name}@${public_url === null ? '' : new URL(public_url).hostname}`;
  const email = z.email().safeParse(ours).success ? ours : `${name}@chatledger.invalid`;
  await auth.addFirstAdmin({ email, name, password }, { isGiven: true });
  return (
    `other machines may ask here, and there was no user: ${email} is the first admin, with the password ${password} ` +
    '(told this once; good for a week, and for choosing another)'
  );
}

/** Users and tokens for a command on the server itself; changes are recorded as made there. Errors: Stopped, also for invalid changes. */
export async function withAuth(work: (auth: Auth, config: Config) => void | Promise<void>): Promise<void> {
  const config = readConfig();
  const folder = openFolder(config.folder);
  const state = openAppState(folder.path);
  try {
    const auth = withAppState(folder.path, () => authIn(state, config));
    await actingAs({ who: 'command line', user: null, address: '' }, () => work(auth, config));
  } catch (error) {
    if (error instanceof BadUser) throw new Stopped(error.message);
    throw stoppedBySqlite(error, appStateFile(folder.path)) ?? error;
  } finally {
    state.close();
  }
}
