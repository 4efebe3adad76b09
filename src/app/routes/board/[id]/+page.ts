// Reads a board and asks what its panels need, as for any page.
import { seesAgents } from '#lib/sees-agents.ts';
import { boardAt } from '#lib/boards/load-board.ts';
import { _pageOf } from '../../[[dashboard]]/+page.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, params, url, parent, depends }) => {
  depends('chatledger:board');
  const { me } = await parent();
  const { page, ...about } = await boardAt(fetch, params.id, seesAgents(me));
  return { ...about, ...(await _pageOf(page, { fetch, url, parent })) };
};
