// A value of a statement's result as a cell of a file.
import type { SheetValue } from './cells.ts';

const whole = /^U?((TINY|SMALL|BIG|HUGE)INT|INTEGER)$/;
const fraction = /^(DOUBLE|FLOAT|DECIMAL\(.*\))$/;

export const isWhole = (type: string): boolean => whole.test(type);
export const isTime = (type: string): boolean => /^(DATE$|TIMESTAMP)/.test(type);

/** Numbers as such where they are exact; a time as its UTC time where `hasMoments`. `type`: as the engine names it. */
export function resultCell(type: string, value: unknown, hasMoments: boolean): SheetValue | boolean {
  if (value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'string') return JSON.stringify(value);
  if (fraction.test(type) && Number.isFinite(Number(value))) return Number(value);
  if (whole.test(type) && Number.isSafeInteger(Number(value))) return Number(value);
  const isDate = /^\d{4}-\d\d-\d\d/.test(value) && value < '9999';
  if (hasMoments && isDate && isTime(type)) return { date: value.slice(0, 19) };
  return value;
}
