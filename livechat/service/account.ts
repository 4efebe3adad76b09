// The account in memory: everything that reports and lists read, in order of time, alongside the store. It holds records ahead of the
// clock; each answer reads `now` once and readers compare with it.
import { isDeepStrictEqual } from 'node:util';
import { createChats, type Chats } from './chats.ts';
import type { LightChat } from './light.ts';
import type { GreetingDisplay, QueueDeparture, Staff, StatusInterval, TicketRecord } from './records.ts';
import type { DayRest, ChatStore, Removal } from './store.ts';
import { withChanges, type StatusChange } from './status-changes.ts';
import { zoneNamed, type Zone } from './zone.ts';

/** Unix seconds. */
export type Clock = () => number;

export interface ServiceAccount {
  zone: Zone;
  now: Clock;
  staff: Staff;
  store: ChatStore;
  /** By start, then id. */
  chats: Chats;
  /** By the instant of leaving. */
  departures: QueueDeparture[];
  /** By the instant of showing. */
  displays: GreetingDisplay[];
  /** As the days were written. */
  shifts: StatusInterval[];
  /** Shifts with the manually set statuses applied, sorted by the beginning of the interval. */
  statuses: StatusInterval[];
  /** Statuses that were set, in order of time. */
  changes: StatusChange[];
  /** Removed agents, each with the last removal only. */
  removals: Removal[];
  /** Logins of agents who are removed now: no report names them any more. */
  removed: ReadonlySet<string>;
  tickets: TicketRecord[];
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
    departures: [],
    displays: [],
    shifts: [],
    statuses: [],
    changes: store.statusChanges(),
    removals: store.removals(),
    removed: new Set(),
    tickets: [],
    earliest: Infinity,
  };
  account.removed = removedNow(account);
  addChats(account, store.lightChats());
  for (const day of store.days()) append(account, day);
  account.departures.push(...store.live.departures());
  account.displays.push(...store.live.displays());
  inOrder(account);
  return account;
}

/** Adds a day that has just been written; call `inOrder` before anybody reads. */
export function addDay(account: ServiceAccount, day: DayRest, chats: LightChat[]): void {
  addChats(account, chats);
  append(account, day);
}

function addChats(account: ServiceAccount, chats: Iterable<LightChat>): void {
  for (const chat of chats) account.chats.add(chat);
}

function append(account: ServiceAccount, day: DayRest): void {
  for (const departure of day.departures) account.departures.push(departure);
  for (const display of day.displays) account.displays.push(display);
  for (const status of day.statuses) account.shifts.push(status);
  for (const ticket of day.tickets) account.tickets.push(ticket);
}

/** Brings the records into the order that reports rely on. */
export function inOrder(account: ServiceAccount): void {
  const { chats, departures, displays, tickets } = account;
  chats.arrange();
  departures.sort((a, b) => a.left - b.left);
  displays.sort((a, b) => a.at - b.at);
  layStatuses(account);
  tickets.sort((a, b) => a.created - b.created);
  account.earliest = Math.min(
    chats.length > 0 ? chats.startedAt(0) : Infinity,
    departures[0]?.left ?? Infinity,
    displays[0]?.at ?? Infinity,
    account.statuses[0]?.from ?? Infinity,
    tickets[0]?.created ?? Infinity,
  );
}

function layStatuses(account: ServiceAccount): void {
  account.shifts.sort((a, b) => a.from - b.from);
  account.statuses = withChanges(account.shifts, account.changes, account.removals).sort((a, b) => a.from - b.from);
}

/** Reloads what an action may have changed: the lists and who is available. Memory is never ahead of the file. */
export function renew(account: ServiceAccount): void {
  account.staff = account.store.staff.read();
  const [changes, removals] = [account.store.statusChanges(), account.store.removals()];
  if (isDeepStrictEqual([changes, removals], [account.changes, account.removals])) return;
  Object.assign(account, { changes, removals });
  account.removed = removedNow(account);
  layStatuses(account);
}

const removedNow = ({ removals }: ServiceAccount): ReadonlySet<string> =>
  new Set(removals.filter(({ back_at }) => back_at === null).map(({ login }) => login));

/** Takes a chat that was written into memory, in the place of the one with its number, if there is one. */
export function putChat(account: ServiceAccount, chat: LightChat): void {
  account.chats.put(chat);
  account.earliest = Math.min(account.earliest, chat.started);
}

/** The chat of that id. */
export function chatOf({ store, chats }: ServiceAccount, id: string): LightChat | undefined {
  const number = store.live.numberOf(id);
  return number === undefined ? undefined : chats.of(number);
}

/** Takes a visitor who left the queue into memory. */
export function putDeparture(account: ServiceAccount, departure: QueueDeparture): void {
  account.departures.push(departure);
  account.departures.sort((a, b) => a.left - b.left);
}

/** Takes a greeting that was seen into memory. */
export function putDisplay(account: ServiceAccount, display: GreetingDisplay): void {
  account.displays.push(display);
  account.displays.sort((a, b) => a.at - b.at);
}
