// The catalogue of metrics, and the answer to a question about one of them.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import { accountsOf, contextOf, readerOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { ErrorBody } from './errors.ts';
import { questionIn, wantedOf } from './question.ts';
import { askOf } from '#warehouse/ask.ts';
import { catalogue, metricOf, metrics } from '#warehouse/metrics.ts';
import { run } from '#warehouse/run.ts';
import { hasManyCells } from '#warehouse/size.ts';
import { settlingOf, unmeasured } from '#warehouse/settling.ts';

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
    settling_days: z
      .object({ days: z.int(), measured: z.boolean() })
      .openapi({ description: 'Days after its end during which a period may still change; measured from the ledger' }),
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
    target: z.int().optional().openapi({ description: 'Seconds; of the service level' }),
    snapshot: z.string(),
    as_of: z.iso.datetime().optional().openapi({ description: 'The instant asked for: the answer as known then' }),
    rows: z.array(Row),
    not_given: z.record(z.string(), z.string()).optional().openapi({ description: 'Measure and why it is null' }),
    compare: z.object({ from: z.iso.date(), to: z.iso.date(), rows: z.array(Row) }).optional(),
  })
  .openapi('Answer');

/** Part of every question that a kept snapshot may answer. */
export const AsOf = z.iso
  .datetime({ offset: true })
  .optional()
  .openapi({ description: 'As known on this instant: answered from the newest snapshot published until then' });

const targets = metrics
  .flatMap(({ id, target }) => (target === undefined ? [] : [`${id} (default ${target})`]))
  .join(', ');

export const Parameters = z.object({
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
  target: z
    .string()
    .optional()
    .openapi({ description: `Seconds, of ${targets}` }),
  compare: z.enum(['previous', 'year']).optional(),
  account: z.string().optional(),
  as_of: AsOf,
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

export const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: ErrorBody } },
});

export function addMetrics(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  app.openapi(listRoute, async (c) => {
    const engine = deps.snapshot()?.engine;
    const account = accountsOf(deps, readerOf(deps, c))[0]?.id;
    const settling = engine && account !== undefined ? await settlingOf(engine, account) : undefined;
    const metrics = catalogue().map((metric) => ({
      ...metric,
      settling_days: settling?.get(metric.id) ?? unmeasured,
    }));
    return c.json({ metrics }, 200);
  });

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
  app.get('/metrics/:id', async (c) => {
    const asking = metricOf(c.req.param('id'));
    const { id } = asking;
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedOf(asking, parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer(
      c,
      asked,
      `metric ${id} ${search}`,
      async (context) => {
        const { metric, version, timezone, from, to, grain, split, rows, ...rest } = await run(id, wanted, context);
        const { snapshot, as_of } = asked;
        const about = { metric, version, timezone, from, to, grain, split, snapshot };
        return { ...about, ...(as_of === undefined ? {} : { as_of }), rows, ...rest };
      },
      ({ snapshot, ...context }) => hasManyCells(snapshot.engine, asking, askOf(asking, wanted, context)),
    );
  });
}
