// What `start` waits for until requests may be sent to it: the source, and a writer that has opened its files.

export interface Readiness {
  /** The source can be asked, and pulls are scheduled. */
  scheduled(): void;
  /** A writer has opened its files, migrated where they were of an older version. */
  writing(): void;
  /** The program is told to end. */
  ending(): void;
  /** What is missing, in a sentence; null: nothing. */
  missing(): string | null;
}

/** A writer that cannot begin later, while another command holds its files, changes nothing: the snapshot is served all the same. */
export function watchReadiness(): Readiness {
  let state: 'starting' | 'scheduled' | 'writing' | 'ending' = 'starting';
  const sentences = {
    starting: 'the source of the numbers is being started',
    scheduled: 'no writer has opened the warehouse yet; after an upgrade it is migrated first',
    writing: null,
    ending: 'the program is ending',
  } as const;
  return {
    scheduled() {
      if (state === 'starting') state = 'scheduled';
    },
    writing() {
      if (state !== 'ending') state = 'writing';
    },
    ending() {
      state = 'ending';
    },
    missing: () => sentences[state],
  };
}
