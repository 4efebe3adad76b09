// Quartiles of colleagues that tell no single one's value: each is a mean of three neighbours, rounded to two digits.

/** With fewer colleagues nothing is shown. */
export const least_colleagues = 5;

export interface Quartiles {
  p25: number;
  median: number;
  p75: number;
}

/** `too_few`: colleagues. `too_close`: their values are so alike that a quartile would be the value of each. */
type QuartileResult = { kind: 'quartiles'; quartiles: Quartiles } | { kind: 'too_few' } | { kind: 'too_close' };

/** To two significant digits: 23, 140, 0.91. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}

/** The mean of the value at position `at` (0 to 1) of the sorted list and its two neighbours. */
function around(ordered: readonly number[], at: number): number {
  const middle = Math.min(Math.max(Math.round((ordered.length - 1) * at), 1), ordered.length - 2);
  const three = ordered.slice(middle - 1, middle + 2);
  return three.reduce((sum, value) => sum + value, 0) / three.length;
}

/** Quartiles of the colleagues' values, one each; the agent's own value is excluded. */
export function quartilesOf(values: readonly number[]): QuartileResult {
  if (values.length < least_colleagues) return { kind: 'too_few' };
  const ordered = [...values].sort((one, other) => one - other);
  const [p25, median, p75] = [
    rounded(around(ordered, 0.25)),
    rounded(around(ordered, 0.5)),
    rounded(around(ordered, 0.75)),
  ];
  if (p25 >= median || median >= p75) return { kind: 'too_close' };
  return { kind: 'quartiles', quartiles: { p25, median, p75 } };
}
