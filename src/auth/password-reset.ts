// A lost password: a link by mail that sets another, once and within an hour.
import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { placeOf } from './address.ts';
import type { Audit } from './audit.ts';
import { NotSignedIn } from './errors.ts';
import { consume } from './throttle.ts';
import type { UserStore } from './users.ts';

export interface ResetLetter {
  to: string;
  subject: string;
  text: string;
}

export interface PasswordReset {
  /** Sends a link if the address belongs to a user with a password; the caller cannot tell. Errors: TooOften. */
  ask(email: string, address: string): Promise<void>;
  /** Ends sessions and tokens. Errors: NotSignedIn, if the link is invalid; BadUser, if the password is rejected. */
  finish(key: string, password: string): Promise<void>;
}

const hour_ms = 3_600_000;
/** Limits per hour: for one IP address, and for one user. */
const ofPlace = { points: 20, duration: 3600 };
const ofUser = { points: 3, duration: 3600 };

export const passwordResetSchema = `
create table if not exists password_resets (
  hash text primary key, user text not null references users (id) on delete cascade, until text not null) strict;`;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

interface ResetMeans {
  users: UserStore;
  audit: Audit;
  /** Milliseconds. */
  clock: () => number;
  /** Where browsers reach the program. */
  url: string;
  /** Errors: if the mail was not accepted. */
  send: (letter: ResetLetter) => Promise<void>;
  log: (sentence: string) => void;
}

export function passwordReset(database: DatabaseSync, means: ResetMeans): PasswordReset {
  const { users, audit, clock, url, send, log } = means;
  const [places, asked] = [new RateLimiterMemory(ofPlace), new RateLimiterMemory(ofUser)];
  const statement = {
    add: database.prepare('insert into password_resets (hash, user, until) values (?, ?, ?)'),
    find: database.prepare('select user from password_resets where hash = ? and until > ?'),
    use: database.prepare('delete from password_resets where hash = ?'),
    purge: database.prepare('delete from password_resets where until <= ?'),
  };
  const at = (later = 0): string => new Date(clock() + later).toISOString();

  return {
    async ask(email, address) {
      await consume(places, placeOf(address));
      // Nobody waits for it: the answer takes as long for an address that nobody has.
      setImmediate(() => {
        void mail(email, address).catch((error: unknown) =>
          log(`a link for a new password was not sent: ${error instanceof Error ? error.message : String(error)}`),
        );
      });
    },
    async finish(key, password) {
      const id = statement.find.get(hashOf(key), at())?.user;
      if (typeof id !== 'string') throw new NotSignedIn(over);
      await users.assertGood(id, password);
      // Of two concurrent uses, only one succeeds.
      if (statement.use.run(hashOf(key)).changes === 0) throw new NotSignedIn(over);
      await users.setPassword(id, password, { andTokens: true });
    },
  };

  async function mail(email: string, address: string): Promise<void> {
    const user = users.byEmail(email);
    if (!user || users.hashOf(user.id) === undefined) return;
    // Strangers who request resets must not flood a user's mailbox.
    if (!(await asked.consume(user.id).catch(() => null))) return;
    const key = randomBytes(32).toString('base64url');
    statement.purge.run(at());
    statement.add.run(hashOf(key), user.id, at(hour_ms));
    audit.record({ action: 'password.asked', about: user.email, by: { who: 'nobody', user: null, address } });
    await send(letterFor(user.email, `${new URL('/sign-in/reset', url).href}#${key}`));
  }
}

const over = 'the link was used, or is older than an hour: ask for another on the page Sign in';

const letterFor = (to: string, link: string): ResetLetter => ({
  to,
  subject: 'A new password for Chatledger',
  text: [
    'Somebody asked for a new password for this address. If it was you, set it here, once and within an hour:',
    '',
    link,
    '',
    'It ends your sessions and tokens. If it was not you, nothing changes; no need to do anything.',
    '',
  ].join('\n'),
});
