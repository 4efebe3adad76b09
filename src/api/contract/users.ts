// Users, for those who may let others in.
import { z } from '@hono/zod-openapi';
import { grantable, rightNames, roleNames } from '#auth/rights.ts';
import { rowsShape, userShape } from '#auth/user-shape.ts';
import { endpoint, password } from './endpoint.ts';

const User = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: z.enum(roleNames),
    extra_rights: z.array(z.enum(rightNames)).openapi({ description: 'Rights besides those of the role' }),
    rows: rowsShape,
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime().nullable(),
    has_password: z.boolean(),
    has_second_factor: z.boolean(),
    has_identity: z.boolean().openapi({ description: 'May sign in by the identity provider' }),
  })
  .openapi('User');
export type User = z.infer<typeof User>;

export const listUsers = endpoint({
  method: 'get',
  path: '/users',
  needs: 'people:write',
  summary: 'Everybody who may sign in',
  answers: { 200: 'By name' },
  schema: z.object({
    users: z.array(User),
    roles: z.array(z.object({ role: z.enum(roleNames), rights: z.array(z.enum(rightNames)) })),
    grantable: z
      .array(z.enum(grantable))
      .openapi({ description: 'Rights that may be granted besides those of a role' }),
  }),
  refusals: {},
});

export const addUser = endpoint({
  method: 'post',
  path: '/users',
  needs: 'people:write',
  summary: 'Lets somebody in',
  body: userShape.extend({ password: password.optional() }),
  answers: { 200: 'The user; `password` is told this once, when none was sent' },
  schema: z.object({ user: User, password: z.string().nullable() }),
  refusals: { 400: 'What does not go together, and a group or an agent whom the account does not have' },
});

export const changeUser = endpoint({
  method: 'put',
  path: '/users/{id}',
  needs: 'people:write',
  summary: 'Changes what somebody may see and do, from the next request on',
  body: userShape,
  answers: { 200: 'As it is kept' },
  schema: User,
  refusals: {
    400: 'What does not go together, and a group or an agent whom the account does not have',
    404: 'There is no such user',
  },
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

export const removeSecondFactor = endpoint({
  method: 'delete',
  path: '/users/{id}/second-factor',
  needs: 'people:write',
  summary: 'Turns somebody’s second factor off, who has lost it',
  answers: { 204: 'It is off' },
  refusals: { 404: 'There is no such user' },
});
