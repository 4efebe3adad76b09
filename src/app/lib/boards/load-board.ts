// A board as its page and TV mode show it: what its reader may see of it.
import { error } from '@sveltejs/kit';
import type { Board } from '#api/contract/boards.ts';
import { boardFor } from '#dashboards/boards.ts';
import type { Dashboard, SeesAgents } from '#dashboards/panel.ts';
import { call } from '#lib/api.ts';
import { words } from '#lib/words.ts';
import { boardWords } from './words.ts';

interface ShownBoard {
  board: Board;
  page: Dashboard;
  /** Its hidden parts, as sentences. */
  unshown: string[];
}

/** The owner of a board. */
export const whoseOf = ({ is_own, is_shared, owner_name }: Board): string =>
  is_own ? (is_shared ? boardWords.ownForAll : boardWords.own) : boardWords.by(owner_name);

/** Shows an error page if it does not exist. */
export async function boardAt(fetch: typeof globalThis.fetch, id: string, agents: SeesAgents): Promise<ShownBoard> {
  const found = await call(fetch, 'GET /boards/{id}', { params: { id } });
  if (found.kind === 'refused') error(found.status === 404 ? 404 : 403, boardWords.notThere);
  if (found.kind === 'failed') error(503, words.failure.api);
  const { page, unshown } = boardFor(found.answer, agents);
  return { board: found.answer, page: { ...page, sentence: whoseOf(found.answer) }, unshown };
}
