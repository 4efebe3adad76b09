// How long a page waits for its answers before it goes out without the slow ones.

/** From this many chats on, some answers take too long to delay the first paint. */
const large = 100_000;
const most_ms = 120;

/** Milliseconds, for an account with this many chats; null: wait for everything. */
export const pageWaitFor = (chats: number): number | null => (chats > large ? most_ms : null);
