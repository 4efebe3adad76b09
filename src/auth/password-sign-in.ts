// Signing in with an e-mail address and a password, plus the code of the second factor if enabled.
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { placeOf } from './address.ts';
import type { Audit } from './audit.ts';
import { BadUser, CodeNeeded, NotSignedIn, TooOften } from './errors.ts';
import { hashed, isPassword } from './passwords.ts';
import type { SecondFactor } from './second-factor.ts';
import type { From, Sessions, SignedIn } from './sessions.ts';
import { Throttle } from './throttle.ts';
import type { StoredUser, UserStore } from './users.ts';

interface SignIn extends From {
  email: string;
  password: string;
  /** Code of the second factor, or a recovery code. */
  code?: string | undefined;
}

export interface PasswordSignIn {
  /** Errors: NotSignedIn, CodeNeeded, TooOften. */
  signIn(attempt: SignIn): Promise<SignedIn>;
  /** Ends all other sessions. Errors: BadUser, NotSignedIn, TooOften. */
  changePassword(user: string, attempt: Omit<SignIn, 'email' | 'code'> & { next: string }): Promise<SignedIn>;
  /** Verifies a user's password. Errors: NotSignedIn, TooOften. */
  assertPassword(user: StoredUser, password: string, address: string): Promise<void>;
  /** Lets a user sign in once with a password within an hour, although that is switched off. */
  allowOnce(user: string): void;
}

interface PasswordMeans {
  users: UserStore;
  sessions: Sessions;
  secondFactor: SecondFactor;
  audit: Audit;
  /** Milliseconds. */
  clock: () => number;
  /** Why nobody signs in with a password; null: everybody may. */
  switchedOff: string | null;
}

const wrong = 'the e-mail address or the password is wrong';
const hour = 3_600_000;

export const passwordSignInSchema = `
create table if not exists known_places (
  user text not null references users (id) on delete cascade, place text not null, seen_at text not null,
  primary key (user, place)) strict;
create table if not exists allowed_once (
  user text primary key references users (id) on delete cascade, until text not null) strict;`;

export function passwordSignIn(database: DatabaseSync, means: PasswordMeans): PasswordSignIn {
  const { users, sessions, secondFactor, audit, clock, switchedOff } = means;
  const throttle = new Throttle();
  const statement = {
    isKnown: database.prepare('select 1 from known_places where user = ? and place = ?'),
    know: database.prepare(
      'insert into known_places (user, place, seen_at) values (?, ?, ?) on conflict do update set seen_at = excluded.seen_at',
    ),
    allow: database.prepare(
      'insert into allowed_once (user, until) values (?, ?) on conflict do update set until = excluded.until',
    ),
    isAllowed: database.prepare('select 1 from allowed_once where user = ? and until > ?'),
    use: database.prepare('delete from allowed_once where user = ?'),
  };
  const at = (later = 0): string => new Date(clock() + later).toISOString();
  /** Compared with the password of unknown users, so that they take as long as known ones. */
  let decoy: Promise<string> | undefined;
  const nobodys = (): Promise<string> => (decoy ??= hashed(randomBytes(16).toString('hex')));

  /** Counts before `work` looks at a password or a code. Errors: TooOften, and those of `work`. */
  async function throttled<T>(
    email: string,
    address: string,
    work: (user: StoredUser | undefined) => Promise<T>,
  ): Promise<T> {
    const [user, place] = [users.byEmail(email), placeOf(address)];
    const isKnownPlace = user !== undefined && statement.isKnown.get(user.id, place) !== undefined;
    const attempt = { email, hash: user && users.hashOf(user.id), place, isKnownPlace };
    try {
      await throttle.begin(attempt);
      const done = await work(user);
      await throttle.succeed(attempt);
      if (user) statement.know.run(user.id, place, at());
      return done;
    } catch (error) {
      if (error instanceof CodeNeeded) await throttle.undo(attempt);
      else if (error instanceof NotSignedIn || error instanceof TooOften) recordRefusal(user, address, error);
      throw error;
    }
  }

  /** Throttled attempts are recorded once in ten minutes, so that an attacker cannot fill the disk. */
  function recordRefusal(user: StoredUser | undefined, address: string, error: NotSignedIn | TooOften): void {
    const key = `${user?.id ?? ''} ${placeOf(address)}`;
    if (error instanceof TooOften && refusedLately.has(key)) return;
    if (error instanceof TooOften) refusedLately.set(key, true);
    // A text that is not a known address may be a password.
    const by = { who: user?.email ?? 'nobody', user: null, address };
    const about = !user ? 'unknown e-mail address' : error.message === wrong ? 'wrong password' : error.message;
    audit.record({ action: 'session.refused', about, is_refused: true, by });
  }
  const refusedLately = new LRUCache<string, true>({ max: 10_000, ttl: 600_000 });

  /** Errors: NotSignedIn. */
  async function assertHash(hash: string | undefined, password: string, words: string): Promise<void> {
    const isRight = await isPassword(hash ?? (await nobodys()), password);
    if (!isRight || hash === undefined) throw new NotSignedIn(words);
  }

  async function assertPassword(user: StoredUser, password: string, address: string): Promise<void> {
    await throttled(user.email, address, () =>
      assertHash(users.hashOf(user.id), password, 'the present password is wrong'),
    );
  }

  return {
    assertPassword,
    allowOnce: (user) => void statement.allow.run(user, at(hour)),
    signIn({ email: written, password, code, ...from }) {
      const email = written.trim().toLowerCase();
      return throttled(email, from.address, async (user) => {
        const hash = user && users.hashOf(user.id);
        await assertHash(hash, password, wrong);
        if (!user) throw new NotSignedIn(wrong);
        if (switchedOff !== null && !statement.isAllowed.get(user.id, at())) throw new NotSignedIn(switchedOff);
        const until = users.givenUntil(user.id);
        if (until !== undefined && until <= at())
          throw new NotSignedIn('the password that you were given has expired: ask for another');
        const hasFactor = secondFactor.isOn(user.id);
        if (hasFactor && !code) throw new CodeNeeded();
        if (hasFactor && code && !secondFactor.take(user.id, code))
          throw new NotSignedIn('the code is wrong or was used: take the next one');
        // Of two concurrent uses, only one succeeds.
        if (switchedOff !== null && statement.use.run(user.id).changes === 0) throw new NotSignedIn(switchedOff);
        const signed = await sessions.start(user, from);
        // The password was changed while the old one was being verified.
        if (users.hashOf(user.id) !== hash) {
          sessions.end(user.id, signed.caller.session ?? '', 'another password was set meanwhile');
          throw new NotSignedIn(wrong);
        }
        return signed;
      });
    },
    async changePassword(id, { password, next, ...from }) {
      const user = users.find(id);
      if (!user) throw new BadUser('id', `there is no user ${id}`);
      await users.assertGood(id, next);
      const instead = users.hashOf(id) ?? '';
      await assertPassword(user, password, from.address);
      await users.setPassword(id, next, { instead });
      return sessions.start(user, from, 'with another password');
    },
  };
}
