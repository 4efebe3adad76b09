// Divides a heatmap's numbers into at most seven even steps; for whole numbers zero has its own step.
import { scale } from './frame.ts';

/** Numbers from `from` up to but not including `to` (the last step includes it) take the theme's shade of that place. */
export interface Shade {
  from: number;
  to: number;
  shade: number;
  whole: boolean;
}

const MOST = 6;
/** Bounds are multiples of a step, which are not exact: 3 × 0.3 is less than 0.9. */
const tolerance = 1e-9;

export function shades(numbers: (number | null)[]): Shade[] {
  const known = numbers.filter((value) => value !== null);
  if (!known.length) return [];
  const largest = Math.max(...known);
  const whole = known.every(Number.isInteger);
  if (largest <= 0) return [{ from: 0, to: 1, shade: 0, whole: true }];
  const rough = largest / MOST;
  const size = whole ? Math.max(1, Math.ceil(rough)) : scale(rough * 4, 'score').interval;
  const count = Math.max(1, Math.ceil(largest / size - tolerance));
  const spread = (index: number) => (count === 1 ? MOST : Math.round(1 + (index * (MOST - 1)) / (count - 1)));
  const steps = Array.from({ length: count }, (_, index) => ({
    from: index * size + (whole ? 1 : 0),
    to: (index + 1) * size + (whole ? 1 : 0),
    shade: spread(index),
    whole,
  }));
  return whole ? [{ from: 0, to: 1, shade: 0, whole }, ...steps] : steps;
}

/** Whether a number is larger than those that made the steps. */
export function isBeyond(value: number, steps: Shade[]): boolean {
  const last = steps.at(-1);
  return last !== undefined && value > (last.whole ? last.to - 1 : last.to * (1 + tolerance));
}

/** The place of a number's shade in the theme. */
export function shadeOf(value: number, steps: Shade[]): number {
  return (
    (steps.find((step) => value >= step.from && value < step.to) ?? (value > 0 ? steps.at(-1) : steps[0]))?.shade ?? 0
  );
}
