// Tables from keys of the source to names: they hold what was put in and nothing else, whatever a login or a tag is called.

/** Has no prototype, so that `constructor` is found only where there is one. */
export const nameTable = (pairs: Iterable<readonly [string, string]>): Record<string, string> =>
  Object.setPrototypeOf(Object.fromEntries(pairs), null) as Record<string, string>;
