// When a pull publishes: after each chapter, and within a long one as soon as there are days of chats that no snapshot has yet.

/** Seconds that readers wait for the first of them; afterwards twice as long each time, because a publication takes work too. */
const first_wait = 30;
const longest_wait = 300;

export interface Publishing {
  /** So many archive days came whole that no pull had brought before. */
  arrived(days: number): void;
  /** Whether readers would wait long for days that are there. */
  isDue(): boolean;
  /** Everything received is committed. */
  publish(): Promise<void>;
}

/** `clock` in Unix seconds. */
export function createPublishing(publish: () => Promise<void>, clock: () => number): Publishing {
  let published_at = clock();
  let wait = first_wait;
  let unseen = 0;
  return {
    arrived: (days) => void (unseen += days),
    isDue: () => unseen > 0 && clock() - published_at >= wait,
    async publish() {
      unseen = 0;
      await publish();
      published_at = clock();
      wait = Math.min(2 * wait, longest_wait);
    },
  };
}
