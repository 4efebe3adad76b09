// Asks for the receipt that the address names; a refusal is shown with its choices, not thrown.
import { errorOf } from '#lib/api.ts';
import type { Receipt } from '#lib/drill/receipt.ts';
import { words } from '#lib/words.ts';
import type { PageLoad } from './$types.js';

const PAGE = 50;

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { account } = await parent();
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => name !== 'back'));
  if (account) query.set('account', account.id);
  if (!query.has('timezone') && account) query.set('timezone', account.timezone);
  if (!query.has('limit')) query.set('limit', String(PAGE));
  const offset = Math.max(0, Number(query.get('offset')) || 0);
  try {
    const response = await fetch(`/api/receipts/${encodeURIComponent(params.metric)}?${query}`);
    const body: unknown = await response.json();
    if (response.ok) return { receipt: body as Receipt, refusal: null, offset };
    const told = errorOf(body) ?? { message: words.panel.badAnswer(response.status), choices: [] };
    return { receipt: null, refusal: { ...told, isFailure: response.status >= 500 }, offset };
  } catch {
    return { receipt: null, refusal: { message: words.panel.unreachable, choices: [], isFailure: true }, offset };
  }
};
