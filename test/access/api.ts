// An API with users, asked as whoever has a cookie or a token; its clock can be put forward.
import { DatabaseSync } from 'node:sqlite';
import type { ApiDeps } from '#api/deps.ts';
import { openAuth, type Auth } from '#auth/auth.ts';
import type { Rows } from '#auth/caller.ts';
import type { Right, Role } from '#auth/rights.ts';
import { userFrom } from '#auth/user-shape.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { promisedApi } from '../api/promised-api.ts';

export const password = 'correct horse battery staple';

export interface Doors {
  auth: Auth;
  deps: ApiDeps;
  ask(path: string, headers?: Record<string, string>, init?: { method?: string; body?: unknown }): Promise<Response>;
  /** Makes a user with a session, as if signed in: only who signs in pays for the password. The cookie as a browser sends it back. */
  userWith(
    role: Role,
    about?: { rows?: Rows; extra_rights?: Right[]; name?: string },
  ): Promise<{ id: string; cookie: string }>;
  signIn(email: string, secret?: string): Promise<Response>;
  /** Milliseconds. */
  forward(by: number): void;
  now(): number;
}

const sentBack = (cookies: readonly string[]): string => cookies.map((cookie) => cookie.split(';')[0]).join('; ');
export const cookieIn = (answer: Response): string => sentBack(answer.headers.getSetCookie());

export function openDoors(engine: Store | null, differs: Partial<ApiDeps> = {}): Doors {
  let now = Date.now();
  const auth =
    differs.auth ?? openAuth(new DatabaseSync(':memory:'), { url: 'http://127.0.0.1:3000', clock: () => now });
  const deps = apiDeps(engine, { ...differs, auth });
  const api = promisedApi(deps);
  const ask: Doors['ask'] = async (path, headers = {}, { method = 'GET', body } = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return api.request(`http://127.0.0.1:3000/api${path}`, { method, headers: { ...type, ...headers }, ...sent });
  };
  const signIn: Doors['signIn'] = (email, secret = password) =>
    ask('/sign-in', {}, { method: 'POST', body: { email, password: secret } });
  let count = 0;
  return {
    ...{ auth, deps, ask, signIn },
    async userWith(role, { rows = {}, extra_rights = [], name = `Person ${count}` } = {}) {
      const email = `person${(count += 1)}@example.com`;
      const user = await auth.users.add(userFrom({ email, name, role, extra_rights, rows }), password);
      const { cookies } = await auth.sessions.start(user, { address: '', browser: '' });
      return { id: user.id, cookie: sentBack(cookies) };
    },
    forward: (by) => (now += by),
    now: () => now,
  };
}
