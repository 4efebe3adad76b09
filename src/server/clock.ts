// The time of day, handed to everything that needs it.

/** Unix seconds. */
export const clock = (): number => Math.floor(Date.now() / 1000);
