// Runs the simulated account over many days, for the tests of this folder.
import type { DayRecords } from '../../../../livechat/service/records.ts';
import { type Carry, type World, createWorld } from '../../../../livechat/service/world/world.ts';

export const ZONE = 'Europe/Berlin';

export interface Simulated {
  world: World;
  days: DayRecords[];
  chats: DayRecords['chats'];
}

const known = new Map<string, Simulated>();

/** The first days of an account that opens on 1 January 2026; simulated once per seed, length and zone. */
export function simulated(seed: number, length: number, zone = ZONE, firstDay = '2026-01-01'): Simulated {
  const key = `${seed} ${length} ${zone} ${firstDay}`;
  const found = known.get(key);
  if (found) return found;
  const world = createWorld({ seed, zone, firstDay });
  const days: DayRecords[] = [];
  let carry: Carry | null = null;
  for (let index = 0; index < length; index++) {
    const step: { records: DayRecords; carry: Carry } = world.day(index, carry);
    days.push(step.records);
    carry = step.carry;
  }
  const account = { world, days, chats: days.flatMap((day) => day.chats) };
  known.set(key, account);
  return account;
}
