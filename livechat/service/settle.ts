// Fixes an account's parameters at its first start: seed, zone and first day. Later starts must match them.
import type { ChatStore } from './store.ts';
import { dateOf, dayAt, zoneNamed } from './zone.ts';

interface WorldOrigin {
  seed: number;
  zone: string;
  firstDay: string;
}

/** The file holds an account of another seed or zone. */
export class OtherAccount extends Error {
  override readonly name = 'OtherAccount';

  constructor(had: WorldOrigin, asked: { seed: number; zone: string }) {
    super(
      `the service's file holds an account of seed ${had.seed} in ${had.zone}, not of seed ${asked.seed} in ` +
        `${asked.zone}: start with the former, or with another data folder`,
    );
  }
}

/** The first day, YYYY-MM-DD: the stored one, or `days` - 1 before today at the first start. */
export function settle(store: ChatStore, asked: { seed: number; zone: string; days: number }, now: number): string {
  const had = store.setting('origin') as WorldOrigin | undefined;
  if (had) {
    if (had.seed !== asked.seed || had.zone !== asked.zone) throw new OtherAccount(had, asked);
    return had.firstDay;
  }
  if (!Number.isInteger(asked.days) || asked.days < 1) throw new RangeError('days must be a whole number from 1 on');
  const firstDay = dateOf(dayAt(zoneNamed(asked.zone), now) - asked.days + 1);
  store.putSetting('origin', { seed: asked.seed, zone: asked.zone, firstDay });
  return firstDay;
}
