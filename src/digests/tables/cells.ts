// One cell of a table in a file.

/** A date or moment is the text `2026-11-20`, `2026-11-20 13:00` or `2026-11-20 13:00:05`, marked as one; the rest is a number, text or nothing. */
export type SheetValue = number | string | null | { date: string };

/** A day or hour is a date; the label of a week or month stays text. */
export const periodCell = (label: string): SheetValue =>
  /^\d{4}-\d\d-\d\d( \d\d:00)?$/.test(label) ? { date: label } : label;
