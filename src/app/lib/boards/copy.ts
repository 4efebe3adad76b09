// Copies a board for its reader: the same panels under another title, private.
import type { Board } from '#api/contract/boards.ts';
import { queryNamed } from '#dashboards/board-queries.ts';
import { definedAt } from '#dashboards/boards.ts';
import { call } from '#lib/api.ts';
import { tried } from '#lib/auth/calls.ts';
import { pinned } from '#lib/pinned.svelte.ts';
import { copyTitle } from './copy-title.ts';
import { copyWords as words } from './list-words.ts';

/** Without panels that are gone, and without saved queries where the reader may not place them; `told` says so. */
export async function copyBoard(board: Board): Promise<{ id: string; told: string } | { problem: string }> {
  const listed = await tried('GET /boards', {});
  if ('problem' in listed) return listed;
  const own = listed.answer.boards.filter(({ is_own }) => is_own);
  const title = copyTitle(board.title, new Set(own.map((it) => it.title)));
  const there = board.panels.filter((one) => queryNamed(one) !== undefined || definedAt(one.panel));
  const ofPages = there.filter((one) => queryNamed(one) === undefined);
  const make = (panels: Board['panels']) => call(fetch, 'POST /boards', { body: { title, is_shared: false, panels } });
  let made = await make(there);
  const isRefused = made.kind === 'refused' && (made.status === 400 || made.status === 403);
  if (isRefused && ofPages.length < there.length) made = await make(ofPages);
  if (made.kind !== 'answered') return { problem: made.message };
  await pinned.read();
  return { id: made.answer.id, told: words.made(board.panels.length - made.answer.panels.length) };
}
