// The catalogue of metrics, and the answer to a question about one of them.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import type { AccountSetting, Door } from './door.ts';
import { ErrorBody } from './errors.ts';
import type { Question } from '#warehouse/ask.ts';
import { Refused } from '#warehouse/errors.ts';
import { catalogue, metricOf } from '#warehouse/metrics.ts';
import { run } from '#warehouse/run.ts';

const Described = z
  .object({
    id: z.string(),
    title: z.string(),
    definition: z.string(),
    version: z.int(),
    kind: z.string().openapi({ description: 'A: recomputed from chats; R: only reported by the source; A+R: both' }),
    measures: z.record(z.string(), z.object({ title: z.string(), unit: z.string() })),
    splits: z.array(z.string()).readonly(),
    filters: z.array(z.string()).readonly(),
    grains: z.array(z.string()).readonly(),
  })
  .openapi('Metric');

const Row = z
  .record(z.string(), z.union([z.string(), z.number(), z.null()]))
  .openapi('Row', { description: 'period, the splits, the measures, and state' });

const Answer = z
  .object({
    metric: z.string(),
    version: z.int(),
    account: z.string(),
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    grain: z.enum(['hour', 'day', 'week', 'month', 'total']),
    split: z.array(z.string()),
    snapshot: z.string(),
    rows: z.array(Row),
    not_given: z.record(z.string(), z.string()).optional().openapi({ description: 'Measure and why it is null' }),
    compare: z.object({ from: z.iso.date(), to: z.iso.date(), rows: z.array(Row) }).optional(),
  })
  .openapi('Answer');

const Parameters = z.object({
  from: z.iso.date().optional().openapi({ description: 'First local day; default 30 days up to `to`' }),
  to: z.iso.date().optional().openapi({ description: 'Last local day, included; default today' }),
  timezone: z.string().optional().openapi({ description: "IANA zone; default the account's own" }),
  grain: z.enum(['hour', 'day', 'week', 'month', 'total']).optional().openapi({ description: 'Default day' }),
  split: z.string().optional().openapi({ description: 'Comma-separated, of the splits of the metric' }),
  group: z.array(z.string()).optional().openapi({ description: 'Repeatable: any of them' }),
  agent: z.array(z.string()).optional().openapi({ description: 'Repeatable: any of them' }),
  tag: z.array(z.string()).optional().openapi({ description: 'Repeatable: any of them; case sensitive' }),
  country: z.array(z.string()).optional(),
  goal: z.array(z.string()).optional(),
  currency: z.array(z.string()).optional(),
  compare: z.enum(['previous', 'year']).optional(),
  account: z.string().optional(),
  version: z.string().optional().openapi({ description: 'Of the definition' }),
});

const listRoute = createRoute({
  method: 'get',
  path: '/metrics',
  summary: 'Every metric: what it means, its measures, and how it can be asked',
  responses: {
    200: {
      description: 'The catalogue',
      content: { 'application/json': { schema: z.object({ metrics: z.array(Described) }) } },
    },
  },
});

const problem = (description: string) => ({ description, content: { 'application/json': { schema: ErrorBody } } });

/** The account a question is about: the named one, or the only one. */
export function accountOf(door: Door, id: string | undefined): AccountSetting {
  const accounts = door.accounts();
  const ids = accounts.map((account) => account.id);
  const found = id === undefined ? accounts[0] : accounts.find((account) => account.id === id);
  if (!found) throw new Refused('account', `there is no account ${id ?? ''}, only ${ids.join(', ')}`, ids);
  if (id === undefined && accounts.length > 1)
    throw new Refused('account', `there are several accounts: say account=${ids.join(' or account=')}`, ids);
  return found;
}

/** Parameters of an address: one text, or several when given several times. */
function questionOf(search: URLSearchParams): Question {
  const question = new Map<string, string[]>();
  for (const [name, value] of search) question.set(name, [...(question.get(name) ?? []), value]);
  return Object.fromEntries([...question].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

export function addMetrics(app: OpenAPIHono, door: Door, answers: Answers): void {
  app.openapi(listRoute, (c) => c.json({ metrics: catalogue().map((metric) => ({ ...metric })) }, 200));

  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/metrics/{id}',
    summary: 'The numbers of one metric',
    request: { params: z.object({ id: z.string() }), query: Parameters },
    responses: {
      200: { description: 'One row per period and split', content: { 'application/json': { schema: Answer } } },
      304: { description: 'What you have is still right' },
      400: problem('The question has no answer; the choices say what has'),
      404: problem('There is no such metric'),
      503: problem('Nothing is published yet'),
    },
  });
  // TRICKY: not through the validator of the route: refusals must name the choices, and a kept answer must cost nothing.
  app.get('/metrics/:id', (c) => {
    const id = metricOf(c.req.param('id')).id;
    const { search, searchParams } = new URL(c.req.url);
    return answers.answer(c, door, `metric ${id} ${search}`, async (snapshot) => {
      const question = questionOf(searchParams);
      const account = accountOf(door, typeof question.account === 'string' ? question.account : undefined);
      const now = Math.floor(door.clock() / 1000);
      const answer = await run(snapshot.engine, id, question, { account: account.id, zone: account.timezone, now });
      const { metric, version, timezone, from, to, grain, split, rows, ...rest } = answer;
      return { metric, version, timezone, from, to, grain, split, snapshot: snapshot.id, rows, ...rest };
    });
  });
}
