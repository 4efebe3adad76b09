// Settings of what statements may take: one value for all, or one for each role that may run SQL.
import { expect, it } from 'vitest';
import {
  sqlLimitsFor,
  standardSql,
  wrongMemory,
  wrongRows,
  wrongSeconds,
  wrongSpill,
} from '#server/sql-limit-settings.ts';

it('by default analysts have less than admins', () => {
  expect(sqlLimitsFor('analyst')).toEqual({
    ...{ role: 'analyst', seconds: 30, rows: 10_000, file_seconds: 120, file_rows: 1_000_000 },
    ...{ memory_bytes: 512e6, spill_bytes: 1e9 },
  });
  expect(sqlLimitsFor('admin')).toMatchObject({ seconds: 60, rows: 50_000, memory_bytes: 1e9, spill_bytes: 2e9 });
});

it('a role that is not named keeps its standard, and one value is that of all', () => {
  const set = { ...standardSql, seconds: 'admin=200', rows: '7', spill: 'analyst=0' };
  expect(sqlLimitsFor('analyst', set)).toMatchObject({ seconds: 30, rows: 7, file_rows: 700, spill_bytes: 0 });
  expect(sqlLimitsFor('admin', set)).toMatchObject({ seconds: 200, rows: 7, spill_bytes: 2e9 });
});

it.each([
  [wrongSeconds, '60', undefined],
  [wrongSeconds, 'analyst=60, admin=240', undefined],
  [wrongSeconds, '0', 'whole number from 1 to 240'],
  [wrongSeconds, 'admin=241', 'whole number from 1 to 240'],
  [wrongSeconds, 'viewer=10', 'each role that may run SQL (analyst, admin), like analyst=30, admin=60'],
  [wrongSeconds, 'analyst=10, analyst=20', 'one for each role'],
  [wrongSeconds, 'analyst=10, 20', 'one for each role'],
  [wrongSeconds, ',', 'one for each role'],
  [wrongRows, 'admin=100001', 'whole number from 1 to 100000'],
  [wrongMemory, 'analyst=1GB', undefined],
  [wrongMemory, 'analyst=50MB', 'at least 100MB'],
  [wrongMemory, 'much', 'a size like'],
  [wrongSpill, 'analyst=0, admin=1GB', undefined],
  [wrongSpill, 'analyst=-1', 'a size like'],
])('%# %s', (wrong, value, words) => {
  const told = wrong(value);
  if (words === undefined) expect(told).toBeUndefined();
  else expect(told).toContain(words);
});
