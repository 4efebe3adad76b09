// The simulated account: turns a seed, a zone and a first day into the records of any later day. Nothing here reads a clock: the same
// arguments always give the same records.
import type { AgentRecord, DayRecords, GreetingDisplay, QueueDeparture, Staff } from '../records.ts';
import { arrivalsOf } from './arrivals.ts';
import { createCalendar } from './calendar.ts';
import type { Arrival, Carry, Returning } from './carry.ts';
import { GOALS, GREETINGS, createCannedResponses, createTags } from './catalogue.ts';
import { makeChat } from './chats.ts';
import { ignoredDisplays } from './greetings.ts';
import { visitorId } from './identifiers.ts';
import { route } from './queue.ts';
import { Random } from './random.ts';
import { stretchesOf } from './shifts.ts';
import { GROUPS, createWorkers, hiredOf, workersOf } from './staff.ts';
import { statusesOf } from './statuses.ts';
import { ticketsOf } from './tickets.ts';

export type { Carry } from './carry.ts';

export interface WorldOptions {
  seed: number;
  /** The account's own zone, an IANA name. */
  zone: string;
  /** Local date, YYYY-MM-DD. */
  firstDay: string;
}

export interface World {
  readonly staff: Staff;
  /**
   * The records of the local day with this index (0 is the first day) and the state for the next day. Takes the state of the day before;
   * null starts with an empty account. Throws a RangeError for the state of another day. `agents` are those whom the account has now, if
   * they are not those of the beginning.
   */
  day(index: number, carry: Carry | null, agents?: readonly AgentRecord[]): { records: DayRecords; carry: Carry };
}

const DAYS_TO_COME_BACK = 9;

export function createWorld(options: WorldOptions): World {
  const { seed } = options;
  const calendar = createCalendar(options.zone, options.firstDay);
  const first = createWorkers(seed);
  const opened = calendar(0).start;
  const staff: Staff = {
    agents: first.map((worker) => worker.record),
    groups: [...GROUPS],
    goals: [...GOALS],
    greetings: [...GREETINGS],
    canned_responses: createCannedResponses(opened),
    tags: createTags(opened),
  };

  function day(index: number, carry: Carry | null, agents = staff.agents): { records: DayRecords; carry: Carry } {
    if (carry && carry.day !== index - 1) throw new RangeError(`day ${index} needs the carry of day ${index - 1}`);
    const hired = hiredOf(first, agents, carry?.hired ?? []);
    const workers = workersOf(first, agents, hired);
    const today = calendar(index);
    const stretches = [...stretchesOf(seed, workers, calendar(index - 1)), ...stretchesOf(seed, workers, today)];
    const returning: Returning[] = (carry?.returning ?? []).filter((who) => who[3] > today.start);
    const arrivals = arrivalsOf(seed, today, staff.greetings, returning);
    const guests = createGuestBook(new Random(seed, 'return', index), returning);
    const chats: DayRecords['chats'] = [];
    const departures: QueueDeparture[] = [];
    const displays = ignoredDisplays(seed, today, staff.greetings);
    const maker = { seed, day: index, workers, greetings: staff.greetings };

    const { places, waiting } = route({
      day: today,
      workers,
      stretches,
      arrivals,
      waiting: carry?.waiting ?? [],
      open: carry?.open ?? [],
      begin: (beginning) => {
        const made = makeChat(maker, chats.length, beginning);
        chats.push(made.chat);
        displays.push(...displayOf(beginning.arrival, made.chat.id));
        guests.add(beginning.arrival, made.chat.ended, 0.3);
        return made.places;
      },
      depart: (arrival) => {
        const { visitor, first_seen, group, at: queued, leaves: left } = arrival;
        departures.push({ visitor_id: visitorId(seed, visitor, first_seen), group, queued, left });
        displays.push(...displayOf(arrival, null));
        guests.add(arrival, left, 0.5);
      },
    });
    // TRICKY: a display is written on the day it was shown, so a chat begun after midnight cannot be named in it.
    for (const arrival of waiting) displays.push(...displayOf(arrival, null));
    const records: DayRecords = {
      date: today.date,
      chats,
      departures: departures.sort((a, b) => a.left - b.left),
      displays: displays.sort((a, b) => a.at - b.at),
      statuses: statusesOf(today, workers, stretches, places, carry === null),
      tickets: ticketsOf(seed, today, workers, chats),
    };
    const open = places.filter((place) => place[2] >= today.end);
    const next = { day: index, returning, open, waiting: waiting.map(withoutGreeting) };
    return { records, carry: { ...next, ...(hired.length > 0 && { hired }) } };
  }

  return { staff, day };
}

function displayOf(arrival: Arrival, chatId: string | null): GreetingDisplay[] {
  if (arrival.greeting === null || arrival.shown === null) return [];
  return [{ greeting: arrival.greeting, group: arrival.group, at: arrival.shown, chat_id: chatId }];
}

function withoutGreeting(arrival: Arrival): Arrival {
  return { ...arrival, engagement: 'immediate_start', greeting: null, shown: null };
}

/** Remembers who may return, some time after leaving. */
function createGuestBook(random: Random, returning: Returning[]) {
  const add = (arrival: Arrival, gone: number, probability: number) => {
    if (!random.chance(probability)) return;
    const from = gone + random.between(60, 2 * 86_400);
    const until = gone + DAYS_TO_COME_BACK * 86_400;
    returning.push([arrival.visitor, arrival.first_seen, from, until, arrival.group]);
  };
  return { add };
}
