// The compared period as a thin grey line behind the picture.
import type { Setting } from './picture.ts';

/** The compared periods as a chart series, in order or as `[place, value]`; `z` sets its depth. */
export function comparedLine(name: string, data: unknown[], z: number, { theme }: Setting) {
  return { type: 'line', name, data, symbol: 'none', silent: true, lineStyle: { width: 1.5, color: theme.before }, z };
}
