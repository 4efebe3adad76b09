// What the chart library is given of a chart: no text that it could mistake for a member of its own dictionaries.
import type { Chart } from './picture.ts';

/** Word joiner: takes no place, is not drawn, and no line breaks at it. */
const MARK = '\u2060';

/** What every object has besides its own; `__proto__` also where a process has taken it away. */
const inherited = [...new Set(['__proto__', ...Object.getOwnPropertyNames(Object.prototype)])];
const known = new RegExp(inherited.join('|'), 'g');

/**
 * The text with a mark in each such name: measuring it, the library keeps it, its lines and its beginnings in plain
 * objects, so a tag `constructor` would be read as the function of that name. Looks the same.
 */
export const harmless = (text: string): string => text.replace(known, (name) => name.charAt(0) + MARK + name.slice(1));

/** A drawing as text without the marks: they are for the library only. */
export const withoutMarks = (svg: string): string => svg.replaceAll(MARK, '');

/** The option for ECharts, in browser and server. Tips are ours: text in elements, never markup. */
export function drawable({ option }: Chart): Chart['option'] {
  const { tooltip: _ours, ...shown } = option;
  return walked(shown) as Chart['option'];
}

type Told = (...given: unknown[]) => unknown;

/** Texts, also those that a formatter or a renderer will give; what has none is handed on as it is. */
function walked(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value);
  if (typeof value === 'function') return (...given: unknown[]) => walked((value as Told)(...given));
  if (Array.isArray(value)) {
    const items = value.map(walked);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, walked(inner)]);
  return entries.some(([key, inner]) => inner !== (value as Record<string, unknown>)[key])
    ? Object.fromEntries(entries)
    : value;
}
