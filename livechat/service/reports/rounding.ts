// The one rounding rule of vendor-shaped answers (docs/counting.md).

/** Half up to `digits` decimals, forgiving the last bits of a binary fraction. */
export function rounded(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.floor(value * unit + 0.5 + 1e-7) / unit;
}

export const inHours = (seconds: number): number => rounded(seconds / 3600, 2);
export const inMinutes = (seconds: number): number => rounded(seconds / 60, 2);

/** The rounded mean, or null of nothing. */
export function mean(sum: number, count: number, digits = 2): number | null {
  return count === 0 ? null : rounded(sum / count, digits);
}
