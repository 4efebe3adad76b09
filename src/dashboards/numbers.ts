// Turns unrounded numbers into text by unit and locale; the only place where a dashboard rounds.
import type { Unit } from './panel.ts';
import { words } from './words.ts';

const formats = new Map<string, Intl.NumberFormat>();
/** Readers name languages, sources name currencies: as many of each as they like. */
const most_formats = 500;

function format(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  let made = formats.get(key);
  if (!made) {
    if (formats.size >= most_formats) formats.clear();
    formats.set(key, (made = new Intl.NumberFormat(locale, options)));
  }
  return made;
}

/** The rounding of docs/counting.md: half up, with room for binary dust. */
export function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.floor(value * scale + 0.5 + 1e-7) / scale;
}

function decimal(value: number, digits: number, locale: string, least = 0): string {
  return format(locale, { minimumFractionDigits: least, maximumFractionDigits: digits }).format(round(value, digits));
}

/** 9.4 s, 42 s, 1 m 12 s, 2 h 05 m. */
function duration(seconds: number, locale: string): string {
  if (seconds < 10) return `${decimal(seconds, 1, locale)} s`;
  const whole = round(seconds, 0);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600)
    return whole % 60 ? `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s` : `${whole / 60} m`;
  const minutes = round(seconds / 60, 0);
  const hours = format(locale, {}).format(Math.floor(minutes / 60));
  return minutes % 60 ? `${hours} h ${String(minutes % 60).padStart(2, '0')} m` : `${hours} h`;
}

function money(value: number, currency: string, locale: string): string {
  const rounded = round(value, 2);
  if (/^[A-Z]{3}$/.test(currency))
    return format(locale, { style: 'currency', currency, currencyDisplay: 'code' }).format(rounded);
  return `${decimal(rounded, 2, locale)} ${currency}`.trimEnd();
}

/** An amount of money beneath a head that names the currency, in its number of decimals. */
export function amount(value: number, currency: string, locale: string): string {
  const isCode = /^[A-Z]{3}$/.test(currency);
  const { maximumFractionDigits: digits = 2 } = isCode
    ? format('en', { style: 'currency', currency }).resolvedOptions()
    : {};
  return decimal(value, digits, locale, digits);
}

/** A share as a percentage, as the locale writes it: 84.8%, 84,8 %. */
export function percent(share: number, digits: number, locale: string, least = 0): string {
  const options = { style: 'percent', minimumFractionDigits: least, maximumFractionDigits: digits } as const;
  return format(locale, options).format(round(share * 100, digits) / 100);
}

/** A number as read in a tile, a table or a tooltip. */
export function say(value: number, unit: Unit, locale: string, currency = ''): string {
  if (unit === 'seconds') return duration(value, locale);
  if (unit === 'hours') return value === 0 ? '0 h' : duration(value * 3600, locale);
  if (unit === 'share') return percent(value, 1, locale, 1);
  if (unit === 'score') return decimal(value, 3, locale, 3);
  if (unit === 'money') return money(value, currency, locale);
  return decimal(value, Number.isInteger(value) ? 0 : 2, locale);
}

/** A number as read on an axis: short, without trailing parts. */
export function sayShort(value: number, unit: Unit, locale: string): string {
  if (unit === 'hours') return `${decimal(value, 1, locale)} h`;
  if (unit === 'share') return percent(value, 1, locale);
  if (unit === 'score') return decimal(value, 2, locale);
  if (unit === 'money') return format(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
  if (unit === 'count')
    return value >= 10_000 ? format(locale, { notation: 'compact' }).format(value) : decimal(value, 1, locale);
  return say(value, unit, locale);
}

/** A change with its sign: +12, −1.2 points, +3.4 s, ±0. */
export function signed(change: number, unit: Unit, locale: string): string {
  const tell = (size: number): string => {
    if (unit === 'share') return `${decimal(size * 100, 1, locale, 1)} ${words.pointsUnit}`;
    return unit === 'hours' ? duration(size * 3600, locale) : say(size, unit, locale);
  };
  const told = tell(Math.abs(change));
  return told === tell(0) ? words.noChange : `${change > 0 ? '+' : '−'}${told}`;
}
