// One action over the store: all of it is written in one transaction, and memory follows when that has been committed.
import { renew, type ServiceAccount } from '../account.ts';
import type { Change } from '../webhooks/change.ts';
import { enqueue } from '../webhooks/enqueue.ts';

export interface Turn {
  account: ServiceAccount;
  /** Unix seconds; one instant for the whole action. */
  now: number;
  /** Scheme, host and port under which the service was called; missing of what happens by itself. */
  origin?: string;
  /** What webhooks are made of, in order. */
  changes: Change[];
  /** Brings memory up to what was written; runs after the commit. */
  after: (() => void)[];
}

/** Runs the action; throws what it throws, and then nothing was changed. */
export function act<T>(account: ServiceAccount, action: (turn: Turn) => T, origin?: string): T {
  const turn: Turn = { account, now: account.now(), changes: [], after: [], ...(origin !== undefined && { origin }) };
  const done = account.store.transact(() => {
    const answer = action(turn);
    enqueue(account.store, turn.changes, turn.now);
    return answer;
  });
  for (const follow of turn.after) follow();
  return done;
}

/** Memory takes up who is available once the action is written. */
export const renewAfter = (turn: Turn): void => void turn.after.push(() => renew(turn.account));
