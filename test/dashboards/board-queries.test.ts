// Saved queries on a board: no panel of a page, never split or small, and named where a document leaves them out.
import { describe, expect, it } from 'vitest';
import { problemOf, twiceIn } from '#dashboards/board-checks.ts';
import { queriesLeftOut, queriesOn, queryNamed, queryPanel } from '#dashboards/board-queries.ts';
import { panelsShape } from '#dashboards/board-shape.ts';
import { boardFor, pageOfBoard, type Placed } from '#dashboards/boards.ts';
import { slidesOf, type BoardSlides } from '#lib/frame/slides.ts';

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
    expect([queriesOn(board), queriesOn({ panels: [volume] })]).toEqual([1, 0]);
    expect(queriesLeftOut(0, 'document')).toEqual([]);
    expect(queriesLeftOut(1, 'document')).toEqual([
      'Not in this document: a saved query of the board. Each runs as whoever reads the board, and a document has many readers.',
    ]);
    expect(queriesLeftOut(2, 'link')).toEqual([
      'Not on this shared page: 2 saved queries of the board. Each runs as whoever reads the board, and a shared page has many readers.',
    ]);
  });

  it('is named on the last slide of its board in TV mode, also where the board has nothing else', () => {
    const all = { isShown: true, isRanked: true };
    const [unshown, page] = [queriesLeftOut(1, 'screen'), boardFor(board, all).page];
    const alone = boardFor({ ...board, panels: [query] }, all).page;
    const told = (pages: BoardSlides[]) =>
      slidesOf([], all, pages).map((slide) => slide.kind === 'panels' && [slide.panels.length, slide.unshown]);
    const wide = pageOfBoard({ ...board, panels: [volume, { panel: 'overview/csat-tile', size: 'tile' }] });
    expect(told([{ page: wide, unshown }])).toEqual([
      [1, []],
      [1, unshown],
    ]);
    expect(
      told([
        { page: alone, unshown },
        { page, unshown: [] },
      ]),
    ).toEqual([
      [0, unshown],
      [1, []],
    ]);
    expect(told([{ page: alone, unshown: [] }])).toEqual([]);
    expect(unshown.join()).toContain('Not on this screen: a saved query of the board.');
  });
});
