// Boards: every panel can stand on one, nothing of what it means changes there, and what is gone is named.
import { describe, expect, it } from 'vitest';
import { boardFor, definedAt, most_panels, pageOfBoard, placeId, sizesOf, type Placed } from '#dashboards/boards.ts';
import { problemOf, twiceIn } from '#dashboards/board-checks.ts';
import { panelsShape } from '#dashboards/board-shape.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { isSplit, splitNames, splitOf, splitsFor, isSplittable, variableSplitsFor } from '#dashboards/splits.ts';
import { catalogue } from '#warehouse/definitions/metrics.ts';

const metricOf = (id: string) => catalogue().find((metric) => metric.id === id);
const all = { isShown: true, isRanked: true };
const board = (...panels: Placed[]) => ({ id: 'b1', title: 'Monday', panels });

/** Every panel in every size and split. */
const every: Placed[] = dashboards.flatMap(({ id, panels }) =>
  panels.flatMap((panel) => {
    const metric = metricOf(panel.metric);
    const splits = isSplittable(panel)
      ? [...splitsFor(panel, metric, true), ...variableSplitsFor(metric, [{ id: 'plan' }])]
      : [];
    return sizesOf(panel).flatMap((size): Placed[] => [
      { panel: `${id}/${panel.id}`, size },
      ...(size === 'tile' ? [] : splits).map((split) => ({ panel: `${id}/${panel.id}`, size, split })),
    ]);
  }),
);

describe('a panel on a board', () => {
  it('can be every one of every page, in each of its sizes and splits', () => {
    expect(every.length).toBeGreaterThan(200);
    expect(every.filter((one) => problemOf(one, metricOf) !== undefined)).toEqual([]);
    expect(panelsShape.safeParse(every.slice(0, most_panels)).success).toBe(true);
    expect(panelsShape.safeParse(every.slice(0, most_panels + 1)).success).toBe(false);
  });

  it('is what it is on its page: its metric, measures, unit, words and grain are not the board’s to change', () => {
    const shown = pageOfBoard(board(...every.map((one) => ({ ...one, title: 'Mine' })))).panels;
    for (const panel of shown) {
      const own = definedAt(panel.home ?? '')?.panel;
      expect(panel.title).toBe('Mine');
      expect({ ...panel, measures: own?.measures }).toMatchObject({
        ...{ metric: own?.metric, unit: own?.unit, sentence: own?.sentence, grain: own?.grain, empty: own?.empty },
      });
      expect(own?.measures.slice(0, panel.measures.length)).toEqual(panel.measures);
    }
  });

  it('has an id of its own, which an address can split by', () => {
    const ids = new Set(every.filter(({ size }) => size !== 'full').map(placeId));
    const distinct = new Set(every.map(({ panel, split, size }) => `${panel} ${split ?? ''} ${size === 'tile'}`));
    expect(new Set(every.map(placeId)).size).toBe(distinct.size);
    for (const id of ids) expect([id, isSplit(`${id}.group`)]).toEqual([id, true]);
    expect(twiceIn([every[0], every[1], every[0]].filter((one) => one !== undefined))).toEqual(every[0]);
    expect(
      twiceIn([
        { panel: 'overview/volume', size: 'half' },
        { panel: 'overview/volume', size: 'full' },
      ])?.size,
    ).toBe('full');
  });

  it('is split as the board says, until its reader says otherwise', () => {
    const [panel] = pageOfBoard(board({ panel: 'overview/volume', size: 'full', split: 'tag' })).panels;
    if (!panel) throw new Error('the board has no panel');
    const filters = { group: ['1', '2'], agent: [], tag: [], variable: [], split: [] as string[], isTogether: false };
    const under = (split: string[]) => splitOf(panel, { ...filters, split }, metricOf(panel.metric));
    expect(under([])).toBe('tag');
    for (const name of [...splitNames, 'variable:plan']) expect(under([`overview-volume--tag.${name}`])).toBe(name);
    expect(under(['overview-volume--tag.none'])).toBeUndefined();
  });

  it('cannot have a size or split that it does not have on any page', () => {
    const problem = (one: Placed) => problemOf(one, metricOf);
    expect(problem({ panel: 'overview/chats-tile', size: 'full' })).toBe(
      'overview/chats-tile cannot be full, only tile',
    );
    expect(problem({ panel: 'responses/first-by-agent', size: 'half', split: 'group' })).toContain(
      'can be split by nothing',
    );
    expect(problem({ panel: 'overview/busy-hours', size: 'half', split: 'weekday' })).toContain('not by weekday');
    expect(problem({ panel: 'tickets/net-flow', size: 'half', split: 'variable:plan' })).toMatch(
      /, not by variable:plan$/,
    );
    const shaped = (split: string) =>
      panelsShape.safeParse([{ panel: 'overview/volume', size: 'full', split }]).success;
    for (const split of ['variable:', 'variable:Plan', 'variable:a b', 'planet'])
      expect([split, shaped(split)]).toEqual([split, false]);
    expect(problem({ panel: 'overview/none', size: 'half' })).toContain('there is no panel overview/none');
    for (const panel of ['__proto__/constructor', 'overview/__proto__', 'constructor/toString'])
      expect(problem({ panel, size: 'half' })).toContain('there is no panel');
  });
});

describe('what is not shown of a board', () => {
  const volume: Placed = { panel: 'overview/volume', size: 'full' };

  it('is named when it is gone, and everything else stands in its order', () => {
    const { page, unshown } = boardFor(
      board(
        volume,
        { panel: 'overview/gone', size: 'half', title: 'Old one' },
        { panel: 'queue/lost', size: 'half' },
        {
          panel: 'queue/abandonment',
          size: 'half',
        },
      ),
      all,
    );
    expect(page.panels.map(({ id }) => id)).toEqual(['overview-volume', 'queue-abandonment']);
    expect(unshown).toEqual([
      'Not shown: Old one (overview/gone), queue/lost. This version has no such panels any more.',
    ]);
  });

  it('is what is about single agents, by its own split or the board’s, for whoever may not see them', () => {
    const { page, unshown } = boardFor(
      board(
        volume,
        { panel: 'ratings/agents', size: 'half' },
        { ...volume, split: 'agent' },
        { panel: 'overview/changes', size: 'full' },
      ),
      { isShown: false, isRanked: true },
    );
    expect(page.panels.map(({ id }) => id)).toEqual(['overview-volume', 'overview-changes']);
    expect(unshown).toEqual([expect.stringMatching(/^2 panels of this board are not shown/)]);
  });
});
