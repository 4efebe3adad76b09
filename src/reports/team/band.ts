// The interquartile range of colleagues: quartiles over one value each.

/** With fewer colleagues a quartile would be one or two of them. */
export const least_colleagues = 5;

export interface TeamBand {
  p25: number;
  median: number;
  p75: number;
}

/** Between neighbours in proportion, as spreadsheets do (QUARTILE.INC). */
function at(ordered: readonly number[], share: number): number {
  const place = (ordered.length - 1) * share;
  const [low, high] = [ordered[Math.floor(place)] ?? 0, ordered[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}

/** Null with too few values. */
export function bandOf(values: readonly number[]): TeamBand | null {
  if (values.length < least_colleagues) return null;
  const ordered = values.toSorted((one, other) => one - other);
  return { p25: at(ordered, 0.25), median: at(ordered, 0.5), p75: at(ordered, 0.75) };
}
