// Today so far: beside the same weekday a week ago up to the same time, or beside what is said to be that whole day.
import { expect, test } from 'vitest';
import { today } from '#dashboards/pictures/today.ts';
import { questions } from '#dashboards/questions.ts';
import { answer, panel } from './answers.ts';

const at = { locale: 'en-GB', asOf: '2026-11-10 02:00', weekday: 'Tue 3 Nov' };
const count = panel({ picture: 'tile', grain: 'total', span: 'today' });
const days = { from: '2026-11-10', to: '2026-11-10' };
const before = { from: '2026-11-03', to: '2026-11-03', rows: [{ n: 40, state: 'complete' as const }] };
const now = answer([{ n: 12, state: 'open' }], { ...days, compare: { ...before, until: '2026-11-03T02:15:00Z' } });
const byWholeDays = { ...now, compare: before };
const hours = answer([3, 4, 5].map((n, hour) => ({ n, period: `2026-11-03 0${hour}:00`, state: 'complete' as const })));

test('it is compared with the same weekday a week ago up to the same time, whatever the page compares with', () => {
  const face = today(count, [now, hours], at);
  expect(face).toMatchObject({ text: '12', than: 'Tue 3 Nov up to 02:15: 40' });
  expect(face.cell).toMatchObject({ ...days, grain: 'total' });
  expect(questions(count)[0]).toMatchObject({ span: 'today', compare: 'previous' });
});

test('a count that is known by whole days is compared with the hours that have passed and with the whole day', () => {
  expect(today(count, [byWholeDays, hours], at).than).toBe('Tue 3 Nov up to 02:00: 7; the whole day: 40');
});

test('what cannot be added up by hour is compared with the whole day, and says so', () => {
  expect(today({ ...count, unit: 'share' }, [byWholeDays], at).than).toBe('Tue 3 Nov, the whole day: 4,000.0%');
});

test('before the first hour is over nothing was counted', () => {
  expect(today(count, [byWholeDays, hours], { ...at, asOf: '2026-11-10 00:00' }).than).toBe(
    'Tue 3 Nov up to 00:00: 0; the whole day: 40',
  );
});

test('with an hour that was not pulled there is nothing to add up', () => {
  const gap = answer([{ n: null, period: '2026-11-03 00:00', state: 'not_pulled' }]);
  expect(today(count, [byWholeDays, gap], at).than).toBe('Tue 3 Nov, the whole day: 40');
});

test('no data is not zero', () => {
  const face = today(count, [answer([{ n: null, state: 'not_pulled' }], { ...days, compare: before }), hours], at);
  expect(face).toMatchObject({ text: 'not pulled', kind: 'not_pulled', than: 'Tue 3 Nov, the whole day: 40' });
  expect(face.cell).toBeUndefined();
  expect(today(count, [answer([{ n: 12, state: 'open' }], days)], at).than).toBe('Tue 3 Nov: no data');
});
