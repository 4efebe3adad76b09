// Marks of what rewrote kept snapshots under their own names, such as an erasure: of two, it can be told which came later.

/** What rewrites snapshots. */
export interface Rewriting {
  id: string;
  /** ISO instant. */
  begun_at: string;
}

/** Empty for marks of programs that wrote the id alone, and where nothing was ever rewritten. */
const instantIn = (mark: string): string => /^\d{4}-\d\d-\d\dT[\d:.]+Z(?= )/.exec(mark)?.[0] ?? '';

/** The mark that follows: the same for the same rewriting, and later than the one before also where a clock was set back. */
export function markAfter(before: string, { id, begun_at }: Rewriting): string {
  if (before.endsWith(` ${id}`)) return before;
  const [last, at] = [Date.parse(instantIn(before)), Date.parse(begun_at)];
  return `${new Date(Number.isNaN(last) ? at : Math.max(at, last + 1)).toISOString()} ${id}`;
}

/** Whether one came after the other. Of two without an instant it cannot be told: neither did. */
export const isLaterMark = (one: string, other: string): boolean =>
  instantIn(one) > instantIn(other) || (other === '' && one !== '');
