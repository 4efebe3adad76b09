// Signing in, one's own sessions and tokens, and the users whom an admin lets in.
import { z } from '@hono/zod-openapi';
import { givable, rightNames, roleNames } from '#auth/rights.ts';
import { endpoint, line } from './endpoint.ts';

const right = z.enum(rightNames as [(typeof rightNames)[number], ...typeof rightNames]);
const password = z.string().min(1, { error: 'must not be empty' }).max(200);

const Rows = z
  .strictObject({
    accounts: z.array(z.string().min(1)).min(1).exactOptional().openapi({ description: 'Only these; default all' }),
    groups: z
      .array(z.int().nonnegative())
      .min(1)
      .exactOptional()
      .openapi({ description: 'Chats of any of these groups' }),
    agent: z.string().min(1).exactOptional().openapi({ description: 'Login: the chats in which this agent took part' }),
  })
  .openapi('Rows', { description: 'The rows that somebody may see; what is left out narrows nothing' });

const Me = z
  .object({
    is_closed: z.boolean().openapi({ description: 'Everybody has to sign in' }),
    user: z.object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(roleNames) }).nullable(),
    rights: z.array(right),
    rows: Rows.nullable().openapi({ description: 'Null: every row' }),
  })
  .openapi('Me');
export type Me = z.infer<typeof Me>;

export const getMe = endpoint({
  method: 'get',
  path: '/me',
  needs: 'nothing',
  summary: 'Who asks, and what they may do',
  answers: { 200: 'The caller; without a user nobody has signed in, or nobody has to' },
  schema: Me,
  refusals: {},
});

export const signIn = endpoint({
  method: 'post',
  path: '/sign-in',
  needs: 'nothing',
  summary: 'Begins a session, for browsers: the cookie of the answer carries it',
  body: z.strictObject({ email: z.string().max(200), password }),
  answers: { 200: 'Who has signed in' },
  schema: Me,
  refusals: {
    400: 'Something is missing',
    401: 'The address or the password is wrong',
    429: 'Too many wrong passwords',
  },
});

export const signOut = endpoint({
  method: 'post',
  path: '/sign-out',
  needs: 'nothing',
  summary: 'Ends the session',
  answers: { 204: 'It is ended' },
  refusals: {},
});

export const makeFirstAdmin = endpoint({
  method: 'post',
  path: '/first-admin',
  needs: 'people:write',
  summary: 'Makes the first admin, while there is no user; from then on everybody signs in',
  body: z.strictObject({ email: z.string().max(200), name: line(100), password }),
  answers: { 200: 'The admin, signed in' },
  schema: Me,
  refusals: { 400: 'What is wrong with the address or the password', 409: 'There are users already' },
});

export const changePassword = endpoint({
  method: 'put',
  path: '/me/password',
  needs: 'sign_in',
  summary: 'Another password of your own; other sessions end',
  body: z.strictObject({ password, next: password }),
  answers: { 204: 'It is changed' },
  refusals: { 400: 'Why the new one is not taken', 401: 'The old one is wrong', 429: 'Too many wrong passwords' },
});

const Session = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    address: z.string(),
    browser: z.string(),
    is_this: z.boolean(),
  })
  .openapi('Session');
export type Session = z.infer<typeof Session>;

export const listSessions = endpoint({
  method: 'get',
  path: '/sessions',
  needs: 'sign_in',
  summary: 'Where you are signed in',
  answers: { 200: 'Your sessions' },
  schema: z.object({ sessions: z.array(Session) }),
  refusals: {},
});

export const endSession = endpoint({
  method: 'delete',
  path: '/sessions/{id}',
  needs: 'sign_in',
  summary: 'Ends one of your sessions',
  answers: { 204: 'It is ended' },
  refusals: { 404: 'You have no such session' },
});

const User = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roleNames),
    given: z.array(right).openapi({ description: 'Rights besides those of the role' }),
    rows: Rows,
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime().nullable(),
  })
  .openapi('User');
export type User = z.infer<typeof User>;

const written = {
  email: z.string().max(200),
  name: line(100),
  role: z.enum(roleNames),
  given: z.array(z.enum(givable)).optional(),
  rows: Rows.optional(),
};

export const listUsers = endpoint({
  method: 'get',
  path: '/users',
  needs: 'people:write',
  summary: 'Everybody who may sign in',
  answers: { 200: 'By name' },
  schema: z.object({
    users: z.array(User),
    roles: z.array(z.object({ role: z.enum(roleNames), rights: z.array(right) })),
    givable: z.array(z.enum(givable)).openapi({ description: 'Rights that may be given besides those of a role' }),
  }),
  refusals: {},
});

export const addUser = endpoint({
  method: 'post',
  path: '/users',
  needs: 'people:write',
  summary: 'Lets somebody in',
  body: z.strictObject({ ...written, password: password.optional() }),
  answers: { 200: 'The user; `password` is told this once, when none was sent' },
  schema: z.object({ user: User, password: z.string().nullable() }),
  refusals: { 400: 'What does not go together' },
});

export const changeUser = endpoint({
  method: 'put',
  path: '/users/{id}',
  needs: 'people:write',
  summary: 'Changes what somebody may see and do, from the next request on',
  body: z.strictObject(written),
  answers: { 200: 'As it is kept' },
  schema: User,
  refusals: { 400: 'What does not go together', 404: 'There is no such user' },
});

export const resetPassword = endpoint({
  method: 'post',
  path: '/users/{id}/password',
  needs: 'people:write',
  summary: 'A new password for somebody, told this once; their sessions end',
  answers: { 200: 'The password' },
  schema: z.object({ password: z.string() }),
  refusals: { 404: 'There is no such user' },
});

export const removeUser = endpoint({
  method: 'delete',
  path: '/users/{id}',
  needs: 'people:write',
  summary: 'Shuts somebody out: sessions and tokens go too',
  answers: { 204: 'They are gone' },
  refusals: { 400: 'Nobody else is an admin', 404: 'There is no such user' },
});

const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    user: z.string().openapi({ description: 'Id of the user whose token it is' }),
    rights: z.array(right),
    rows: Rows,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .openapi('Token');
export type Token = z.infer<typeof Token>;

export const listTokens = endpoint({
  method: 'get',
  path: '/tokens',
  needs: 'sign_in',
  summary: 'Your tokens; for who may change users, those of all',
  answers: { 200: 'The newest first' },
  schema: z.object({ tokens: z.array(Token) }),
  refusals: {},
});

export const addToken = endpoint({
  method: 'post',
  path: '/tokens',
  needs: 'sign_in',
  summary: 'A token for a program, with at most your own rights and rows',
  body: z.strictObject({
    name: line(80),
    rights: z.array(right),
    rows: Rows.optional(),
    days: z.int().openapi({ description: 'It is good for so many days, at most 366' }),
  }),
  answers: { 200: 'The token; `secret` is told this once' },
  schema: z.object({ token: Token, secret: z.string() }),
  refusals: { 400: 'What does not go together' },
});

export const removeToken = endpoint({
  method: 'delete',
  path: '/tokens/{id}',
  needs: 'sign_in',
  summary: 'Revokes a token',
  answers: { 204: 'It opens nothing any more' },
  refusals: { 404: 'There is no such token of yours' },
});
