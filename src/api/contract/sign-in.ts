// Signing in with a password or an identity provider, and the user's own sessions, password, second factor and identities.
import { z } from '@hono/zod-openapi';
import { signOnProblems } from '#auth/errors.ts';
export type { SignOnProblem } from '#auth/errors.ts';
import { rightNames, roleNames } from '#auth/rights.ts';
import { rowsShape } from '#auth/user-shape.ts';
import { endpoint, line, password } from './endpoint.ts';

const Me = z
  .object({
    is_login_required: z.boolean().openapi({ description: 'Everybody has to sign in' }),
    user: z.object({ id: z.string(), email: z.string(), name: z.string(), role: z.enum(roleNames) }).nullable(),
    rights: z.array(z.enum(rightNames)),
    rows: rowsShape.nullable().openapi({ description: 'Null: every row' }),
    agents_from: z
      .int()
      .nullable()
      .openapi({ description: 'Figures of single agents from so many chats on, and unranked; null: from the first' }),
    owes: z
      .enum(['password', 'second_factor'])
      .nullable()
      .openapi({ description: 'What the user has to do before anything else; until then there are no rights' }),
    publishes: z.boolean().openapi({
      description:
        'False: the accounts are those that other data folders publish to a database; business hours, variables and files are had there',
    }),
    can_share: z.boolean().openapi({ description: 'May make links that open without signing in' }),
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
  body: z.strictObject({
    email: z.string().max(200),
    password,
    code: z.string().max(40).optional().openapi({ description: 'Of the second factor, or a recovery code' }),
  }),
  answers: { 200: 'Who has signed in' },
  schema: Me,
  refusals: {
    400: 'Something is missing',
    401: 'The address or the password is wrong; of type `code_needed`: they are right, and the code is missing',
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
type Session = z.infer<typeof Session>;

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

export const listWays = endpoint({
  method: 'get',
  path: '/sign-in',
  needs: 'nothing',
  summary: 'How somebody may sign in',
  answers: { 200: 'The ways' },
  schema: z.object({
    has_passwords: z.boolean(),
    can_reset: z.boolean().openapi({ description: 'A link for a new password can be sent by mail' }),
    provider: z.object({ name: z.string() }).nullable().openapi({ description: 'The identity provider' }),
  }),
  refusals: {},
});

export const askForReset = endpoint({
  method: 'post',
  path: '/password-reset',
  needs: 'nothing',
  summary: 'Sends a link for a new password to a user who has lost it',
  body: z.strictObject({ email: z.string().max(200) }),
  answers: { 204: 'It is sent, if there is such a user' },
  refusals: { 404: 'No mail can be sent', 429: 'Too often' },
});

export const finishReset = endpoint({
  method: 'put',
  path: '/password-reset',
  needs: 'nothing',
  summary: 'Sets a new password by the link; sessions and tokens end',
  body: z.strictObject({
    key: z.string().max(100).openapi({ description: 'What stands after # in the link' }),
    password,
  }),
  answers: { 204: 'It is set' },
  refusals: { 400: 'Why it is not taken', 401: 'The link was used or is too old', 404: 'No mail can be sent' },
});

const toProvider = { 302: 'On to the identity provider, or back to the page Sign in, which says what is wrong' };
const to = z.string().max(2000).optional().openapi({ description: 'Path of the page to go to afterwards' });

export const beginSignOn = endpoint({
  method: 'get',
  path: '/sign-on',
  needs: 'nothing',
  summary: 'Signing in by the identity provider, for browsers',
  query: z.object({ to }),
  answers: toProvider,
  refusals: { 404: 'No provider is configured' },
});

export const linkIdentity = endpoint({
  method: 'post',
  path: '/sign-on/link',
  needs: 'sign_in',
  summary: 'Links your identity at the provider, for browsers: you may sign in by it from then on',
  body: z.strictObject({ password: password.optional().openapi({ description: 'Yours, if you have one' }) }),
  answers: { 200: 'The address of the provider to go on to; the cookie of the answer is for the way back' },
  schema: z.object({ url: z.string() }),
  refusals: {
    401: 'The password is wrong or missing',
    404: 'No provider is configured',
    429: 'Too many wrong passwords',
    503: 'The provider cannot be asked',
  },
});

export const finishSignOn = endpoint({
  method: 'get',
  path: '/sign-on/callback',
  needs: 'nothing',
  summary: 'Where the identity provider sends browsers back to',
  description: `The page Sign in gets \`problem\`, one of ${signOnProblems.join(', ')}, where it led nowhere.`,
  answers: { 302: 'On to the page that was asked for, signed in, or back to the page Sign in' },
  refusals: { 404: 'No provider is configured' },
});

const Identity = z
  .object({ id: z.string(), issuer: z.string(), subject: z.string() })
  .openapi('Identity', { description: 'At an identity provider' });

export const listIdentities = endpoint({
  method: 'get',
  path: '/me/identities',
  needs: 'sign_in',
  summary: 'By which identities you may sign in',
  answers: { 200: 'Your identities' },
  schema: z.object({ identities: z.array(Identity) }),
  refusals: {},
});

export const unlinkIdentity = endpoint({
  method: 'delete',
  path: '/me/identities/{id}',
  needs: 'sign_in',
  summary: 'Unlinks one of your identities',
  answers: { 204: 'It is no way in any more' },
  refusals: { 400: 'It is the only way in', 404: 'You have no such identity' },
});

const wrongPassword = { 400: 'Why not', 401: 'The password is wrong', 429: 'Too many wrong passwords' };

export const getSecondFactor = endpoint({
  method: 'get',
  path: '/me/second-factor',
  needs: 'sign_in',
  summary: 'Whether your second factor is on',
  answers: { 200: 'How it stands' },
  schema: z.object({
    is_on: z.boolean(),
    recovery_codes: z.int().openapi({ description: 'That are left' }),
    has_password: z.boolean().openapi({ description: 'Without a password the provider asks for a second factor' }),
  }),
  refusals: {},
});

export const beginSecondFactor = endpoint({
  method: 'post',
  path: '/me/second-factor',
  needs: 'sign_in',
  summary: 'A secret for an app that makes codes; it counts once a code of it was shown',
  body: z.strictObject({ password }),
  answers: { 200: 'The secret, as text, as an address, and as a picture for a camera' },
  schema: z.object({
    secret: z.string(),
    uri: z.string(),
    picture: z
      .object({ size: z.int(), dark: z.string() })
      .openapi({ description: 'Modules to a side, and the dark ones as the path of an SVG' }),
  }),
  refusals: wrongPassword,
});

export const confirmSecondFactor = endpoint({
  method: 'put',
  path: '/me/second-factor',
  needs: 'sign_in',
  summary: 'Turns the second factor on',
  body: z.strictObject({ code: z.string().min(1).max(40) }),
  answers: { 200: 'Recovery codes, told this once' },
  schema: z.object({ recovery_codes: z.array(z.string()) }),
  refusals: { 400: 'The code is wrong' },
});

export const endSecondFactor = endpoint({
  method: 'post',
  path: '/me/second-factor/off',
  needs: 'sign_in',
  summary: 'Turns the second factor off',
  body: z.strictObject({ password }),
  answers: { 204: 'It is off' },
  refusals: wrongPassword,
});
