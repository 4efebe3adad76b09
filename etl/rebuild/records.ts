// Copies what no answer contains: the pulls and what they cost.
import type { Store } from '#warehouse/engine.ts';
import { askedAt } from '#warehouse/ledger/periods.ts';
import { pullsKnown } from '#warehouse/ledger/pulls.ts';
import { pullsHeld } from '#warehouse/raw/responses.ts';
import { tableOf } from '#warehouse/tables/tables.ts';

/** Questions loaded at that moment, named as in raw/events.ts: batches of one second may be partly written. */
export async function loadedAt(engine: Store, account: string, second: number): Promise<Set<string>> {
  const asked = await askedAt(engine, account, second);
  return new Set(
    asked.map(({ source, grain, split, split_value, day }) => {
      if (source.startsWith('account.')) return source;
      if (source.startsWith('archive')) return `${source} ${day}`;
      return [source, grain, split, split_value, day].join(' ');
    }),
  );
}

/** A pull that only the raw archive knows gets a row with what can be said of it. */
export async function namePulls(engine: Store, archive: Store): Promise<void> {
  const names = new Set((await pullsKnown(engine)).map(({ account, pull_id }) => `${account} ${pull_id}`));
  const unknown = (await pullsHeld(archive)).filter(({ account, pull_id }) => !names.has(`${account} ${pull_id}`));
  const none = { chats_new: 0, chats_changed: 0, chats_unchanged: 0 };
  const state = { state: 'cut_off', error: 'only the raw archive knows of this pull' };
  await engine.load(
    tableOf('ledger', 'pulls'),
    unknown.map((row) => ({ ...row, ...none, ...state })),
  );
}
