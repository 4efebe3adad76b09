// Reported against recomputed: every compared cell, counted by reason, the worst first.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { AsOf, problem } from './metrics.ts';
import { questionIn, wantedCellsOf } from './question.ts';
import { reasons } from '#reports/reconciliation/cell.ts';
import { recordedCells } from '#reports/reconciliation/recorded.ts';

const counts = z.partialRecord(z.enum(reasons), z.int());
const Cell = z
  .object({
    metric: z.string(),
    timezone: z.string(),
    grain: z.enum(['day', 'hour']),
    split: z.enum(['account', 'group', 'agent']),
    split_value: z.string(),
    period: z.string(),
    measure: z.string(),
    reported: z.number().nullable(),
    recomputed: z.number().nullable(),
    difference: z.number().nullable(),
    reason: z.enum(reasons),
    checked_at: z.string(),
  })
  .openapi('ComparedCell');

const Recorded = z
  .object({
    snapshot: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    cells: z.int(),
    by_reason: counts,
    by_metric: z.record(z.string(), counts),
    by_day: z.array(z.record(z.string(), z.union([z.string(), z.int()]))),
    rows: z.array(Cell),
    unexplained: z.array(Cell),
    confirmed: z
      .record(z.string(), z.array(z.string()))
      .openapi({ description: 'Measures that the comparison covers, by metric' }),
  })
  .openapi('Reconciliation');

export function addReconciliation(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/reconciliation',
    summary: 'What the source reported against what its archive gives, cell by cell',
    request: {
      query: z.object({
        from: z.iso.date().optional().openapi({ description: 'First local day; default 30 days up to `to`' }),
        to: z.iso.date().optional(),
        metric: z.array(z.string()).optional(),
        reason: z.array(z.enum(reasons)).optional(),
        split: z.array(z.enum(['account', 'group', 'agent'])).optional(),
        grain: z.array(z.enum(['day', 'hour'])).optional(),
        limit: z.string().optional().openapi({ description: 'Cells listed; default 100, at most 1000' }),
        offset: z.string().optional(),
        account: z.string().optional(),
        as_of: AsOf,
      }),
    },
    responses: {
      200: { description: 'Cells by reason', content: { 'application/json': { schema: Recorded } } },
      304: { description: 'What you have is still right' },
      400: problem('What is wrong with the question; the choices say what may be asked'),
      503: problem('Nothing is published yet'),
    },
  });
  app.get('/reconciliation', async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedCellsOf(parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer(c, asked, `reconciliation ${search}`, async (context) => ({
      snapshot: asked.snapshot,
      ...(await recordedCells(wanted, context)),
    }));
  });
}
