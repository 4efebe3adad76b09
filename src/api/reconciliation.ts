// Reported against recomputed: every compared cell, counted by reason, the worst first.
import type { Hono } from 'hono';
import type { AnswerCache } from './answers.ts';
import { contextOf } from './context.ts';
import { getReconciliation, type Reconciliation } from './contract/reconciliation.ts';
import type { ApiDeps } from './deps.ts';
import { questionIn, wantedCellsOf } from './question.ts';
import { recordedCells } from '#reports/reconciliation/recorded.ts';

export function addReconciliation(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(getReconciliation.path, async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedCellsOf(parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<Reconciliation>(c, asked, `reconciliation ${search}`, async (context) => ({
      snapshot: asked.snapshot,
      ...(await recordedCells(wanted, context)),
    }));
  });
}
