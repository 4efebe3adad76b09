// Tables from keys of the source to names: they hold what was put in and nothing else, whatever a login or a tag is called.

/** Names of the keys of a split, such as logins: `names.agent['ann@example.com']`. */
export type NamesBySplit = Record<string, Record<string, string>>;

/** Has no prototype, so that `constructor` is found only where there is one. */
export const nameTable = (pairs: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.setPrototypeOf(Object.fromEntries(pairs), null) as Record<string, string>;
