// Signing in and out, one's own sessions and tokens, and users for those who may let others in.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { ZodError } from 'zod';
import type { Auth, SignedIn } from '#auth/auth.ts';
import type { Caller, Rows } from '#auth/caller.ts';
import { BadUser, NotSignedIn, TooOften } from '#auth/errors.ts';
import { newPassword } from '#auth/passwords.ts';
import { givable, roleNames, roles } from '#auth/rights.ts';
import { written, type User, type Written } from '#auth/users.ts';
import { callerIn } from './context.ts';
import { presetReader } from './guard.ts';
import {
  addToken,
  addUser,
  changePassword,
  changeUser,
  endSession,
  getMe,
  listSessions,
  listTokens,
  listUsers,
  makeFirstAdmin,
  removeToken,
  removeUser,
  resetPassword,
  signIn,
  signOut,
  type Me,
} from './contract/auth.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf } from './written.ts';

/** Of the network: who holds the other end of the connection, or of that of a trusted proxy. */
function addressIn(c: Context, { proxies }: ApiDeps): string {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  if (!incoming) return 'unknown';
  return proxies?.clientOf(incoming) ?? incoming.socket.remoteAddress ?? 'unknown';
}
const browserIn = (c: Context): string => (c.req.header('user-agent') ?? '').slice(0, 200);

const meOf = (caller: Caller | null, is_closed: boolean): Me => {
  const { accounts, groups, agent } = caller?.reader.rows ?? {};
  const rows = {
    ...(accounts ? { accounts: [...accounts] } : {}),
    ...(groups ? { groups: [...groups] } : {}),
    ...(agent === undefined ? {} : { agent }),
  };
  return {
    ...{ is_closed, user: caller?.user ?? null, rights: [...(caller?.rights ?? [])] },
    rows: Object.keys(rows).length > 0 ? rows : null,
  };
};

/** What room auth refuses, as an answer. */
function told(error: unknown): never {
  if (error instanceof BadUser)
    throw new Declined(error.what === 'id' ? 'not_found' : 'bad_request', `${error.what}: ${error.message}`);
  if (error instanceof NotSignedIn) throw new Declined('unauthorized', error.message);
  if (error instanceof TooOften) throw new Declined('too_many', error.message, [], error.retry_after);
  if (error instanceof ZodError)
    throw new Declined(
      'bad_request',
      error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    );
  throw error;
}

function answerSignedIn(c: Context, { caller, cookies }: SignedIn): Response {
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
  return c.json<AnswerOf<typeof signIn>>(meOf(caller, true));
}

/** The signed-in user. Errors: Declined, to a token and to the owner of an open machine. */
function userIn(c: Context): { id: string; session?: string } {
  const { user, session } = callerIn(c);
  if (!user) throw new Declined('forbidden', 'this is for somebody who has signed in, not for a token');
  return { id: user.id, ...(session === undefined ? {} : { session }) };
}

export function addAuth(app: Hono, deps: ApiDeps): void {
  const { auth } = deps;
  app.get(getMe.path, (c) => {
    const caller = c.get('caller');
    return c.json<AnswerOf<typeof getMe>>(meOf(caller, auth.isClosed()));
  });

  app.post(signIn.path, async (c) => {
    const { email, password } = await bodyOf(c, signIn.body);
    if (!auth.isClosed()) throw new Declined('unauthorized', 'there are no users here: nobody has to sign in');
    const signed = await auth
      .signIn({ email, password, address: addressIn(c, deps), browser: browserIn(c) })
      .catch(told);
    return answerSignedIn(c, signed);
  });

  app.post(signOut.path, async (c) => {
    for (const cookie of await auth.signOut(c.req.header('cookie') ?? ''))
      c.header('set-cookie', cookie, { append: true });
    return c.body(null, 204);
  });

  app.post(makeFirstAdmin.path, async (c) => {
    const { email, name, password } = await bodyOf(c, makeFirstAdmin.body);
    if (auth.isClosed()) throw new Declined('conflict', 'there are users already: one of the admins lets others in');
    await auth.begin({ email, name, password }).catch(told);
    return answerSignedIn(
      c,
      await auth.signIn({ email, password, address: addressIn(c, deps), browser: browserIn(c) }),
    );
  });

  app.put(changePassword.path, async (c) => {
    const { password, next } = await bodyOf(c, changePassword.body);
    const about = { password, next, address: addressIn(c, deps), browser: browserIn(c) };
    const { cookies } = await auth.changePassword(userIn(c).id, about).catch(told);
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
    return c.body(null, 204);
  });

  app.get(listSessions.path, (c) => {
    const { id, session } = userIn(c);
    const sessions = auth.sessions(id);
    return c.json<AnswerOf<typeof listSessions>>({
      sessions: sessions.map((one) => ({ ...one, is_this: one.id === session })),
    });
  });

  app.delete(routed(endSession), (c) => {
    if (!auth.endSession(userIn(c).id, c.req.param('id'))) throw new Declined('not_found', 'you have no such session');
    return c.body(null, 204);
  });

  addUsers(app, deps);
  addTokens(app, auth);
}

const plain = ({ id, email, name, role, given, rows, created_at, last_seen_at }: User) => ({
  ...{ id, email, name, role, given: [...given], created_at, last_seen_at },
  rows: plainRows(rows),
});

const plainRows = ({ accounts, groups, agent }: Rows) => ({
  ...(accounts ? { accounts: [...accounts] } : {}),
  ...(groups ? { groups: [...groups] } : {}),
  ...(agent === undefined ? {} : { agent }),
});

function addUsers(app: Hono, { auth: { users }, accounts }: ApiDeps): void {
  /** Ids of groups are those of an account: where there are several, a limit to groups says whose. */
  const checked = (asked: unknown): Written => {
    const user = written.parse(asked);
    if (user.rows.groups && !user.rows.accounts && accounts().length > 1)
      throw new BadUser(
        'accounts',
        'there are several accounts: a limit to groups needs the account whose groups they are',
      );
    return user;
  };
  app.get(listUsers.path, (c) =>
    c.json<AnswerOf<typeof listUsers>>({
      users: users.list().map(plain),
      roles: roleNames.map((role) => ({ role, rights: [...roles[role]] })),
      givable: [...givable],
    }),
  );

  app.post(addUser.path, async (c) => {
    assertPerson(c);
    const { password: sent, ...asked } = await bodyOf(c, addUser.body);
    const password = sent ?? newPassword();
    const user = await Promise.resolve()
      .then(() => users.add(checked(asked), password))
      .catch(told);
    return c.json<AnswerOf<typeof addUser>>({ user: plain(user), password: sent === undefined ? password : null });
  });

  app.put(routed(changeUser), async (c) => {
    assertPerson(c);
    const asked = await bodyOf(c, changeUser.body);
    const user = await Promise.resolve()
      .then(() => users.change(c.req.param('id'), checked(asked)))
      .catch(told);
    return c.json<AnswerOf<typeof changeUser>>(plain(user));
  });

  app.post(routed(resetPassword), async (c) => {
    assertPerson(c);
    const password = newPassword();
    await users.setPassword(c.req.param('id'), password, { andTokens: true }).catch(told);
    return c.json<AnswerOf<typeof resetPassword>>({ password });
  });

  app.delete(routed(removeUser), (c) => {
    assertPerson(c);
    try {
      users.remove(c.req.param('id'));
    } catch (error) {
      told(error);
    }
    return c.body(null, 204);
  });
}

/** A token that may change users could make itself an admin: it may list them. Errors: Declined. */
function assertPerson(c: Context): void {
  const { user, reader } = callerIn(c);
  if (!user && reader.id !== presetReader.id)
    throw new Declined('forbidden', 'users are changed by somebody who has signed in, not by a token');
}

function addTokens(app: Hono, { users, tokens }: Auth): void {
  const isOfAll = (caller: Caller): boolean => caller.rights.has('people:write');
  app.get(listTokens.path, (c) => {
    const caller = callerIn(c);
    const listed = isOfAll(caller) ? tokens.list() : tokens.list(userIn(c).id);
    return c.json<AnswerOf<typeof listTokens>>({
      tokens: listed.map(({ rights, rows, ...token }) => ({ ...token, rights: [...rights], rows: plainRows(rows) })),
    });
  });

  app.post(addToken.path, async (c) => {
    const { name, rights, rows, days } = await bodyOf(c, addToken.body);
    const maker = users.find(userIn(c).id);
    if (!maker) throw new Declined('unauthorized', 'sign in again');
    try {
      const { token, secret } = tokens.add(maker, { name, rights, days, ...(rows ? { rows } : {}) });
      const answer = { ...token, rights: [...token.rights], rows: plainRows(token.rows) };
      return c.json<AnswerOf<typeof addToken>>({ token: answer, secret });
    } catch (error) {
      return told(error);
    }
  });

  app.delete(routed(removeToken), (c) => {
    const caller = callerIn(c);
    const isGone = tokens.remove(c.req.param('id'), isOfAll(caller) ? undefined : userIn(c).id);
    if (!isGone) throw new Declined('not_found', 'there is no such token of yours');
    return c.body(null, 204);
  });
}
