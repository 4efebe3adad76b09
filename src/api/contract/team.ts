// The band of an agent's colleagues, figure by figure.
import { z } from '@hono/zod-openapi';
import { whyNoBand } from '#reports/team/team.ts';
import { endpoint, unchanged, unpublished } from './endpoint.ts';
import { Question } from './metrics.ts';

const Figure = z
  .object({
    metric: z.string(),
    measure: z.string(),
    unit: z.string(),
    is_sum: z.boolean().openapi({ description: 'It grows with the days of the range' }),
    colleagues: z.int().openapi({ description: 'With enough to be compared; the agent is not among them' }),
    band: z
      .object({ p25: z.number(), median: z.number(), p75: z.number() })
      .nullable()
      .openapi({ description: 'Quartiles of the colleagues, one value each over the range' }),
    why_not: z.enum(whyNoBand).nullable().openapi({
      description: 'Why there is no band: too few colleagues, days not pulled, not given under these filters',
    }),
    reason: z.string().optional().openapi({ description: 'Of not_given: why there is no such number' }),
  })
  .openapi('FigureOfTeam');

const Team = z
  .object({
    snapshot: z.string(),
    as_of: z.string().optional(),
    account: z.string(),
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    days: z.number().openapi({ description: 'Days of the range that are over, the running one in part' }),
    agent: z.string().openapi({ description: 'Login' }),
    least_colleagues: z.int().openapi({ description: 'With fewer there is no band' }),
    least_basis: z.int().openapi({ description: 'Chats, or ratings, that a colleague must have to be among them' }),
    figures: z.array(Figure),
  })
  .openapi('Team');
export type Team = z.infer<typeof Team>;

export const getTeam = endpoint({
  needs: 'agents:read',
  method: 'get',
  path: '/agents/team',
  agents: 'always',
  summary: 'Where the middle half of an agent’s colleagues lie, figure by figure',
  description:
    'The colleagues are all agents whom you see, but for the agent, with enough chats under the same dates and filters. Figures are those of the agent’s page.',
  query: Question.pick({
    from: true,
    to: true,
    timezone: true,
    group: true,
    tag: true,
    variable: true,
    account: true,
    as_of: true,
  }).extend({
    agent: z.string().openapi({ description: 'Login of the one whose colleagues are asked about' }),
  }),
  answers: { 200: 'By figure', 304: unchanged },
  schema: Team,
  refusals: { 400: 'The question has no answer; the choices say what has', 503: unpublished },
});
