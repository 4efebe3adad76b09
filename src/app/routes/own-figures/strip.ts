// Positions of the marks on a strip: the scale starts at zero, so that close values look close.
import type { OwnFigure } from '#api/contract/own-figures.ts';

/** Percent of the width. */
interface Strip {
  low: number;
  middle: number;
  high: number;
  /** Null without a value. */
  own: number | null;
  /** The value at the right end. */
  end: number;
}

const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** The next round number. */
function rounded(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return size * (steps.find((step) => step * size >= value) ?? 10);
}

export function stripOf(
  { p25, median, p75 }: NonNullable<OwnFigure['quartiles']>,
  own: number | null,
  unit: string,
): Strip {
  const end = unit === 'share' ? 1 : rounded(Math.max(p75, own ?? 0));
  const at = (value: number): number => (value / end) * 100;
  return { low: at(p25), middle: at(median), high: at(p75), own: own === null ? null : at(own), end };
}
