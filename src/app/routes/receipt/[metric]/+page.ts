// Asks for the receipt that the address names; a refusal is shown with its choices, not thrown.
import { call } from '#lib/api.ts';
import { orderOf } from './order.ts';
import type { PageLoad } from './$types.js';

const PAGE = 50;

/** Whether the number is of several accounts together. */
const severalIn = (query: URLSearchParams): boolean =>
  query.get('account') === '*' || query.getAll('account').length > 1;

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { account, metrics } = await parent();
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => name !== 'back'));
  const several = severalIn(query);
  if (!several && account) query.set('account', account.id);
  if (!several && !query.has('timezone') && account) query.set('timezone', account.timezone);
  if (!query.has('limit')) query.set('limit', String(PAGE));
  const order = orderOf(
    query,
    metrics.find(({ id }) => id === params.metric),
  );
  query.set('order', order);
  const offset = Math.max(0, Number(query.get('offset')) || 0);
  const found = await call(fetch, 'GET /receipts/{id}', { params: { id: params.metric }, query });
  if (found.kind === 'answered') return { receipt: found.answer, refusal: null, offset, order };
  const choices = found.kind === 'refused' ? found.choices : [];
  return {
    receipt: null,
    refusal: { message: found.message, choices, isFailure: found.kind === 'failed' },
    offset,
    order,
  };
};
