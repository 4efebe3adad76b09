// The catalogue of metrics, and the answer to a question about one of them.
import type { Hono } from 'hono';
import type { AnswerCache, AsJson } from './answers.ts';
import { accountsOf, contextOf, readerOf } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { askMetric, listMetrics, type Metric, type MetricAnswer } from './contract/metrics.ts';
import type { ApiDeps } from './deps.ts';
import { questionIn, wantedOf } from './question.ts';
import { pooledContextOf } from './several-accounts.ts';
import { askOf, type AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { catalogue, metricOf } from '#warehouse/definitions/metrics.ts';
import { runPooled } from '#warehouse/query/pooled.ts';
import { pooledAskOf } from '#warehouse/query/pooled-context.ts';
import { run, type QueryAnswer } from '#warehouse/query/run.ts';
import { hasManyCells } from '#warehouse/query/size.ts';
import { settlingOf, unmeasured } from '#warehouse/query/settling.ts';

/** The catalogue, with the settling times from an account's ledger. */
export const describedMetrics = (settling: QueryContext['settling'] | undefined): Metric[] =>
  catalogue().map((metric) => ({ ...metric, settling_days: settling?.get(metric.id) ?? unmeasured }));

/** The answer to a question, as everybody gets it. */
export async function answerOf(
  id: string,
  wanted: AskInput,
  context: QueryContext,
  as_of?: string,
): Promise<AsJson<MetricAnswer>> {
  return told(await run(id, wanted, context), context.snapshot.id, as_of);
}

function told(answer: QueryAnswer, snapshot: string, as_of: string | undefined): AsJson<MetricAnswer> & object {
  const { metric, version, timezone, from, to, grain, split, rows, ...rest } = answer;
  const about = { metric, version, timezone, from, to, grain, split, snapshot };
  return { ...about, ...(as_of === undefined ? {} : { as_of }), rows, ...rest };
}

export function addMetrics(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(listMetrics.path, async (c) => {
    const engine = deps.snapshot()?.engine;
    const account = accountsOf(deps, readerOf(c))[0]?.id;
    const settling = engine && account !== undefined ? await settlingOf(engine, account) : undefined;
    const metrics = describedMetrics(settling);
    return c.json<AnswerOf<typeof listMetrics>>({ metrics });
  });

  // TRICKY: bypasses the route's validator, since refusals must name the choices and cached answers must cost nothing.
  app.get(routed(askMetric), async (c) => {
    const asking = metricOf(c.req.param('id'));
    const { id } = asking;
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedOf(asking, parameters);
    const question = `metric ${id} ${search}`;
    const pool = await pooledContextOf(deps, c, parameters);
    if (pool)
      return answers.answerPooled<MetricAnswer>(
        c,
        pool,
        question,
        async (context) => told(await runPooled(id, wanted, context), pool.snapshot, pool.as_of),
        (context) => hasManyCells(context.snapshot.engine, asking, pooledAskOf(asking, wanted, context)),
      );
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<MetricAnswer>(
      c,
      asked,
      question,
      (context) => answerOf(id, wanted, context, asked.as_of),
      ({ snapshot, ...context }) => hasManyCells(snapshot.engine, asking, askOf(asking, wanted, context)),
    );
  });
}
