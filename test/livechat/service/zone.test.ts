// The service's own time zones, compared with the platform's at many instants.
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { cut, dateOf, startOfDay, wallAt, zoneNamed } from '#service/zone.ts';

const names = [
  'UTC',
  'Europe/Warsaw',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Chatham',
];

// TRICKY: not Temporal's polyfill, which does not know that Morocco sets its clocks back for Ramadan.
it.each(names)('shows the same wall clock as Intl in %s', (name) => {
  const zone = zoneNamed(name);
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
  for (let instant = 946_684_800; instant < 2_000_000_000; instant += 1_234_567) {
    const shown = new Date(wallAt(zone, instant) * 1000).toISOString();
    expect(shown.slice(0, 19)).toBe(format.format(instant * 1000).replace(' ', 'T'));
  }
});

it.each(names)('begins every day when Temporal does in %s', (name) => {
  const zone = zoneNamed(name);
  for (let day = 20_000; day < 20_800; day++) {
    const midnight = Temporal.PlainDate.from(dateOf(day)).toZonedDateTime(name).epochMilliseconds / 1000;
    expect(startOfDay(zone, day)).toBe(midnight);
  }
});

it('knows the second at which the clocks change', () => {
  const zone = zoneNamed('Europe/Warsaw');
  const change = Date.UTC(2026, 2, 29, 1) / 1000;
  expect(wallAt(zone, change) - wallAt(zone, change - 1)).toBe(3601);
});

it('cuts an interval into pieces that add up to it', () => {
  const zone = zoneNamed('Australia/Lord_Howe');
  const from = Date.UTC(2026, 3, 4, 13, 7, 11) / 1000;
  const pieces: [number, number][] = [];
  cut(zone, from, from + 20_000, 3600, (hour, begin, end) => pieces.push([hour, end - begin]));
  expect(pieces.reduce((sum, [, seconds]) => sum + seconds, 0)).toBe(20_000);
  expect(pieces.length).toBe(7);
});
