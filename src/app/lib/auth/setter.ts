// Names who has set something.

/** A user by name; without logins everything is set by one reader of no name. */
export const setterName = (user: string): string => (user === 'local' ? 'whoever sat at this machine' : user);
