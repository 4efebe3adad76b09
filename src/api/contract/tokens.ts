// Tokens for programs.
import { z } from '@hono/zod-openapi';
import { rightNames } from '#auth/rights.ts';
import { rowsShape } from '#auth/user-shape.ts';
import { longest_title } from '#dashboards/longest-title.ts';
import { endpoint, line } from './endpoint.ts';

/** Common fields of tokens and links. */
export const keyShape = z.object({
  id: z.string(),
  user: z.string().openapi({ description: 'Id of the user who made it' }),
  rights: z.array(z.enum(rightNames)),
  rows: rowsShape,
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});

const Token = keyShape.extend({ name: z.string() }).openapi('Token');
type Token = z.infer<typeof Token>;

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
    name: line(longest_title),
    rights: z.array(z.enum(rightNames)),
    rows: rowsShape.optional(),
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
