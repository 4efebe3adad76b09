// The one rounding rule of answers in the vendor's shape (docs/counting.md), and how nothing is written.
import type { Value } from '#warehouse/engine.ts';

/** Half up to `digits` decimals, forgiving the last bits of a binary fraction. */
export function rounded(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.floor(value * unit + 0.5 + 1e-7) / unit;
}

/** A count, or 0 without a row. */
export const whole = (value: Value | undefined): number => Number(value ?? 0);

/** Hours, minutes or money; 0 without a row. */
export const amount = (value: Value | undefined): number => rounded(Number(value ?? 0), 2);

/** A mean; null of nothing. */
export const mean = (value: Value | undefined): number | null =>
  value === null || value === undefined ? null : rounded(Number(value), 2);
