// The receipt of a number of several accounts: of all of them together, or of the one that the cell names.
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { Refused } from '#warehouse/errors.ts';
import type { PooledContext } from '#warehouse/query/pooled-context.ts';
import { askingOne, askingTogether } from '#warehouse/receipts/asking.ts';
import { askedCellOf, type WantedCell } from '#warehouse/receipts/receipt-cell.ts';
import type { Listing } from '#warehouse/receipts/sum.ts';
import { receiptOf, type MetricReceipt } from './receipt.ts';

/** The cell of one account, as that account alone is asked for it. Errors: Refused. */
async function ofMember(
  id: string,
  wanted: WantedCell,
  listing: Listing,
  context: PooledContext,
): Promise<MetricReceipt> {
  const together = askingTogether(context);
  const { ask, at, period } = askedCellOf(metricOf(id), wanted, together);
  const member = context.members.find(({ account }) => account.id === at.account);
  if (!member)
    throw new Refused(
      'at.account',
      `at.account=${String(at.account)} is not one of the accounts of the question`,
      context.members.map(({ account }) => `at.account=${account.id}`),
    );
  const { account, ...others } = wanted.at;
  const split = (wanted.question.split ?? []).filter((name) => name !== 'account');
  const question = { ...wanted.question, split, timezone: ask.timezone };
  // Beside those of the other accounts a figure may tell more than alone.
  const assertMeasured = (): Promise<void> =>
    together.assertMeasured(ask, { ...at, ...(period === null ? {} : { period }) });
  const whose = { ...askingOne(member), assertMeasured };
  const receipt = await receiptOf(id, { ...wanted, question, at: others }, listing, whose);
  return { ...receipt, at: { account: account ?? null, ...receipt.at } };
}

/** `listing` is the part of the chats that is listed. Errors: Refused. */
export function pooledReceiptFor(
  id: string,
  wanted: WantedCell,
  listing: Listing,
  context: PooledContext,
): Promise<MetricReceipt> {
  const together = askingTogether(context);
  return together.ask(metricOf(id), wanted.question).split.includes('account')
    ? ofMember(id, wanted, listing, context)
    : receiptOf(id, wanted, listing, together);
}
