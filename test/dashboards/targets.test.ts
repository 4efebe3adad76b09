// Targets on charts and tiles: the line, the days that missed it, and the same in words; nothing where they are about another number.
import { expect, test } from 'vitest';
import type { TargetResult, DayVerdict } from '#dashboards/targets.ts';
import { shownTargets } from '#dashboards/pictures/target-line.ts';
import { lines } from '#dashboards/pictures/lines.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import { answer, days, panel, series, setting } from './answers.ts';

const csat = panel({ unit: 'share', measures: [{ measure: 'n', label: 'CSAT' }] });
const values = [0.9, 0.7, 0.8, 0.6, 0.5];
const verdicts: DayVerdict[] = ['met', 'missed', 'met', 'too_few', 'open'];

/** From the second to the last day 80 %, before 85 %. */
function target(more: Partial<TargetResult> = {}, seconds: number | null = null): TargetResult {
  const own = days('n', values).map(({ period = '' }, at) => ({
    ...{ day: period, share: at === 0 ? 0.85 : 0.8, seconds },
    verdict: verdicts[at] ?? 'unknown',
  }));
  return { metric: 'm', measure: 'n', is_most: false, met: 2, missed: 1, too_few: 1, days: own, ...more };
}
const drawn = (targets: TargetResult[], of = csat, more = {}) =>
  lines(of, [answer(days('n', values), more)], { ...setting, targets: shownTargets(targets) });
const plain = drawn([]);

test('the line follows what was wanted, a day that missed it has a cross, and the words say the same', () => {
  const picture = drawn([target()]);
  const all = series(picture.charts[0]?.option).map(({ data }) => data);
  expect(all).toContainEqual([0.85, 0.8, 0.8, 0.8, 0.8]);
  expect(all).toContainEqual([[1, 0.7]]);
  expect(picture.key.at(-1)).toEqual({ token: 'bad', label: 'missed the target', mark: 'cross' });
  expect(picture.summary).toContain('Target at least 85%, 80% from 2 Nov on: met on 2 of 3 days.');
  expect(picture.summary).toContain('One day has too few to be judged (fewer than 10).');
  expect(picture.table.rows.map((row) => row.at(-1)?.text)).toEqual([
    'at least 85%: met',
    'at least 80%: missed',
    'at least 80%: met',
    'at least 80%: not judged, too few',
    'at least 80%: not judged, not over',
  ]);
  expect(picture.charts[0]?.tips[1]?.lines.at(-1)).toMatchObject({ name: 'Target', value: 'at least 80%: missed' });
});

test('another number, and one that is split, has no line', () => {
  for (const picture of [
    drawn([target({ measure: 'other' })]),
    drawn([target({ metric: 'other' })]),
    drawn([target()], { ...csat, split: ['group'] }),
  ]) {
    expect(picture.summary).not.toContain('Target');
    expect(picture.charts[0]!.option['series']).toHaveLength((plain.charts[0]!.option['series'] as []).length);
  }
});

test('answers within other seconds than the target’s are another number, which is said', () => {
  const shown = (asked: number) => drawn([target({}, 30)], csat, { target: asked });
  expect(shown(30).summary).toContain('met on 2 of 3 days');
  expect(shown(60).summary).toContain('The target is set for answers within 30 s; shown are those within 1 m.');
  expect(shown(60).key).toEqual(plain.key);
});

test('weeks show what was wanted, and no week is judged', () => {
  const week = { period: '2026-W45', n: 0.8, state: 'complete' as const };
  const picture = lines(csat, [answer([week], { grain: 'week' })], {
    ...setting,
    targets: shownTargets([target({ is_most: true })]),
  });
  expect(picture.table.rows[0]?.at(-1)?.text).toBe('at most 80%');
  expect(picture.key.some(({ mark }) => mark === 'cross')).toBe(false);
  expect(picture.summary).toContain('met on 2 of 3 days');
});

test('a tile says on how many days it was met', () => {
  const small = { ...csat, picture: 'tile' as const };
  const total = answer([{ n: 0.8, state: 'complete' }], { grain: 'total' });
  expect(tile(small, [total], { locale: 'en-GB', targets: shownTargets([target()]) }).target).toBe(
    'Target at least 80%: met on 2 of 3 days',
  );
  expect(tile(small, [total], { locale: 'en-GB', targets: shownTargets([]) }).target).toBeUndefined();
  const none = target({ met: 0, missed: 0, days: target().days.slice(3) });
  expect(tile(small, [total], { locale: 'en-GB', targets: shownTargets([none]) }).target).toContain(
    'no day can be judged yet',
  );
});
