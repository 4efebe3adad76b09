// Sessions of browsers: begun for somebody who has shown who they are, found by a cookie, listed and ended.
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { presentActor } from './actor.ts';
import type { Audit } from './audit.ts';
import { callerOf, type Caller, type Owed } from './caller.ts';
import { NotSignedIn } from './errors.ts';
import { address_header, cookieOf, loginLibrary, type LoginLibrary } from './login.ts';
import type { StoredUser, UserStore } from './users.ts';

interface SessionRecord {
  id: string;
  created_at: string;
  last_seen_at: string;
  /** Of the network and of the browser, as they were when it began. */
  address: string;
  browser: string;
}

/** Where somebody signs in from. */
export interface From {
  /** Of the network. */
  address: string;
  browser: string;
}

export interface SignedIn {
  caller: Caller;
  /** For `set-cookie`. */
  cookies: readonly string[];
}

export interface Sessions {
  /** Whose session the cookies of a request name; null: nobody's. */
  bySession(cookies: string): Promise<Caller | null>;
  /** `about`: for the audit, how they showed who they are. Errors: NotSignedIn, when the user is gone. */
  start(user: StoredUser, from: From, about?: string): Promise<SignedIn>;
  /** What a browser is to forget. */
  signOut(cookies: string): Promise<readonly string[]>;
  /** Of one user, the newest first. */
  list(user: string): SessionRecord[];
  /** `about`: for the audit. Whether there was one. */
  end(user: string, id: string, about: string): boolean;
  /** They are looked up again: a user has changed. */
  forget(): void;
  /** `work` is called whenever a session may have ended or a user has changed; what is given back ends that. */
  whenForgotten(work: () => void): () => void;
}

/** A session ends so long after it began, however often it is used. */
const longest_ms = 30 * 86_400_000;

/** A session that was looked up is trusted for so long; what this process changes counts at once. */
const cached_ms = 2000;

interface SessionMeans {
  users: Pick<UserStore, 'find'>;
  /** What a user has to do before anything else. */
  owedBy: (user: string) => Owed | undefined;
  audit: Audit;
  /** Where browsers reach the program. */
  url: string;
  /** Signs cookies. */
  secret: string;
  /** Milliseconds. */
  clock: () => number;
}

export function sessionsIn(
  database: DatabaseSync,
  { users, owedBy, audit, url, secret, clock }: SessionMeans,
): Sessions {
  let loading: Promise<LoginLibrary> | undefined;
  const library = (): Promise<LoginLibrary> =>
    (loading ??= loginLibrary({ database, url, secret }).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const cached = new LRUCache<string, { caller: Caller | null }>({ max: 1000, ttl: cached_ms });
  /** Grows when what is cached must be looked up again, also what is being looked up. */
  let generation = 0;
  const cookie = new RegExp(`(?:^|; *)${cookieOf(url)}=([^;]+)`);
  const statement = {
    list: database.prepare(
      'select * from sessions where "userId" = ? and "expiresAt" > ? and "createdAt" > ? order by "updatedAt" desc limit 500',
    ),
    end: database.prepare('delete from sessions where id = ? and "userId" = ?'),
    purge: database.prepare('delete from sessions where "expiresAt" <= ? or "createdAt" <= ?'),
  };
  const at = (later = 0): string => new Date(clock() + later).toISOString();
  const listening = new Set<() => void>();
  const forget = (): void => {
    generation += 1;
    cached.clear();
    for (const work of listening) work();
  };

  async function bySession(cookies: string): Promise<Caller | null> {
    const key = cookie.exec(cookies)?.[1];
    if (key === undefined) return null;
    const seen = cached.get(key);
    if (seen) return seen.caller;
    const started = generation;
    const { api } = await library();
    const found = await api.getSession({ headers: new Headers({ cookie: cookies }) }).catch((error: unknown) => {
      if (isRefusal(error)) return null; // it ended while it was looked at
      throw error;
    });
    const isOver = found !== null && found.session.createdAt.getTime() + longest_ms <= clock();
    const user = found && !isOver && users.find(found.user.id);
    const caller = user ? callerOf(user, found.session.id, owedBy(user.id)) : null;
    if (started === generation) cached.set(key, { caller });
    return caller;
  }

  return {
    bySession,
    forget,
    whenForgotten(work) {
      listening.add(work);
      return () => void listening.delete(work);
    },
    async start(user, from, about) {
      const { api } = await library();
      const headers = new Headers({ [address_header]: from.address, 'user-agent': from.browser });
      const { headers: answer, response } = await api
        .startSession({ body: { user: user.id }, headers, returnHeaders: true })
        .catch((error: unknown) => {
          if (isRefusal(error)) throw new NotSignedIn('you may not sign in any more');
          throw error;
        });
      statement.purge.run(at(), at(-longest_ms));
      const by = { who: user.email, user: user.id, address: from.address };
      audit.record({ action: 'session.started', about: about ? `${about}; ${from.browser}` : from.browser, by });
      return { caller: callerOf(user, response.session, owedBy(user.id)), cookies: answer.getSetCookie().map(lasting) };
    },
    async signOut(cookies) {
      const { api } = await library();
      const caller = await bySession(cookies);
      // TRICKY: the library says nothing when it cannot write, and whoever signs out must be out.
      if (caller?.session && caller.user) {
        statement.end.run(caller.session, caller.user.id);
        const by = { ...caller.actor, address: presentActor().address };
        audit.record({ action: 'session.ended', about: 'signed out', by });
      }
      const { headers } = await api.signOut({ headers: new Headers({ cookie: cookies }), returnHeaders: true });
      forget();
      return headers.getSetCookie();
    },
    list: (user) =>
      statement.list.all(user, at(), at(-longest_ms)).map((row) => ({
        ...{ id: String(row.id), address: String(row.ipAddress ?? ''), browser: String(row.userAgent ?? '') },
        created_at: new Date(String(row.createdAt)).toISOString(),
        last_seen_at: new Date(String(row.updatedAt)).toISOString(),
      })),
    end(user, id, about) {
      const isEnded = statement.end.run(id, user).changes > 0;
      forget();
      if (isEnded) audit.record({ action: 'session.ended', about });
      return isEnded;
    },
  };
}

/** The browser keeps a cookie as long as it may: when a session ends is known here, by the last visit. */
const lasting = (cookie: string): string => cookie.replace(/Max-Age=\d+/i, 'Max-Age=34560000');

/** The library's answer to who has no right; anything else is a failure of the program. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && (error.statusCode === 401 || error.statusCode === 400);
