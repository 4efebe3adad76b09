// The living account: whole local days are written up to today, at the start and at every local midnight.
import { addDay, inOrder, type ServiceAccount } from './account.ts';
import type { DayRecords, Staff } from './records.ts';
import { dateOf, dayAt, dayOf, startOfDay } from './zone.ts';

/** A simulated account: its staff, and each local day from the first, generated from the state of the day before. */
export interface GrowingWorld {
  staff: Staff;
  /** `agents` are those whom the account has when the day is written. */
  day(index: number, carry: unknown, agents: Staff['agents']): { records: DayRecords; carry: unknown };
}

export type WorldMaker = (options: { seed: number; zone: string; firstDay: string }) => GrowingWorld;

/** Progress of the generation: days written, and days in total. */
export type GrowthProgress = (written: number, of: number) => void;

/** Writes one missing day after the other; stop between them to let others work. Gives [written, of] after each. */
export function* missingDays(
  account: ServiceAccount,
  world: GrowingWorld,
  firstDay: string,
): Generator<[number, number]> {
  const { store, zone } = account;
  const first = dayOf(firstDay);
  const today = dayAt(zone, account.now());
  const written = store.setting('last_day') as string | undefined;
  const next = written === undefined ? first : dayOf(written) + 1;
  let carry: unknown = store.setting('carry') ?? null;
  for (let day = next; day <= today; day++) {
    const made = world.day(day - first, carry, account.staff.agents);
    if (made.records.date !== dateOf(day)) throw new Error(`the world made ${made.records.date} for ${dateOf(day)}`);
    carry = made.carry;
    const chats = store.writeDay(made.records, { last_day: dateOf(day), carry });
    addDay(account, made.records, chats);
    yield [day - next + 1, today - next + 1];
  }
  inOrder(account);
}

/** A check that is cheap to call before every answer: at local midnight it writes the new day. */
export function createMidnight(account: ServiceAccount, world: GrowingWorld, firstDay: string): () => void {
  const following = () => startOfDay(account.zone, dayAt(account.zone, account.now()) + 1);
  let next = following();
  return () => {
    if (account.now() < next) return;
    for (const _ of missingDays(account, world, firstDay));
    next = following();
  };
}
