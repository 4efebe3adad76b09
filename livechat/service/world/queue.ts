// The routing of one day: visitors arrive, wait for a free place at an agent of their group, or lose patience.
import type { LocalDay } from './calendar.ts';
import type { Arrival, QueuePlace } from './carry.ts';
import type { ShiftInterval } from './shifts.ts';
import { type Worker, servesGroup } from './staff.ts';

/** What a conversation knows about the moment in which it begins. */
export interface Beginning {
  arrival: Arrival;
  worker: Worker;
  at: number;
  /** The wait, null for who did not have to. */
  waited: number | null;
  /** How many chats the agent has now, this one included. */
  load: number;
  /** Colleagues who could take the chat over and will still be there in half an hour. */
  heirs: readonly Worker[];
}

interface Routing {
  day: LocalDay;
  workers: readonly Worker[];
  stretches: readonly ShiftInterval[];
  arrivals: readonly Arrival[];
  waiting: readonly Arrival[];
  open: readonly QueuePlace[];
  /** Holds the conversation and returns the agent slots that it takes, the first agent's first. */
  begin: (beginning: Beginning) => QueuePlace[];
  /** Told of everybody who went away at `leaves`; the group is the one waited in. */
  depart: (arrival: Arrival) => void;
}

/** Every place taken on the day and who still waits at its end. */
export function route(routing: Routing): { places: QueuePlace[]; waiting: Arrival[] } {
  const { day, workers } = routing;
  const desk = createDesk(workers, routing.stretches);
  const places: QueuePlace[] = [...routing.open];
  const releases = createTimeline();
  for (const place of routing.open) hold(place);
  for (const stretch of routing.stretches) if (stretch.accepting) releases.add(stretch.from, -1 - stretch.agent);
  let waiting: Arrival[] = [...routing.waiting];

  function hold(place: QueuePlace): void {
    desk.take(place[0]);
    releases.add(place[2], place[0]);
  }

  function start(arrival: Arrival, worker: Worker, at: number, waited: number | null): void {
    const load = desk.load(worker.index) + 1;
    const heirs = workers.filter((other) => other !== worker && desk.isFree(other, at) && desk.isIn(other, at + 1800));
    const taken = routing.begin({ arrival, worker, at, waited, load, heirs });
    for (const place of taken) hold(place);
    places.push(...taken);
  }

  function dropImpatient(now: number): void {
    waiting = waiting.filter((arrival) => {
      if (arrival.leaves > now) return true;
      routing.depart(arrival);
      return false;
    });
  }

  /** A slot is free: the visitor who has waited longest, of those whom the agent serves, comes first. */
  function callNext(worker: Worker, now: number): void {
    dropImpatient(now);
    while (desk.isFree(worker, now)) {
      const next = waiting.find((arrival) => servesGroup(worker, arrival.group));
      if (!next) return;
      waiting = waiting.filter((arrival) => arrival !== next);
      start(next, worker, now, now - next.at);
    }
  }

  function admit(arrival: Arrival): void {
    const at = arrival.at;
    if (!workers.some((worker) => desk.isIn(worker, at))) return;
    const isStaffed = workers.some((worker) => servesGroup(worker, arrival.group) && desk.accepts(worker, at));
    if (!isStaffed) return passOn(arrival, at);
    const worker = desk.leastBusy(arrival.group, at);
    // A wait of less than a second: queued and called in the same one.
    if (worker) start(arrival, worker, at, at % 211 === 0 ? 0 : null);
    else waiting.push(arrival);
  }

  /** Nobody of the group takes chats now: a colleague helps out, or the visitor waits for the end of a break. */
  function passOn(arrival: Arrival, at: number): void {
    const isOnBreak = workers.some((worker) => servesGroup(worker, arrival.group) && desk.isIn(worker, at));
    if (isOnBreak && at % 4 === 0) return void waiting.push(arrival);
    const colleague = desk.leastBusy(0, at);
    const ofEverybody = { ...arrival, group: 0 };
    if (colleague) start(at % 5 === 0 ? ofEverybody : arrival, colleague, at, null);
    else waiting.push(isOnBreak ? arrival : ofEverybody);
  }

  function releaseUntil(now: number): void {
    for (let next = releases.takeUntil(now); next; next = releases.takeUntil(now)) {
      const index = next.agent < 0 ? -1 - next.agent : next.agent;
      if (next.agent >= 0) desk.release(index);
      const worker = workers[index];
      if (worker && next.at >= day.start) callNext(worker, next.at);
    }
  }

  for (const arrival of routing.arrivals) {
    releaseUntil(arrival.at);
    admit(arrival);
  }
  releaseUntil(day.end - 1);
  dropImpatient(day.end - 1);
  return { places, waiting };
}

function createDesk(workers: readonly Worker[], stretches: readonly ShiftInterval[]) {
  const loads = workers.map(() => 0);
  const mine = workers.map((worker) => stretches.filter((stretch) => stretch.agent === worker.index));
  const load = (index: number) => loads[index] ?? 0;
  const isIn = (worker: Worker, at: number) =>
    (mine[worker.index] ?? []).some((stretch) => stretch.from <= at && at < stretch.to);
  const accepts = (worker: Worker, at: number) =>
    (mine[worker.index] ?? []).some((stretch) => stretch.accepting && stretch.from <= at && at < stretch.to);
  const isFree = (worker: Worker, at: number) =>
    load(worker.index) < worker.record.max_chats_count && accepts(worker, at);
  const leastBusy = (group: number, at: number) => {
    let best: Worker | null = null;
    for (const worker of workers) {
      if (!servesGroup(worker, group) || !isFree(worker, at)) continue;
      if (!best || load(worker.index) < load(best.index)) best = worker;
    }
    return best;
  };
  const take = (index: number) => void (loads[index] = load(index) + 1);
  const release = (index: number) => void (loads[index] = load(index) - 1);
  return { load, isIn, accepts, isFree, leastBusy, take, release };
}

/** What happens later, in order of time; equal times in the order they were added. */
function createTimeline() {
  const coming: { at: number; agent: number }[] = [];
  const add = (at: number, agent: number) => {
    let place = coming.length;
    while (place > 0 && (coming[place - 1]?.at ?? 0) <= at) place--;
    coming.splice(place, 0, { at, agent });
  };
  const takeUntil = (now: number) => ((coming.at(-1)?.at ?? Infinity) <= now ? coming.pop() : undefined);
  return { add, takeUntil };
}
