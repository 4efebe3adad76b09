// An agent's own figures next to the distribution of their colleagues', without names.
import { z } from '@hono/zod-openapi';
import { auditActions } from '#auth/audit.ts';
import { ownFigureIds } from '#warehouse/definitions/uses.ts';
import { endpoint, unchanged, unpublished } from './endpoint.ts';

const Figure = z
  .object({
    id: z.enum(ownFigureIds),
    metric: z.string(),
    measure: z.string(),
    unit: z.string(),
    own: z.number().nullable().openapi({ description: 'Null: there is none' }),
    own_basis: z.number().openapi({ description: 'Chats that the own figure rests on, of satisfaction ratings' }),
    colleagues: z.int().openapi({ description: 'Colleagues with enough chats; you are not among them' }),
    quartiles: z
      .object({ p25: z.number(), median: z.number(), p75: z.number() })
      .nullable()
      .openapi({ description: 'Of the colleagues, one value each: a mean of three neighbours, to two digits' }),
    why_not: z
      .enum(['too_few', 'too_close', 'not_pulled'])
      .nullable()
      .openapi({ description: 'Why there are no quartiles: too few colleagues, values too alike, days not pulled' }),
  })
  .openapi('OwnFigure');
export type OwnFigure = z.infer<typeof Figure>;

const OwnFigures = z
  .object({
    snapshot: z.string(),
    account: z.string(),
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    agent: z.string().openapi({ description: 'Your login' }),
    least_colleagues: z.int().openapi({ description: 'With fewer there are no quartiles' }),
    least_basis: z.int().openapi({ description: 'Chats, or ratings, that a colleague must have to be compared' }),
    circles: z
      .array(z.object({ groups: z.array(z.object({ id: z.int(), name: z.string() })), figures: z.array(Figure) }))
      .openapi({ description: 'By group; groups with too few colleagues are one circle' }),
  })
  .openapi('OwnFigures');
export type OwnFigures = z.infer<typeof OwnFigures>;

export const listReads = endpoint({
  needs: 'sign_in',
  method: 'get',
  path: '/own-figures/reads',
  summary: 'Who looked at an agent’s figures, alone or among others: for that agent',
  answers: { 200: 'The newest fifty, the same thing by the same person once in ten minutes' },
  schema: z.object({
    reads: z.array(
      z.object({
        at: z.iso.datetime(),
        who: z.string(),
        action: z.enum(auditActions),
        about: z.string(),
        is_of_all: z.boolean().openapi({ description: 'Of all agents whom the reader may see' }),
      }),
    ),
  }),
  refusals: { 403: 'You are no agent, or a token' },
});

export const getOwnFigures = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/own-figures',
  summary: 'An agent’s own figures beside the quartiles of the colleagues in the same groups, without names',
  description:
    'For agents who have signed in. Whole days of the account’s own zone that are over, 7 to 366 of them; no other filter.',
  query: z.object({
    from: z.iso.date().optional().openapi({ description: 'First local day; default 28 days up to `to`' }),
    to: z.iso.date().optional().openapi({ description: 'Last local day, included; default yesterday' }),
    account: z.string().optional(),
  }),
  answers: { 200: 'By circle of colleagues', 304: unchanged },
  schema: OwnFigures,
  refusals: {
    400: 'The days; the choices say which can be asked',
    403: 'You are no agent, or a token',
    503: unpublished,
  },
});
