// What is kept for each language, currency and zone has a bound, whatever readers and sources name.
import { afterEach, expect, test, vi } from 'vitest';
import { say } from '#dashboards/numbers.ts';
import { periodName } from '#dashboards/periods.ts';
import { isZone as isZoneOfPage } from '#lib/dates.ts';
import { isZone as isZoneOfWire } from '#contract/query.ts';
import { offsetAt, spelled, stretches } from '#warehouse/zone.ts';

afterEach(() => vi.restoreAllMocks());

/** How often a formatter is made while something is done. */
function made(kind: 'NumberFormat' | 'DateTimeFormat', act: () => void): number {
  const spy = vi.spyOn(Intl, kind);
  act();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

const languages = Array.from({ length: 600 }, (_, index) => `en-x-${String(index).padStart(4, '0')}`);

test('a formatter is made once for a language, and let go of when there are too many', () => {
  const write = (language: string) => say(1234.5, 'count', language);
  write('de-x-first');
  expect(made('NumberFormat', () => write('de-x-first'))).toBe(0);
  for (const language of languages) write(language);
  expect(made('NumberFormat', () => write('de-x-first'))).toBe(1);
});

test('so is one for names of periods', () => {
  const write = (language: string) => periodName('2026-11-03', language);
  write('de-x-first');
  expect(made('DateTimeFormat', () => write('de-x-first'))).toBe(0);
  for (const language of languages) write(language);
  expect(made('DateTimeFormat', () => write('de-x-first'))).toBe(1);
});

test('a zone is kept once, whatever case it is asked in', () => {
  const spellings = ['Asia/Kolkata', 'asia/kolkata', 'ASIA/KOLKATA', 'aSiA/kOlKaTa'];
  const count = made('DateTimeFormat', () => {
    for (const zone of spellings) expect([isZoneOfWire(zone), offsetAt(zone, 0)]).toEqual([true, 19_800]);
  });
  expect(count).toBe(2);
  expect(made('DateTimeFormat', () => spellings.every(isZoneOfPage))).toBe(1);
  const until = Date.UTC(2027, 0, 1) / 1000;
  expect(stretches('ASIA/kolkata', 1.7e9, until)).toEqual(stretches('Asia/Kolkata', 1.7e9, until));
});

test('a zone is spelled as its database does, another name of it stays', () => {
  expect(['europe/WARSAW', 'Europe/Warsaw', 'utc', 'Asia/Kolkata'].map(spelled)).toEqual([
    'Europe/Warsaw',
    'Europe/Warsaw',
    'UTC',
    'Asia/Kolkata',
  ]);
});
