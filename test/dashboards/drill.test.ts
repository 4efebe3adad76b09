// The pages behind the dashboards: marks, the order of metrics, cells to receipts, and the way back.
import { expect, test } from 'vitest';
import type { Metric } from '#api/contract/metrics.ts';
import type { ComparedCell } from '#api/contract/reconciliation.ts';
import { catalogue } from '#warehouse/definitions/metrics.ts';
import { isParameter } from '#dashboards/refusals.ts';
import { inTitles } from '../../src/app/lib/metric-question.ts';
import { countsOf, markOf } from '../../src/app/lib/drill/agreement.ts';
import { filtersIn, trailOf } from '../../src/app/lib/drill/back.ts';
import { exact, sentence, told } from '../../src/app/lib/drill/receipt.ts';
import { cellAt, worstFirst } from '../../src/app/lib/drill/reconciliation.ts';

const metric = (id: string, kind = 'A+R', measures = ['n']): Metric => ({
  id,
  title: `Title of ${id}`,
  definition: '',
  version: 1,
  kind,
  measures: Object.fromEntries(measures.map((name) => [name, { title: name, unit: 'chats' }])),
  ...{ splits: [], filters: [], grains: [], adds_up_by: [], settling_days: { days: 1, measured: false } },
});
const mark = (by: Record<string, number>, asked = { isOtherZone: false, hasTag: false, hasVariable: false }) =>
  markOf(metric('m'), ['n'], { by_metric: { m: by }, confirmed: { m: ['n'] } }, asked);

test('a panel agrees when every complete cell does, rounding included', () => {
  expect(mark({ equal: 5, settling: 3 })).toMatchObject({ kind: 'agrees', text: 'agrees with the report' });
  expect(mark({ equal: 5, rounding: 1 }).text).toContain('rounding');
  expect(mark({ settling: 3 }).kind).toBe('settling');
  expect(mark({ equal: 5, unexplained: 2 })).toMatchObject({
    kind: 'differs',
    text: '2 of 7 cells differ from the report',
  });
});

test('what is not compared is said, not marked as right', () => {
  expect(mark({ equal: 5 }, { isOtherZone: true, hasTag: false, hasVariable: false }).kind).toBe('none');
  expect(mark({ equal: 5 }, { isOtherZone: false, hasTag: true, hasVariable: false }).kind).toBe('none');
  const here = { isOtherZone: false, hasTag: false, hasVariable: false };
  expect(markOf(metric('x', 'A'), ['n'], { by_metric: {}, confirmed: {} }, here).text).toContain('not compared');
  // The mean is compared, the percentile beside it is not: the panel may not claim it.
  const means = { by_metric: { m: { equal: 5 } }, confirmed: { m: ['seconds'] } };
  expect(markOf(metric('m'), ['seconds'], means, here).kind).toBe('agrees');
  expect(markOf(metric('m'), ['seconds', 'p90'], means, here).kind).toBe('none');
});

test('settling and missing cells are not counted as complete', () => {
  expect(countsOf({ equal: 4, rounding: 1, changed_after: 2, settling: 8, not_pulled: 1 })).toEqual({
    complete: 7,
    agree: 5,
    waiting: 9,
  });
});

test('the metric with something unexplained comes first, then the largest share that differs', () => {
  const order = worstFirst({
    fine: { equal: 9 },
    removed: { equal: 1, agent_removed: 9 },
    odd: { equal: 99, unexplained: 1 },
  });
  expect(order.map((it) => it.metric)).toEqual(['odd', 'removed', 'fine']);
});

const row = (more: Partial<ComparedCell>): ComparedCell => ({
  metric: 'goals',
  timezone: 'UTC',
  grain: 'day',
  split: 'account',
  split_value: '',
  period: '2026-11-03',
  measure: 'n',
  reported: 1,
  recomputed: 1,
  difference: 0,
  reason: 'equal',
  checked_at: '',
  ...more,
});

test('a compared cell becomes the question of its receipt', () => {
  const group = cellAt(row({ split: 'group', split_value: '3' }), [metric('goals')]);
  expect(group.cell.at).toEqual({ group: '3' });
  expect(group.asking).toMatchObject({ from: '2026-11-03', to: '2026-11-03', grain: 'day', group: [] });
  const money = cellAt(row({ measure: 'n:EUR' }), [metric('goals')]);
  expect(money.cell).toMatchObject({ measure: 'n', at: { currency: 'EUR' } });
  const hour = cellAt(row({ grain: 'hour', period: '2026-11-03 14:00' }), [metric('goals')]);
  expect(hour.asking).toMatchObject({ from: '2026-11-03', grain: 'hour' });
});

test('a cell of the ranking is that of an agent within a group', () => {
  const { cell, asking } = cellAt(
    row({ metric: 'chat_ranking', split: 'group', split_value: '3', measure: 'good:ann@example.com' }),
    [{ ...metric('chat_ranking', 'A+R', ['good']), always: ['agent'] }],
  );
  expect(cell.at).toEqual({ agent: 'ann@example.com' });
  expect(asking.group).toEqual(['3']);
});

test('a cell that another metric recomputes leads to the receipt of the number that it is here', () => {
  const greetings = catalogue().find(({ id }) => id === 'greetings');
  expect(greetings?.compared_as).toEqual({ chats_from_auto_invite: 'accepted' });
  const known = { ...metric('greetings', 'R', ['displayed', 'accepted']), compared_as: greetings?.compared_as };
  const compared = row({ metric: 'greetings', split: 'account', split_value: '', measure: 'chats_from_auto_invite' });
  expect(cellAt(compared, [known]).cell.measure).toBe('accepted');
});

test('the way back leads to our own pages only', () => {
  expect(trailOf('?back=%2Fqueue%3Fpreset%3D7d').map((it) => [it.path, it.query.get('preset')])).toEqual([
    ['/queue', '7d'],
  ]);
  for (const back of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example', 'javascript:1'])
    expect(trailOf(`?back=${encodeURIComponent(back)}`)).toEqual([]);
});

test('filters go from page to page, the parts of one page stay there', () => {
  expect(filtersIn(new URLSearchParams('preset=7d&agent=a&metric=x&period=y'))).toBe('?preset=7d&agent=a');
});

test('refusals and reasons name titles, not ids', () => {
  expect(inTitles('new_tickets exists only in UTC', [metric('new_tickets')])).toBe(
    '“Title of new_tickets” exists only in UTC',
  );
  expect(inTitles('several at once cannot be added up: ask with split=group', [])).toBe(
    'several at once cannot be added up: choose one, or split by group',
  );
  expect(['split=group', 'agent=a@x.test', 'plan=pro', 'Sales'].filter(isParameter)).toEqual([
    'split=group',
    'agent=a@x.test',
  ]);
  expect(sentence('the report does not give p50', { p50: { title: 'Median' } })).toBe(
    'The report does not give “Median”.',
  );
});

test('two computations that differ in a late digit do not look the same', () => {
  expect([exact(26.14, 'seconds', 'en-GB'), exact(26.15, 'seconds', 'en-GB')]).toEqual(['26.14 s', '26.15 s']);
});

test('a number has its unit, one thing is one thing', () => {
  expect(told(1, 'chats', 'en-GB')).toBe('1 chat');
  expect(told(72, 'seconds', 'en-GB')).toBe('1 m 12 s');
  expect(told(null, 'chats', 'en-GB')).toBe('no data');
});
