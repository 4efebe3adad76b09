// What the API needs, for tests: a small account, with a clock that stands still.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ApiDeps } from '#api/deps.ts';
import { openAuth, type Auth } from '#auth/auth.ts';
import type { Caller } from '#auth/caller.ts';
import { rightNames, type Right } from '#auth/rights.ts';
import type { PublishedSnapshot } from '#warehouse/query/context.ts';
import type { Engine } from '#warehouse/engine.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import { second } from '../warehouse/account.ts';

export function apiDeps(engine: Engine | null, differs: Partial<ApiDeps> = {}): ApiDeps {
  const open = {
    snapshot: () => engine && { id: 's1', published_at: '2026-06-01T00:00:00.000Z', engine },
    snapshots: {
      list: () => Promise.resolve([]),
      lost: () => Promise.resolve(null),
      spare: () => Promise.resolve(0),
      open: () => Promise.reject(new Error('nothing is kept')),
      space: () => 10e9,
    },
    files: join(tmpdir(), 'chatledger-files'),
    userData: userData(),
    auth: openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now }),
    clock: () => second('2026-06-01T00:07:00Z') * 1000,
    accounts: () => [{ id: 'default', timezone: 'Europe/Warsaw', since: '2026-05-01' }],
    pull: () => ({ last_success_at: null, running: true, stage: 'fetch', done: 3, total: 9, pulled_since: null }),
    pulls: () => ({ running: [], ended: [] }),
    token: 'right-token',
    loopback: true,
    version: '0.1.0',
    log: () => undefined,
    ...differs,
  };
  return { publishedChats: () => 0, published: () => named(open.snapshot()), ...open };
}

/** Everybody has signed in, and may do everything (or what `rights` say) with the rows of the reader whom the cookies name. */
export function authOf(
  reader: (cookies: string) => Reader,
  user: Caller['user'] = null,
  rights: Iterable<Right> = rightNames,
): Auth {
  const auth = openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: Date.now });
  const bySession: Auth['sessions']['bySession'] = (cookies) => {
    const asking = reader(cookies);
    return Promise.resolve({
      ...{ reader: asking, role: user?.role ?? 'admin', rights: new Set(rights), user },
      actor: { who: 'somebody', user: null },
      ...(asking.rows?.agent === undefined ? {} : { agent: asking.rows.agent }),
    });
  };
  return { ...auth, isLoginRequired: () => true, sessions: { ...auth.sessions, bySession } };
}

const named = (snapshot: PublishedSnapshot | null): PublishedSnapshot | null =>
  snapshot && { id: snapshot.id, published_at: snapshot.published_at };

/** What readers keep, in memory; ids are counted. */
function userData() {
  let count = 0;
  const clock = () => second('2026-06-01T00:07:00Z') * 1000;
  return userDataIn(new DatabaseSync(':memory:'), { clock, id: () => `id-${++count}` });
}
