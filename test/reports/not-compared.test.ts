// Why a receipt has no number of a report beside its own: a metric made of chats and a report is not told as one of the report alone.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listingOf, wantedCellOf } from '#api/question.ts';
import { receiptFor } from '#reports/receipts/receipt.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import type { Store } from '#warehouse/engine.ts';
import { later } from '../warehouse/account.ts';
import { contextOf } from '../warehouse/query-context.ts';
import { range, reportedAccount, zone } from './receipt-account.ts';

let engine: Store;
beforeAll(async () => {
  engine = await reportedAccount();
});
afterAll(() => engine.close());

async function whyNot(id: string): Promise<string | undefined> {
  const question = { ...range, timezone: zone, grain: 'total' };
  const context = contextOf(engine, { ...later, zone });
  const receipt = await receiptFor(id, wantedCellOf(metricOf(id), question), listingOf(question), context);
  return receipt.reported_why_not;
}

it('says which part a report has in a number that no report gives', async () => {
  expect(await whyNot('occupancy')).toBe('the report is part of this number: its stored rows are shown instead');
  expect(await whyNot('availability')).toBe('Availability is not compared with a report: the report is all there is');
  expect(await whyNot('chat_duration')).toContain('is not compared with a report: the source has none');
});
