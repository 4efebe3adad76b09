// The receipt of one number: its meaning, its calculation, and the chats behind it.
import type { Hono } from 'hono';
import type { AnswerCache } from './answers.ts';
import { callerIn, contextOf, type Unopened } from './context.ts';
import { routed } from './contract/endpoint.ts';
import { getReceipt, type Receipt } from './contract/receipts.ts';
import type { ApiDeps } from './deps.ts';
import { pooledContextOf } from './several-accounts.ts';
import { listingOf, questionIn, wantedCellOf } from './question.ts';
import { receiptFor } from '#reports/receipts/receipt.ts';
import { pooledReceiptFor } from '#reports/receipts/several.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';

export function addReceipts(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(routed(getReceipt), async (c) => {
    const metric = metricOf(c.req.param('id'));
    const { id } = metric;
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const [wanted, listing] = [wantedCellOf(metric, parameters), listingOf(parameters)];
    const isListing = callerIn(c).rights.has('chats:read');
    const question = `receipt ${isListing} ${id} ${search}`;
    const told = (receipt: MadeReceipt, { snapshot, as_of }: Pick<Unopened, 'snapshot' | 'as_of'>) => {
      const shown = isListing ? receipt : withoutChats(receipt);
      return { ...shown, snapshot, ...(as_of === undefined ? {} : { as_of }) };
    };
    const pool = await pooledContextOf(deps, c, parameters);
    if (pool)
      return answers.answerPooled<Receipt>(
        c,
        pool,
        question,
        async (context) => told(await pooledReceiptFor(id, wanted, listing, context), pool),
        () => Promise.resolve(false),
      );
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<Receipt>(c, asked, question, async (context) =>
      told(await receiptFor(id, wanted, listing, context), asked),
    );
  });
}

type MadeReceipt = Awaited<ReturnType<typeof receiptFor>>;

/** The calculation alone, for readers who may not see the chats. */
const withoutChats = (receipt: MadeReceipt): MadeReceipt => ({
  ...receipt,
  chats: { total: receipt.chats.total, rows: [] },
  left_out: receipt.left_out.map(({ reason, count }) => ({ reason, count, chats: [] })),
});
