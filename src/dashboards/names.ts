// Lookup tables from the source's keys to names; they contain only what was put in, whatever a login or tag is called.

/** Names of the keys of a split, such as logins: `names.agent['ann@example.com']`. */
export type NamesBySplit = Record<string, Record<string, string>>;

/** Created without a prototype, so that a key like `constructor` is not found by accident. */
export const nameTable = (pairs: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.setPrototypeOf(Object.fromEntries(pairs), null) as Record<string, string>;
