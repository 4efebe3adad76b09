// What comes after the page is known before it is asked.
import { expect, it } from 'vitest';
import { grainWithin } from '#dashboards/grains.ts';
import { rowsOf } from '#lib/panel-size.ts';

const account = {
  ...{ id: 'default', timezone: 'UTC', since: '2026-01-01', simulated: false },
  agents: Array.from({ length: 10 }, (_, at) => ({ login: `a${at}@x.test`, name: 'A' })),
  groups: [{ id: 1, name: 'Sales' }],
  ...{ tags: ['one', 'two'], variables: [], more_tags: false, other_groups: [], goals: [] },
};
const filters = { from: '2026-01-01', to: '2026-01-31', today: '2026-02-01', grain: 'hour', compare: 'none' } as never;
const metric = { grains: ['hour', 'day', 'week', 'month', 'total'] } as never;
const coarse = { grains: ['day', 'week', 'month', 'total'] } as never;
const question = (differs: object) => ({ metric: 'm', split: [], grain: 'asked', compare: false, ...differs }) as never;

it.each([
  [{}, {}, metric, 744],
  [{}, {}, coarse, 31],
  [{ split: ['agent'] }, {}, coarse, 310],
  [{ split: ['tag', 'weekday'] }, {}, coarse, 31 * 3 * 7],
  [{ compare: true }, { compare: 'year' }, coarse, 62],
  [{ grain: 'total', split: ['agent'] }, {}, metric, 10],
  [{ span: 'week' }, { grain: 'day' }, metric, 7],
  [{}, { from: '2000-01-01', to: '2039-12-31', grain: 'day' }, metric, 14_610],
])('%j with %j has so many rows', (asked, differs, of, rows) => {
  expect(rowsOf(question(asked), account, { ...(filters as object), ...differs } as never, of)).toBe(rows);
});

it.each([
  ['hour', '2026-01-01', '2026-01-31', 'hour'],
  ['hour', '2026-01-01', '2026-12-31', 'day'],
  ['day', '2000-01-01', '2039-12-31', 'month'],
  ['week', '2026-01-01', '2026-01-31', 'week'],
] as const)('%s from %s to %s has at most 744 points by %s', (grain, from, to, expected) => {
  expect(grainWithin(744, { grain, from, to })).toBe(expected);
});
