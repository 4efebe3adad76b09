// A value of a result as a text.

/** Lists and structs as JSON; null is nothing. */
export const cellOf = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
