// Notifications sent to owners of digests: each (digest, period, state) once.
import type { DatabaseSync } from 'node:sqlite';

/** States of a send that its owner is notified about. */
export const troubles = ['held', 'failed', 'unknown'] as const;
type Trouble = (typeof troubles)[number];

export interface Matter {
  digest: string;
  /** Label of the period. */
  period: string;
  state: Trouble;
}

export interface Notified {
  /** True for exactly one caller, who then tells it. `now` in Unix seconds. */
  claim(matter: Matter, now: number): boolean;
  /** The notification failed for now; it may be claimed again. */
  release(matter: Matter): void;
  /** All of a period may be told again. */
  forget(about: Omit<Matter, 'state'>): void;
}

const table = `
create table if not exists digest_told (
  digest text not null, period text not null, state text not null, at integer not null,
  primary key (digest, period, state)) strict;`;

export function createNotified(database: DatabaseSync): Notified {
  database.exec(table);
  const claim = database.prepare(
    'insert or ignore into digest_told (digest, period, state, at) values (:digest, :period, :state, :now)',
  );
  const release = database.prepare(
    'delete from digest_told where digest = :digest and period = :period and state = :state',
  );
  const forget = database.prepare('delete from digest_told where digest = ? and period = ?');
  const keyOf = ({ digest, period, state }: Matter) => ({ digest, period, state });
  return {
    claim: (matter, now) => claim.run({ ...keyOf(matter), now }).changes === 1,
    forget: ({ digest, period }) => void forget.run(digest, period),
    release: (matter) => void release.run(keyOf(matter)),
  };
}
