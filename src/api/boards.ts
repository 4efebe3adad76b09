// Boards that people save: their own, and those shared with everybody.
import type { Context, Hono } from 'hono';
import { boardName } from '#dashboards/board-names.ts';
import { problemOf, twiceIn } from '#dashboards/board-checks.ts';
import { queryNamed } from '#dashboards/board-queries.ts';
import type { Placed } from '#dashboards/boards.ts';
import { described, metricOf } from '#warehouse/definitions/metrics.ts';
import { assertReadsFile, callerIn, readerOf } from './context.ts';
import { addBoard, changeBoard, getBoard, listBoards, removeBoard, type Board } from './contract/boards.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { ChangedMeanwhile, NameTaken, pinWhereRoom, TooMany, type StoredBoard } from './user-data.ts';
import { bodyOf } from './validation.ts';

const mayShare = (c: Context): boolean => callerIn(c).rights.has('annotations:write');

const mayChange = (c: Context, { owner, is_shared }: StoredBoard): boolean =>
  owner === readerOf(c).id || (is_shared && mayShare(c));

/** A board that the caller may see. Errors: Declined, with the same answer for a private board of somebody else as for a missing one. */
export function boardOf(deps: ApiDeps, c: Context, id: string): StoredBoard {
  const found = deps.userData.boards.find(id);
  if (found && (found.is_shared || found.owner === readerOf(c).id)) return found;
  throw new Declined('not_found', `there is no board ${id}`);
}

/** Refuses invalid and duplicate panels; one that the board already has may have been removed from the program. Errors: Declined. */
function assertPlaced(panels: readonly Placed[], before: readonly Placed[]): void {
  const stood = new Set(before.map((one) => JSON.stringify([one.panel, one.size, one.split])));
  const isKept = ({ panel, size, split }: Placed) => stood.has(JSON.stringify([panel, size, split]));
  const problems = panels
    .filter((one) => !isKept(one))
    .flatMap((one) => problemOf(one, (metric) => described(metricOf(metric))) ?? []);
  const twice = twiceIn(panels);
  if (twice) problems.push(`${twice.panel} is on the board twice`);
  if (problems.length > 0) throw new Declined('bad_request', problems.join('; '));
}

function assertMayShare(c: Context, is_shared: boolean): void {
  if (is_shared && !mayShare(c))
    throw new Declined('forbidden', 'a board that everybody sees needs the right annotations:write');
}

function assertMayChange(c: Context, board: StoredBoard): void {
  if (!mayChange(c, board))
    throw new Declined('forbidden', 'this board is not yours: make a copy, or ask whoever made it');
}

/** Turns refusals of the store into answers. Errors: Declined. */
function kept<T>(title: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NameTaken) throw new Declined('conflict', `a board is called ${title} already`);
    if (error instanceof TooMany) throw new Declined('conflict', error.message);
    if (error instanceof ChangedMeanwhile)
      throw new Declined('conflict', 'somebody has changed this board meanwhile: load it again and repeat your change');
    throw error;
  }
}

/** Titles of the digests that use a board. */
const digestsWith = ({ digests }: ApiDeps, id: string): string[] =>
  (digests?.store.list() ?? [])
    .filter(({ digest }) => digest.content.includes(boardName(id)))
    .map(({ digest }) => digest.title);

/** A saved query is placed by those who see and may run it; with the same answer for somebody else's private one as for a missing one. */
function assertQueries({ userData }: ApiDeps, c: Context, panels: readonly Placed[], before: readonly Placed[]): void {
  const stood = before.map(queryNamed);
  for (const id of panels.map(queryNamed)) {
    if (id === undefined || stood.includes(id)) continue;
    if (!callerIn(c).rights.has('files')) throw new Declined('forbidden', 'a saved query needs the right files');
    assertReadsFile(readerOf(c), 'SQL');
    const found = userData.queries.find(id);
    if (!found || !(found.is_shared || found.owner === readerOf(c).id))
      throw new Declined('bad_request', `there is no saved query ${id}`);
  }
}

export function addBoards(app: Hono, deps: ApiDeps): void {
  const { boards, pins } = deps.userData;
  const shown = (c: Context, board: StoredBoard): Board => {
    const { owner, ...rest } = board;
    const owner_name = deps.auth.users.find(owner)?.name ?? '';
    const may_change = mayChange(c, board);
    return { ...rest, owner_name, is_own: owner === readerOf(c).id, may_change } as Board;
  };

  app.get(listBoards.path, (c) => {
    c.header('cache-control', 'no-store');
    const all = boards.list(readerOf(c).id).map((board) => shown(c, board));
    return c.json<AnswerOf<typeof listBoards>>({ boards: all, may_share: mayShare(c) });
  });

  app.get(routed(getBoard), (c) => {
    c.header('cache-control', 'no-store');
    return c.json<Board>(shown(c, boardOf(deps, c, c.req.param('id'))));
  });

  app.post(addBoard.path, async (c) => {
    const asked = await bodyOf(c, addBoard.body);
    assertMayShare(c, asked.is_shared);
    assertPlaced(asked.panels, []);
    assertQueries(deps, c, asked.panels, []);
    const user = readerOf(c).id;
    const added = kept(asked.title, () => boards.add(user, asked));
    pinWhereRoom(pins, user, 'board', added.id);
    return c.json<Board>(shown(c, added));
  });

  app.put(routed(changeBoard), async (c) => {
    const before = boardOf(deps, c, c.req.param('id'));
    const { version, ...asked } = await bodyOf(c, changeBoard.body);
    assertMayChange(c, before);
    assertMayShare(c, asked.is_shared);
    if (before.is_shared && !asked.is_shared && before.owner !== readerOf(c).id)
      throw new Declined('forbidden', 'only whoever made this board can take it back from everybody');
    assertPlaced(asked.panels, before.panels);
    assertQueries(deps, c, asked.panels, before.panels);
    const changed = kept(asked.title, () => boards.change(before.id, version, asked));
    if (!changed) throw new Declined('not_found', `there is no board ${before.id}`);
    return c.json<Board>(shown(c, changed));
  });

  app.delete(routed(removeBoard), (c) => {
    const board = boardOf(deps, c, c.req.param('id'));
    assertMayChange(c, board);
    const digests = digestsWith(deps, board.id);
    if (digests.length > 0)
      throw new Declined(
        'conflict',
        `the digest ${digests.join(', ')} shows this board: take it out there before you remove it`,
      );
    boards.remove(board.id);
    return c.body(null, 204);
  });
}
