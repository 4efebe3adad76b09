// Browser sessions: created after sign-in, found by cookie, listed and ended.
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
  /** IP address and browser when the session began. */
  address: string;
  browser: string;
}

/** Where a user signs in from. */
export interface From {
  /** IP address. */
  address: string;
  browser: string;
}

export interface SignedIn {
  caller: Caller;
  /** Values for `set-cookie`. */
  cookies: readonly string[];
}

export interface Sessions {
  /** The caller to whom the request's cookies belong, or null. */
  bySession(cookies: string): Promise<Caller | null>;
  /** `about`: how the user signed in, for the audit. Errors: NotSignedIn, if the user no longer exists. */
  start(user: StoredUser, from: From, about?: string): Promise<SignedIn>;
  /** Cookies that clear the session in the browser. */
  signOut(cookies: string): Promise<readonly string[]>;
  /** Sessions of one user, newest first. */
  list(user: string): SessionRecord[];
  /** `about`: for the audit. Returns whether the session existed. */
  end(user: string, id: string, about: string): boolean;
  /** Clears the cache because a user has changed. */
  forget(): void;
  /** Calls `work` whenever a session may have ended or a user has changed; the returned function stops that. */
  whenForgotten(work: () => void): () => void;
}

/** Maximum age of a session, however often it is used. */
const longest_ms = 30 * 86_400_000;

/** How long a session stays cached; changes by this process take effect at once. */
const cached_ms = 2000;

interface SessionMeans {
  users: Pick<UserStore, 'find'>;
  /** What a user must do before anything else. */
  owedBy: (user: string) => Owed | undefined;
  audit: Audit;
  /** Public URL of the program. */
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
  /** Incremented when the cache becomes invalid; also invalidates lookups in progress. */
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
      if (isRefusal(error)) return null; // it ended during the lookup
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
      // TRICKY: the library does not report failed writes, and signing out must never fail silently.
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

/** The cookie gets the longest lifetime that browsers allow: the server decides when a session ends, by its last use. */
const lasting = (cookie: string): string => cookie.replace(/Max-Age=\d+/i, 'Max-Age=34560000');

/** The library's answer for missing rights; any other error is a failure of the program. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && (error.statusCode === 401 || error.statusCode === 400);
