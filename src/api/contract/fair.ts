// Agents compared with what was expected of them in their chats.
import { z } from '@hono/zod-openapi';
import { outcomeIds } from '#warehouse/definitions/uses.ts';
import { verdicts } from '#reports/fair/comparison.ts';
import { endpoint, unchanged, unpublished } from './endpoint.ts';
import { Question } from './metrics.ts';

const Limits = z.object({
  inner: z.number().openapi({ description: '95% of agents like all others lie nearer' }),
  outer: z.number().openapi({ description: '99.8% do' }),
  verdict: z.number().openapi({ description: 'Beyond it an agent is called above or below' }),
});

const Compared = z
  .object({
    agent: z.string().openapi({ description: 'Login' }),
    verdict: z.enum(verdicts).openapi({ description: 'few_expected: too little was expected to say anything' }),
    count: z.int().openapi({ description: 'Ratings, chats, or measured times' }),
    observed: z.number().openapi({ description: 'A share, or the geometric mean of seconds' }),
    expected: z.number().openapi({ description: 'Of the average colleague in the same circumstances' }),
    likely: z
      .object({ low: z.number(), high: z.number() })
      .nullable()
      .openapi({ description: 'Where the agent’s own level in these chats lies 19 times in 20, chance taken out' }),
    distance: z.number().openapi({ description: 'Standard deviations of chance between observed and expected' }),
    weight: z.number().openapi({ description: 'How many outcomes of the average kind would tell as much' }),
  })
  .openapi('AgentCompared');

const Outcome = z
  .object({
    id: z.enum(outcomeIds),
    metric: z.string(),
    measure: z.string(),
    unit: z.enum(['share', 'seconds']),
    limits: Limits,
    one: z.number().openapi({
      description:
        'Standard deviation of one outcome of the average kind, of shares or of logarithms of seconds: a limit of z lies z times this over the root of the weight away',
    }),
    dispersion: z.number().openapi({ description: 'How much more days of one agent differ than by chance; 1: not' }),
    between: z.number().openapi({ description: 'Standard deviation of agents, in log odds or logarithms of seconds' }),
    agents: z.array(Compared).openapi({ description: 'By login: nobody is ranked' }),
  })
  .openapi('OutcomeCompared');

const FairAgents = z
  .object({
    snapshot: z.string(),
    as_of: z.string().optional(),
    account: z.string(),
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    outcomes: z.array(Outcome),
    hidden: z
      .array(z.object({ agent: z.string(), why: z.enum(['too_few', 'withheld']) }))
      .openapi({ description: 'Agents of whom nothing is told, as agreed' }),
  })
  .openapi('FairAgents');
export type FairAgents = z.infer<typeof FairAgents>;

export const compareAgents = endpoint({
  needs: 'agents:read',
  method: 'get',
  path: '/agents/expected',
  agents: 'always',
  summary: 'Agents beside what was expected of them: satisfaction, share rated, first response, response',
  description:
    'Expected is what the average colleague would have had in the same chats by group, hour of the week, wait, load and returning visitors. All agents of the range are weighed, `agent` says who is told of. There are no ranks.',
  query: Question.pick({
    ...{ from: true, to: true, timezone: true, group: true, agent: true, tag: true, variable: true },
    ...{ account: true, as_of: true },
  }),
  answers: { 200: 'By outcome and agent', 304: unchanged },
  schema: FairAgents,
  refusals: { 400: 'The question has no answer; the choices say what has', 503: unpublished },
});
