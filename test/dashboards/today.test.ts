// Today so far: beside the same weekday a week ago, by the same hour where it can be counted.
import { expect, test } from 'vitest';
import { today } from '#dashboards/pictures/today.ts';
import { answer, panel } from './answers.ts';

const at = { locale: 'en-GB', asOf: '2026-11-10 02:00', weekday: 'Tue 3 Nov' };
const count = panel({ picture: 'tile', grain: 'total', span: 'today' });
const now = answer([{ n: 12, state: 'open' }], { from: '2026-11-10', to: '2026-11-10' });
const whole = answer([{ n: 40, state: 'complete' }]);
const hours = answer([3, 4, 5].map((n, hour) => ({ n, period: `2026-11-03 0${hour}:00`, state: 'complete' as const })));

test('a count is compared with the hours that have passed and with the whole day', () => {
  const face = today(count, [now, whole, hours], at);
  expect(face).toMatchObject({ text: '12', than: 'Tue 3 Nov: 7 by 02:00, the last full hour; 40 in all' });
  expect(face.cell).toMatchObject({ from: '2026-11-10', to: '2026-11-10', grain: 'total' });
});

test('what cannot be added up by hour is compared with the whole day', () => {
  expect(today({ ...count, unit: 'share' }, [now, whole], at).than).toBe('Tue 3 Nov: 4000.0%'.replace('4000', '4,000'));
});

test('before the first hour is over nothing was counted', () => {
  expect(today(count, [now, whole, hours], { ...at, asOf: '2026-11-10 00:00' }).than).toBe(
    'Tue 3 Nov: 0 by 00:00, the last full hour; 40 in all',
  );
});

test('with an hour that was not pulled there is nothing to add up', () => {
  const gap = answer([{ n: null, period: '2026-11-03 00:00', state: 'not_pulled' }]);
  expect(today(count, [now, whole, gap], at).than).toBe('Tue 3 Nov: 40');
});

test('no data is not zero', () => {
  const face = today(count, [answer([{ n: null, state: 'not_pulled' }]), answer([])], at);
  expect(face).toMatchObject({ text: 'not pulled', kind: 'not_pulled', than: 'Tue 3 Nov: no data' });
  expect(face.cell).toBeUndefined();
});
