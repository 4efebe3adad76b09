// Reads and changes boards for the pages.
import type { Board } from '#api/contract/boards.ts';
import { boardName, boardNamed } from '#dashboards/board-names.ts';
import { twiceIn } from '#dashboards/board-checks.ts';
import { usualSize, definedAt, most_panels, type Placed } from '#dashboards/boards.ts';
import type { Panel } from '#dashboards/panel.ts';
import { splitNamed } from '#dashboards/splits.ts';
import { tried } from '#lib/auth/calls.ts';
import { listWords } from './list-words.ts';
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';

type Content = Pick<Board, 'title' | 'is_shared' | 'panels'>;

export const boardAddress = (id: string): ResolvedPathname => resolve('/board/[id]', { id });

/** Updates a board; names the version that the change is based on. */
export const changeBoard = ({ id, version, title, is_shared, panels }: Content & Pick<Board, 'id' | 'version'>) =>
  tried('PUT /boards/{id}', { params: { id }, body: { title, is_shared, panels, version } });

/** A displayed panel as an entry of a board, with the reader's split. `home` is where it is defined. */
export function placedAs({ isSplit, split = [], title, home: onBoard }: Panel, home: string): Placed | undefined {
  const defined = definedAt(home)?.panel;
  if (!defined) return undefined;
  const by = isSplit ? splitNamed(split[0] ?? '') : undefined;
  const isRenamed = onBoard !== undefined && !title.startsWith(defined.title);
  return {
    ...{ panel: home, size: usualSize(defined) },
    ...(by ? { split: by } : {}),
    ...(isRenamed ? { title } : {}),
  };
}

/** Why a panel cannot be added to a board. */
export function keptFrom({ panels }: Board, one: Placed): 'twice' | 'full' | undefined {
  if (twiceIn([...panels, one])) return 'twice';
  return panels.length >= most_panels ? 'full' : undefined;
}

export const nameOf = (one: Placed): string => one.title ?? definedAt(one.panel)?.panel.title ?? one.panel;

/** Boards that a digest may include; of those that it already includes, even missing ones. */
export function namedBoards(boards: readonly Board[], content: readonly string[]): [name: string, title: string][] {
  const known = boards.map(({ id }) => boardName(id));
  const lost = content.filter((name) => boardNamed(name) !== undefined && !known.includes(name));
  return [...known, ...lost].map((name) => [name, boardTitle(boards, name) ?? name]);
}

/** Title of a board that a digest includes. */
export function boardTitle(boards: readonly Board[], name: string): string | undefined {
  const id = boardNamed(name);
  if (id === undefined) return undefined;
  const title = boards.find((board) => board.id === id)?.title;
  return title === undefined ? listWords.lost : listWords.named(title);
}
