// Saved queries on a board: no panel of a page, never split or small, and named where a document leaves them out.
import { describe, expect, it } from 'vitest';
import { problemOf, twiceIn } from '#dashboards/board-checks.ts';
import { queriesLeftOut, queryNamed, queryPanel } from '#dashboards/board-queries.ts';
import { panelsShape } from '#dashboards/board-shape.ts';
import { boardFor, type Placed } from '#dashboards/boards.ts';

const id = '0b5ad3a2-6c1e-4f0e-8a53-1d2c3b4a5f60';
const query: Placed = { panel: queryPanel(id), size: 'half', title: 'Chats by hand' };
const volume: Placed = { panel: 'overview/volume', size: 'full' };
const board = { id: 'b1', title: 'Monday', panels: [query, volume] };
const none = () => undefined;

describe('a saved query on a board', () => {
  it('is taken by its id, once, and with a size of a panel', () => {
    expect(panelsShape.safeParse([query]).success).toBe(true);
    expect(panelsShape.safeParse([{ ...query, panel: 'query/../x' }]).success).toBe(false);
    expect([queryNamed(query), queryNamed(volume)]).toEqual([id, undefined]);
    expect(twiceIn([query, { ...query, size: 'full' }])).toBeDefined();
    expect(problemOf(query, none)).toBeUndefined();
    expect(problemOf({ ...query, size: 'tile' }, none)).toContain('only half or full');
    expect(problemOf({ ...query, split: 'group' }, none)).toContain('does not split');
  });

  it('is neither a panel of the page nor one that is gone, and a document says that it is left out', () => {
    const { page, unshown } = boardFor(board, { isShown: true, isRanked: true });
    expect(page.panels.map(({ home }) => home)).toEqual(['overview/volume']);
    expect(unshown).toEqual([]);
    expect(queriesLeftOut(board)).toEqual([expect.stringContaining('a saved query of the board')]);
    expect(queriesLeftOut({ panels: [volume] })).toEqual([]);
  });
});
