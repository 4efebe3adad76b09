// The receipt of one number: its meaning, its calculation, and the chats behind it.
import type { Hono } from 'hono';
import type { AnswerCache } from './answers.ts';
import { callerIn, contextOf } from './context.ts';
import { routed } from './contract/endpoint.ts';
import { getReceipt, type Receipt } from './contract/receipts.ts';
import type { ApiDeps } from './deps.ts';
import { listingOf, questionIn, wantedCellOf } from './question.ts';
import { receiptFor } from '#reports/receipts/receipt.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';

export function addReceipts(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(routed(getReceipt), async (c) => {
    const metric = metricOf(c.req.param('id'));
    const { id } = metric;
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const [wanted, listing] = [wantedCellOf(metric, parameters), listingOf(parameters)];
    const asked = await contextOf(deps, c, parameters);
    const isListing = callerIn(c).rights.has('chats:read');
    return answers.answer<Receipt>(c, asked, `receipt ${isListing} ${id} ${search}`, async (context) => {
      const { snapshot, as_of } = asked;
      const receipt = await receiptFor(id, wanted, listing, context);
      const shown = isListing ? receipt : withoutChats(receipt);
      return { ...shown, snapshot, ...(as_of === undefined ? {} : { as_of }) };
    });
  });
}

type MadeReceipt = Awaited<ReturnType<typeof receiptFor>>;

/** The calculation alone, for readers who may not see the chats. */
const withoutChats = (receipt: MadeReceipt): MadeReceipt => ({
  ...receipt,
  chats: { total: receipt.chats.total, rows: [] },
  left_out: receipt.left_out.map(({ reason, count }) => ({ reason, count, chats: [] })),
});
