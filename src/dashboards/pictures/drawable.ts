// Prepares a chart for the chart library: no text may collide with a member of its internal dictionaries.
import type { Chart } from './picture.ts';

/** Word joiner: invisible, without width, and prevents line breaks. */
const MARK = '\u2060';

/** Properties that every object inherits, and `__proto__` even where a process has removed it. */
const inherited = [...new Set(['__proto__', ...Object.getOwnPropertyNames(Object.prototype)])];
const known = new RegExp(inherited.join('|'), 'g');

/**
 * Marks such names in a text: the library caches texts, their lines and prefixes in plain objects, so a tag `constructor` would resolve
 * to the function of that name. Looks the same.
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

/** Also marks texts returned by formatters and renderers; values without texts are passed through unchanged. */
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
