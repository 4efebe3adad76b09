// Settings of what statements may take, as one value for all roles or one for each: `analyst=30, admin=60`.
import type { SqlLimits } from '#api/contract/sql.ts';
import { roleNames, roles, type Right, type Role } from '#auth/rights.ts';
import { file_rows_factor, file_seconds_factor } from './sql-console/limits.ts';
import { bytesOf, entriesIn, size, wholeNumber } from './setting-values.ts';

/** By default. */
export const standardSql = {
  seconds: 'analyst=30, admin=60',
  rows: 'analyst=10000, admin=50000',
  memory: 'analyst=512MB, admin=1GB',
  spill: 'analyst=1GB, admin=2GB',
} as const;

export type SqlLimitSettings = Readonly<Record<keyof typeof standardSql, string>>;

/** The roles that may run SQL. */
const asking = roleNames.filter((role) => (roles[role] as readonly Right[]).includes('files'));

const partsOf = (entry: string): [role: string, value: string] => {
  const at = entry.indexOf('=');
  return at < 0 ? ['', entry] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
};

/** Each value as `wrong` has it; a role is named once, or none at all. */
const byRole =
  (wrong: (value: string) => string | undefined, example: string) =>
  (list: string): string | undefined => {
    const parts = entriesIn(list).map(partsOf);
    const named = parts.map(([role]) => role);
    const isOne = parts.length === 1 && named[0] === '';
    const isEach = named.length > 0 && named.every((role) => asking.some((known) => known === role));
    if ((!isOne && !isEach) || new Set(named).size < named.length)
      return `must be one value, or one for each role that may run SQL (${asking.join(', ')}), like ${example}`;
    return parts.map(([, value]) => wrong(value)).find((sentence) => sentence !== undefined);
  };

const most_seconds = 240;
const most_rows = 100_000;
const least_memory = 100e6;

const memorySize = (value: string): string | undefined =>
  size(value) ?? ((bytesOf(value) ?? 0) < least_memory ? 'must be a size of at least 100MB' : undefined);

export const wrongSeconds = byRole(wholeNumber(1, most_seconds), standardSql.seconds);
export const wrongRows = byRole(wholeNumber(1, most_rows), standardSql.rows);
export const wrongMemory = byRole(memorySize, standardSql.memory);
export const wrongSpill = byRole((value) => (value === '0' ? undefined : size(value)), standardSql.spill);

/** Of roles that may not run SQL: those of the first that may. */
export function sqlLimitsFor(role: Role, set: SqlLimitSettings = standardSql): SqlLimits {
  const known = asking.includes(role) ? role : asking[0];
  const foundIn = (list: string): string | undefined =>
    entriesIn(list)
      .map(partsOf)
      .find(([named]) => named === known || named === '')?.[1];
  /** The role's own, that of all, or the standard one where others are named. */
  const valueOf = (name: keyof SqlLimitSettings): string => foundIn(set[name]) ?? foundIn(standardSql[name]) ?? '';
  const [seconds, rows] = [Number(valueOf('seconds')), Number(valueOf('rows'))];
  return {
    ...{ role, seconds, rows, file_seconds: seconds * file_seconds_factor, file_rows: rows * file_rows_factor },
    memory_bytes: bytesOf(valueOf('memory')) ?? 0,
    spill_bytes: bytesOf(valueOf('spill')) ?? 0,
  };
}
