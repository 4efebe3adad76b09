// The account in memory: everything that reports and lists read, in order of time, alongside the store. It holds records ahead of the
// clock; each answer reads `now` once and readers compare with it.
import { isDeepStrictEqual } from 'node:util';
import { createChats, type Chats } from './chats.ts';
import type { LightChat } from './light.ts';
import { createDepartures } from './departures.ts';
import { createDisplays } from './displays.ts';
import type { Staff } from './records.ts';
import { createStatuses } from './statuses.ts';
import type { DayRest, ChatStore, Removal } from './store.ts';
import type { StatusChange } from './status-changes.ts';
import { createTagCounts, type Tagged } from './tag-counts.ts';
import { createTickets, type Ticket } from './tickets.ts';
import { zoneNamed, type Zone } from './zone.ts';

type TagCounts = ReturnType<typeof createTagCounts>;

/** Unix seconds. */
export type Clock = () => number;

export interface ServiceAccount {
  zone: Zone;
  now: Clock;
  staff: Staff;
  store: ChatStore;
  /** By start, then id. */
  chats: Chats;
  departures: ReturnType<typeof createDepartures>;
  displays: ReturnType<typeof createDisplays>;
  statuses: ReturnType<typeof createStatuses>;
  /** Statuses that were set, in order of time. */
  changes: StatusChange[];
  /** Removed agents, each with the last removal only. */
  removals: Removal[];
  /** Logins of agents who are removed now: no report names them any more. */
  removed: ReadonlySet<string>;
  tickets: ReturnType<typeof createTickets>;
  /** How many of them have each tag. */
  tags: { chats: TagCounts; tickets: TagCounts };
  /** The earliest instant of any record, or Infinity without records. */
  earliest: number;
}

/** Loads the account from the store. */
export function loadAccount(store: ChatStore, staff: Staff, zone: string, now: Clock): ServiceAccount {
  const account: ServiceAccount = {
    zone: zoneNamed(zone),
    now,
    staff,
    store,
    chats: createChats(),
    departures: createDepartures(),
    displays: createDisplays(),
    statuses: createStatuses(),
    changes: store.statusChanges(),
    removals: store.removals(),
    removed: new Set(),
    tickets: createTickets(),
    tags: { chats: createTagCounts(now()), tickets: createTagCounts(now()) },
    earliest: Infinity,
  };
  account.removed = removedNow(account);
  addChats(account, store.lightChats());
  for (const day of store.days()) append(account, day);
  for (const departure of store.live.departures()) account.departures.put(departure);
  for (const display of store.live.displays()) account.displays.put(display);
  inOrder(account);
  return account;
}

/** Adds a day that has just been written; call `inOrder` before anybody reads. */
export function addDay(account: ServiceAccount, day: DayRest, chats: LightChat[]): void {
  addChats(account, chats);
  append(account, day);
}

/** Adds everything but the chats of a day that has just been written. */
export function addRest(account: ServiceAccount, day: DayRest): void {
  append(account, day);
  laid(account);
}

function addChats(account: ServiceAccount, chats: Iterable<LightChat>): void {
  for (const chat of chats) {
    account.chats.add(chat);
    account.tags.chats.add(taggedChat(chat));
  }
}

function append(account: ServiceAccount, day: DayRest): void {
  for (const departure of day.departures) account.departures.put(departure);
  for (const display of day.displays) account.displays.put(display);
  for (const status of day.statuses) account.statuses.add(status);
  for (const ticket of day.tickets) {
    account.tickets.put(ticket);
    account.tags.tickets.add(taggedTicket(ticket, account.tickets.length));
  }
}

/** Brings the records into the order that reports rely on. */
export function inOrder(account: ServiceAccount): void {
  account.chats.arrange();
  laid(account);
}

function laid(account: ServiceAccount): void {
  const { chats, departures, displays, statuses, tickets } = account;
  statuses.lay(account.changes, account.removals);
  account.earliest = Math.min(
    chats.length > 0 ? chats.startedAt(0) : Infinity,
    ...[departures, displays, statuses, tickets].map(({ earliest }) => earliest()),
  );
}

/** Reloads what an action may have changed: the lists and who is available. Memory is never ahead of the file. */
export function renew(account: ServiceAccount): void {
  account.staff = account.store.staff.read();
  const [changes, removals] = [account.store.statusChanges(), account.store.removals()];
  if (isDeepStrictEqual([changes, removals], [account.changes, account.removals])) return;
  Object.assign(account, { changes, removals });
  account.removed = removedNow(account);
  account.statuses.lay(changes, removals);
}

const removedNow = ({ removals }: ServiceAccount): ReadonlySet<string> =>
  new Set(removals.filter(({ back_at }) => back_at === null).map(({ login }) => login));

/** Takes a chat that was written into memory, in the place of the one with its number, if there is one. */
export function putChat(account: ServiceAccount, chat: LightChat): void {
  const had = account.chats.of(chat.number);
  account.chats.put(chat);
  if (had) account.tags.chats.replace(taggedChat(had), taggedChat(chat));
  else account.tags.chats.add(taggedChat(chat));
  account.earliest = Math.min(account.earliest, chat.started);
}

/** How many ended chats, and how many tickets, have each tag. */
export function tagCounts({ chats, tickets, tags }: ServiceAccount, now: number) {
  return {
    chats: tags.chats.at(now, () => chats[Symbol.iterator]().map(taggedChat)),
    tickets: tags.tickets.at(now, () => tickets.between(-Infinity, now).map(taggedTicket)),
  };
}

const taggedChat = ({ number, ended, tags }: LightChat): Tagged => ({ number, from: ended, tags });
const taggedTicket = ({ created, tags }: Ticket, number: number): Tagged => ({
  ...{ number, from: created },
  tags: tags.map((tag) => ({ at: created, tag })),
});

/** The chat of that id. */
export function chatOf({ store, chats }: ServiceAccount, id: string): LightChat | undefined {
  const number = store.live.numberOf(id);
  return number === undefined ? undefined : chats.of(number);
}
