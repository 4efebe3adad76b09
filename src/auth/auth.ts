// Who may come in: users, sessions and tokens in one file, and who sends a request.
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { callerOf, callerWithToken, type Caller } from './caller.ts';
import { placeOf } from './address.ts';
import { BadUser, NotSignedIn } from './errors.ts';
import { address_header, cookieOf, loginLibrary, type LoginLibrary } from './login.ts';
import { isPassword } from './passwords.ts';
import { schema } from './schema.ts';
import { Throttle } from './throttle.ts';
import { tokensIn, type TokenStore } from './tokens.ts';
import { usersIn, written, type User, type UserStore } from './users.ts';

export interface Session {
  id: string;
  created_at: string;
  last_seen_at: string;
  /** Of the network and of the browser, as they were when it began. */
  address: string;
  browser: string;
}

export interface SignIn {
  email: string;
  password: string;
  /** Of the network. */
  address: string;
  browser: string;
}

export interface SignedIn {
  caller: Caller;
  /** For `set-cookie`. */
  cookies: readonly string[];
}

export interface Auth {
  users: UserStore;
  tokens: TokenStore;
  /** Everybody has to sign in. */
  isClosed(): boolean;
  /** Whose session the cookies of a request name; null: nobody's. */
  bySession(cookies: string): Promise<Caller | null>;
  byToken(secret: string): Caller | null;
  /** Errors: NotSignedIn, TooOften. */
  signIn(attempt: SignIn): Promise<SignedIn>;
  /** What a browser is to forget. */
  signOut(cookies: string): Promise<readonly string[]>;
  /** The first admin, while there is nobody. Errors: BadUser. */
  begin(who: { email: string; name: string; password: string }): Promise<User>;
  /** The newest first. */
  sessions(user: string): Session[];
  /** Whether there was one. */
  endSession(user: string, id: string): boolean;
  /** Ends all other sessions. Errors: BadUser, NotSignedIn, TooOften. */
  changePassword(user: string, attempt: Omit<SignIn, 'email'> & { next: string }): Promise<SignedIn>;
}

/** A session that was looked at is believed for so long; what this process changes counts at once. */
const believed_ms = 2000;

export interface AuthMeans {
  /** Where browsers reach the program. */
  url: string;
  /** Milliseconds. */
  clock: () => number;
  /** The first user was made: what the owner of the open machine kept belongs to them. */
  closed?: (first: string) => void;
  /** A user was removed: what belongs to them alone goes too. */
  removed?: (id: string) => void;
}

export function openAuth(
  database: DatabaseSync,
  { url, clock, closed = () => undefined, removed = () => undefined }: AuthMeans,
): Auth {
  database.exec(`pragma foreign_keys = on;${schema}`);
  let loading: Promise<LoginLibrary> | undefined;
  const library = (): Promise<LoginLibrary> =>
    (loading ??= loginLibrary({ database, url, secret: secretIn(database) }).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const believed = new LRUCache<string, { caller: Caller | null }>({ max: 1000, ttl: believed_ms });
  /** Another one when what was believed must be looked at again. */
  let age = 0;
  const forget = (): void => {
    age += 1;
    believed.clear();
  };
  const users = forgetting(usersIn(database, { closed, removed }), forget);
  const tokens = tokensIn(database, users, clock);
  const throttle = new Throttle();
  const cookie = new RegExp(`(?:^|; *)${cookieOf(url)}=([^;]+)`);
  const statement = {
    isKnown: database.prepare('select 1 from known_places join users on users.id = user where email = ? and place = ?'),
    know: database.prepare(
      'insert into known_places (user, place, seen_at) values (?, ?, ?) on conflict do update set seen_at = excluded.seen_at',
    ),
    sessions: database.prepare(
      'select * from sessions where "userId" = ? and "expiresAt" > ? order by "updatedAt" desc limit 500',
    ),
    hash: database.prepare('select password from logins join users on users.id = "userId" where email = ?'),
    end: database.prepare('delete from sessions where id = ? and "userId" = ?'),
    endToken: database.prepare('delete from sessions where token = ?'),
    purge: database.prepare('delete from sessions where "expiresAt" <= ?'),
  };
  const at = (): string => new Date(clock()).toISOString();

  async function bySession(cookies: string): Promise<Caller | null> {
    const key = cookie.exec(cookies)?.[1];
    if (key === undefined) return null;
    const seen = believed.get(key);
    if (seen) return seen.caller;
    const young = age;
    const { api } = await library();
    const found = await api.getSession({ headers: new Headers({ cookie: cookies }) }).catch((error: unknown) => {
      if (isRefusal(error)) return null; // it ended while it was looked at
      throw error;
    });
    const user = found && users.find(found.user.id);
    const caller = user ? callerOf(user, found.session.id) : null;
    if (young === age) believed.set(key, { caller });
    return caller;
  }

  /** A session for whoever has the password; nothing is counted. Errors: NotSignedIn. */
  async function enter({ email, password, address, browser }: SignIn): Promise<SignedIn> {
    const { api } = await library();
    const before = hashFor(email);
    const headers = new Headers({ [address_header]: address, 'user-agent': browser });
    const signed = await api
      .signInEmail({ body: { email, password }, headers, returnHeaders: true })
      .catch((error: unknown) => {
        if (isRefusal(error)) throw new NotSignedIn(wrong);
        throw error;
      });
    // Another password was set while the old one was looked at.
    if (hashFor(email) !== before) {
      statement.endToken.run(signed.response.token);
      throw new NotSignedIn(wrong);
    }
    statement.purge.run(at());
    return { caller: callerOf(users.named(email)), cookies: signed.headers.getSetCookie().map(lasting) };
  }
  const hashFor = (email: string): unknown => statement.hash.get(email)?.password;

  /** Counts before `work` looks at a password. Errors: TooOften, and those of `work`. */
  async function counted<T>({ email, address }: Pick<SignIn, 'email' | 'address'>, work: () => Promise<T>): Promise<T> {
    const place = placeOf(address);
    const attempt = { email, place, isKnownPlace: statement.isKnown.get(email, place) !== undefined };
    await throttle.begin(attempt);
    const done = await work();
    await throttle.succeed(attempt);
    statement.know.run(users.named(email).id, place, at());
    return done;
  }

  return {
    ...{ users, tokens, bySession },
    isClosed: users.isAny,
    byToken(secret) {
      const found = tokens.find(secret);
      return found ? callerWithToken(found.maker, found.token) : null;
    },
    signIn(attempt) {
      const email = attempt.email.trim().toLowerCase();
      return counted({ ...attempt, email }, () => enter({ ...attempt, email }));
    },
    async signOut(cookies) {
      const { api } = await library();
      const caller = await bySession(cookies);
      // TRICKY: the library says nothing when it cannot write, and whoever signs out must be out.
      if (caller?.session && caller.user) statement.end.run(caller.session, caller.user.id);
      const { headers } = await api.signOut({ headers: new Headers({ cookie: cookies }), returnHeaders: true });
      forget();
      return headers.getSetCookie();
    },
    begin: async ({ email, name, password }) =>
      users.add(written.parse({ email, name, role: 'admin' }), password, { isFirst: true }),
    sessions: (user) =>
      statement.sessions.all(user, at()).map((row) => ({
        ...{ id: String(row.id), address: String(row.ipAddress ?? ''), browser: String(row.userAgent ?? '') },
        created_at: new Date(String(row.createdAt)).toISOString(),
        last_seen_at: new Date(String(row.updatedAt)).toISOString(),
      })),
    endSession(user, id) {
      const isEnded = statement.end.run(id, user).changes > 0;
      forget();
      return isEnded;
    },
    async changePassword(id, { password, next, ...from }) {
      const user = users.find(id);
      if (!user) throw new BadUser('id', `there is no user ${id}`);
      await users.assertGood(id, next);
      const before = users.hashOf(id) ?? '';
      await counted({ email: user.email, address: from.address }, async () => {
        if (!(await isPassword(before, password))) throw new NotSignedIn('the present password is wrong');
      });
      await users.setPassword(id, next, { instead: before });
      return enter({ email: user.email, password: next, ...from });
    },
  };
}

const wrong = 'the e-mail address or the password is wrong';

/** The browser keeps a cookie as long as it may: when a session ends is known here, by the last visit. */
const lasting = (cookie: string): string => cookie.replace(/Max-Age=\d+/i, 'Max-Age=34560000');

/** The library's answer to who has no right; anything else is a failure of the program. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && (error.statusCode === 401 || error.statusCode === 400);

/** What is believed of sessions is forgotten when a user changes. */
function forgetting(users: UserStore, forget: () => void): UserStore {
  return {
    ...users,
    change(id, user) {
      const changed = users.change(id, user);
      forget();
      return changed;
    },
    async setPassword(id, password, how) {
      await users.setPassword(id, password, how);
      forget();
    },
    remove(id) {
      users.remove(id);
      forget();
    },
  };
}

/** What signs the cookies of this folder, made once. */
function secretIn(database: DatabaseSync): string {
  database.exec('create table if not exists auth_secrets (name text primary key, value text not null) strict');
  database
    .prepare("insert into auth_secrets (name, value) values ('cookies', ?) on conflict do nothing")
    .run(randomBytes(32).toString('base64url'));
  return String(database.prepare("select value from auth_secrets where name = 'cookies'").get()?.value);
}
