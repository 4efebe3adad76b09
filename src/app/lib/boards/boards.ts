// Reads and changes boards for the pages.
import type { Board } from '#api/contract/boards.ts';
import { boardName, boardNamed } from '#dashboards/board-names.ts';
import { twiceIn } from '#dashboards/board-checks.ts';
import { usualSize, definedAt, most_panels, type Placed } from '#dashboards/boards.ts';
import type { Panel } from '#dashboards/panel.ts';
import { splitNames } from '#dashboards/splits.ts';
import { tried } from '#lib/auth/calls.ts';
import { listWords } from './list-words.ts';
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';

type Content = Pick<Board, 'title' | 'is_shared' | 'panels'>;

export const boardAddress = (id: string): ResolvedPathname => resolve('/board/[id]', { id });

/** The newest state of a board is changed to this; it names the version that it was made from. */
export const changeBoard = ({ id, version, title, is_shared, panels }: Content & Pick<Board, 'id' | 'version'>) =>
  tried('PUT /boards/{id}', { params: { id }, body: { title, is_shared, panels, version } });

/** A panel on screen as it would stand on a board: split as its reader sees it. `home` is where it is defined. */
export function placedAs({ isSplit, split = [], title, home: onBoard }: Panel, home: string): Placed | undefined {
  const defined = definedAt(home)?.panel;
  if (!defined) return undefined;
  const by = isSplit ? splitNames.find((name) => name === split[0]) : undefined;
  const isRenamed = onBoard !== undefined && !title.startsWith(defined.title);
  return {
    ...{ panel: home, size: usualSize(defined) },
    ...(by ? { split: by } : {}),
    ...(isRenamed ? { title } : {}),
  };
}

/** Why a panel cannot stand on a board as well. */
export function keptFrom({ panels }: Board, one: Placed): 'twice' | 'full' | undefined {
  if (twiceIn([...panels, one])) return 'twice';
  return panels.length >= most_panels ? 'full' : undefined;
}

export const nameOf = (one: Placed): string => one.title ?? definedAt(one.panel)?.panel.title ?? one.panel;

/** Boards as a digest may name them; of those that it names already, also what is not there any more. */
export function namedBoards(boards: readonly Board[], content: readonly string[]): [name: string, title: string][] {
  const known = boards.map(({ id }) => boardName(id));
  const lost = content.filter((name) => boardNamed(name) !== undefined && !known.includes(name));
  return [...known, ...lost].map((name) => [name, boardTitle(boards, name) ?? name]);
}

/** Of a board that a digest names. */
export function boardTitle(boards: readonly Board[], name: string): string | undefined {
  const id = boardNamed(name);
  if (id === undefined) return undefined;
  const title = boards.find((board) => board.id === id)?.title;
  return title === undefined ? listWords.lost : listWords.named(title);
}
