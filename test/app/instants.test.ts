// Instants in words, in the zone of whoever reads them.
import { expect, test } from 'vitest';
import { toTheMinute, moment } from '#lib/instants.ts';

test('what is due at a whole minute is named by it, what has happened by its second', () => {
  expect(toTheMinute('2026-11-30T06:00:00.000Z', 'Europe/Warsaw', 'en-GB')).toBe('Mon, 30 Nov 2026, 07:00');
  expect(moment('2026-11-30T06:00:09.000Z', 'Europe/Warsaw', 'en-GB')).toBe('Mon, 30 Nov 2026, 07:00:09');
});
