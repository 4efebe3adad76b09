// How long a page waits for its answers before it goes out without the slow ones.

/** Of so many chats on there are answers that nobody should wait for before anything is on the screen. */
const large = 100_000;
const most_ms = 120;

/** Milliseconds, for an account of so many chats; null: as long as everything takes. */
export const pageWaitFor = (chats: number): number | null => (chats > large ? most_ms : null);
