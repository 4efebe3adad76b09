// Asks for the receipt that the address names; a refusal is shown with its choices, not thrown.
import { call } from '#lib/api.ts';
import { addressPart } from '#lib/address-part.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { orderOf } from './order.ts';
import type { PageLoad } from './$types.js';

const PAGE = 50;

/** Whether the number is of several accounts together. */
const severalIn = (query: URLSearchParams): boolean =>
  query.get('account') === '*' || query.getAll('account').length > 1;

/** What the server takes as it is: it cannot say what the account does not list, and is asked about an account that exists. */
const listed = ['account', 'group', 'agent', 'variable'];

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const frame = await parent();
  const { account, metrics } = frame;
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => name !== 'back'));
  const several = severalIn(query);
  const { problems } = filtersAt(
    addressPart(url, (name) => !several && listed.includes(name)),
    frame,
  );
  if (!several && account) query.set('account', account.id);
  if (!several && !query.has('timezone') && account) query.set('timezone', account.timezone);
  if (!query.has('period') && !query.has('grain')) query.set('grain', 'total');
  if (!query.has('limit')) query.set('limit', String(PAGE));
  const order = orderOf(
    query,
    metrics.find(({ id }) => id === params.metric),
  );
  query.set('order', order);
  const offset = Math.max(0, Number(query.get('offset')) || 0);
  const found = await call(fetch, 'GET /receipts/{id}', { params: { id: params.metric }, query });
  if (found.kind === 'answered') return { receipt: found.answer, refusal: null, problems, offset, order };
  const choices = found.kind === 'refused' ? found.choices : [];
  return {
    receipt: null,
    refusal: { message: found.message, choices, isFailure: found.kind === 'failed' },
    problems,
    offset,
    order,
  };
};
