// Pages in business hours: which panels count in them and say so, and the form of the hours and back.
import { expect, test } from 'vitest';
import { underHours } from '#dashboards/business-hours.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { bodyOf, inWords, timelinesOf } from '../../src/app/lib/hours/form.ts';

test('a panel in business hours says so, and shows what its metric has', () => {
  const all = dashboards.flatMap(({ panels }) => panels);
  const shown = underHours(all, 'business');
  const changed = shown.filter((panel, at) => panel !== all[at]);
  expect(changed.length).toBeGreaterThan(15);
  for (const { title, metric, measures, band } of changed) {
    expect(title).toContain('(business hours)');
    const names = [...measures.map(({ measure }) => measure), ...(band ? [band.from, band.to] : [])];
    for (const name of names) expect(Object.keys(metricOf(metric).measures), metric).toContain(name);
  }
  expect(underHours(shown, 'business')).toEqual(shown);
  expect(underHours(all, undefined)).toEqual(all);
});

test('what the form shows is what it sends, whole days and nights too', () => {
  const entry = {
    ...{ valid_from: null, timezone: 'Europe/Warsaw', holidays: ['2026-12-25'] },
    week: { mon: ['09:00-12:00', '13:00-17:00'], fri: ['22:00-06:00'], sun: ['00:00-24:00'] },
  };
  const set = { hours: [entry], groups: [{ group: 2, hours: [{ ...entry, valid_from: '2026-05-01' }] }] };
  const about = { account: 'default', source: 'page', changed_at: null, changed_by: null, in_snapshot: true } as const;
  const timelines = timelinesOf({ ...about, ...set });
  expect(bodyOf(timelines)).toEqual(set);
  const words = inWords('groups.0.hours.0.week.mon: two shifts overlap', timelines, (id) => `Sales ${id}`);
  expect(words).toBe('Group Sales 2, Monday: two shifts overlap');
});
