// How the numbers, units and sentences of a receipt are read.
import { round, say } from '#dashboards/numbers.ts';
import type { Unit } from '#dashboards/panel.ts';

/** A sentence of the API for people: names of measures by their titles, a capital at the start and a full stop. */
export function sentence(text: string, measures: Record<string, { title: string }> = {}): string {
  const named = text.replace(/\b[a-z]+[_0-9][a-z0-9_]*\b/g, (id) => (measures[id] ? `“${measures[id].title}”` : id));
  return named.charAt(0).toLocaleUpperCase() + named.slice(1) + (/[.!?]$/.test(named) ? '' : '.');
}

const units: Record<string, Unit> = {
  seconds: 'seconds',
  hours: 'hours',
  share: 'share',
  score: 'score',
  money: 'money',
};

/** A number with all the digits in which two computations may differ, and which pages otherwise round away. */
export function exact(value: number | string | null, unit: string, locale: string, currency = ''): string {
  if (value === null) return 'none';
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  if (unit === 'seconds') return `${digits.format(round(Number(value), 2))} s`;
  if (unit === 'hours') return `${digits.format(round(Number(value), 2))} h`;
  if (unit === 'score') return digits.format(Number(value));
  return told(value, unit, locale, currency);
}

/** A number with its unit in words; `currency` is that of the cell. */
export function told(value: number | string | null, unit: string, locale: string, currency = ''): string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return 'no data';
  const known = units[unit];
  if (known) return say(number, known, locale, currency);
  const word = number === 1 ? unit.replace(/s$/, '') : unit;
  return `${say(number, 'count', locale)} ${word}`.trim();
}
