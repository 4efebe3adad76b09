// The living account: whole local days are written up to today, at the start, and shortly before every local midnight the one to come.
import { addDay, addRest, inOrder, putChat, type ServiceAccount } from './account.ts';
import { handedOn } from './live/removal.ts';
import type { DayRecords, Staff } from './records.ts';
import { inSlices } from './slices.ts';
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

/** Seconds before midnight from which on the day to come is written. */
const ahead_seconds = 600;

/** A day whose chats are being written, and the agents of whom the world made it; so it makes the same of them again. */
interface BegunDay {
  date: string;
  agents: Staff['agents'];
}

type MadeDay = ReturnType<GrowingWorld['day']>;

/** The day as the world makes it, and whether it has been begun. */
function madeDay({ store, staff }: ServiceAccount, world: GrowingWorld, first: number, day: number) {
  const begun = store.setting('begun_day') as BegunDay | null | undefined;
  const is_begun = begun?.date === dateOf(day);
  const agents = is_begun ? begun.agents : staff.agents;
  const made = world.day(day - first, store.setting('carry') ?? null, agents);
  if (made.records.date !== dateOf(day)) throw new Error(`the world made ${made.records.date} for ${dateOf(day)}`);
  return { made, agents, is_begun };
}

const endOf = ({ records, carry }: MadeDay) => ({ last_day: records.date, carry, begun_day: null });

/** Writes a day, or what is missing of it, piece by piece; each is whole in itself, and others may act between two of them. */
function* inPieces(account: ServiceAccount, world: GrowingWorld, first: number, day: number): Generator<void> {
  const { store } = account;
  const { made, agents, is_begun } = madeDay(account, world, first, day);
  const { chats, ...rest } = made.records;
  yield;
  if (!is_begun) {
    store.transact(() => {
      store.putDay(rest);
      store.putSetting('begun_day', { date: rest.date, agents } satisfies BegunDay);
    });
    addRest(account, rest);
  }
  for (const chat of chats) {
    yield;
    if (store.live.numberOf(chat.id) === undefined)
      putChat(
        account,
        store.transact(() => store.addChat(handedOn(account, chat))),
      );
  }
  yield;
  store.transact(() => {
    for (const [name, value] of Object.entries(endOf(made))) store.putSetting(name, value);
  });
}

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
  if (next > today) return;
  for (let day = next; day <= today; day++) {
    const { made, is_begun } = madeDay(account, world, first, day);
    if (is_begun) for (const _ of inPieces(account, world, first, day));
    else addDay(account, made.records, store.writeDay(made.records, endOf(made)));
    yield [day - next + 1, today - next + 1];
  }
  inOrder(account);
}

interface Midnight {
  /** At local midnight it writes the new day, or what is missing of it; cheap to call before every answer. */
  pass(): void;
  /** Shortly before midnight it writes the day to come, in slices. Cheap when nothing is to be done. */
  prepare(): Promise<void>;
  /** Nothing is written any more. */
  end(): void;
}

export function createMidnight(account: ServiceAccount, world: GrowingWorld, firstDay: string): Midnight {
  const { store, zone, now } = account;
  const following = () => startOfDay(zone, dayAt(zone, now()) + 1);
  let next = following();
  let preparing: { is_over: boolean } | undefined;
  const end = (): void => {
    if (preparing) preparing.is_over = true;
  };
  return {
    pass() {
      if (now() < next) return;
      end();
      for (const _ of missingDays(account, world, firstDay));
      next = following();
    },
    async prepare() {
      const day = dayAt(zone, now()) + 1;
      if (preparing || now() < next - ahead_seconds || now() >= next || store.setting('last_day') === dateOf(day))
        return;
      const own = (preparing = { is_over: false });
      try {
        await inSlices(whileNotOver(own, inPieces(account, world, dayOf(firstDay), day)), () => undefined);
      } finally {
        preparing = undefined;
      }
    },
    end,
  };
}

function* whileNotOver(work: { is_over: boolean }, pieces: Iterable<void>): Generator<void> {
  for (const _ of pieces) {
    yield;
    if (work.is_over) return;
  }
}
