// When agents were logged in, and whether they accepted chats: by agent, as the days were written and as it came to be.
import { createColumns, firstPlace, instantIn, numberOf, type Columns } from './columns.ts';
import type { LoginStatus, StatusInterval } from './records.ts';
import { withChanges, type StatusChange } from './status-changes.ts';

/** Of one agent, in order of time. */
type Intervals = Columns<'from' | 'to' | 'is_accepting'>;

const createIntervals = (): Intervals => createColumns(['from', 'to', 'is_accepting']);

function insert(intervals: Intervals, { from, to, status }: StatusInterval): void {
  const place = firstPlace(intervals.of.from, intervals.length, from, { or_same: false });
  intervals.insert(place, { from, to: numberOf(to), is_accepting: Number(status === 'accepting chats') });
}

const statusAt = ({ of }: Intervals, place: number): LoginStatus =>
  of.is_accepting[place] === 1 ? 'accepting chats' : 'not accepting chats';

function* read(agent: string, intervals: Intervals): Generator<StatusInterval> {
  const { from, to } = intervals.of;
  for (let place = 0; place < intervals.length; place++)
    yield { agent, status: statusAt(intervals, place), from: from[place]!, to: instantIn(to[place]!) };
}

export function createStatuses() {
  /** As the days were written. */
  const shifts = new Map<string, Intervals>();
  /** With the statuses that were set; of agents whose status nobody set, nothing. */
  let changed = new Map<string, Intervals>();
  const intervalsOf = (agent: string): Intervals | undefined => changed.get(agent) ?? shifts.get(agent);
  const agents = (): ReadonlySet<string> => new Set([...shifts.keys(), ...changed.keys()]);

  return {
    /** Adds what a day has; call `lay` before anybody reads. */
    add(interval: StatusInterval): void {
      const { agent } = interval;
      const own = shifts.get(agent) ?? createIntervals();
      shifts.set(agent, own);
      insert(own, interval);
    },
    /** Lays the statuses that were set over the shifts. */
    lay(changes: readonly StatusChange[], removals: readonly { login: string; at: number }[]): void {
      const touched = new Set([...changes.map(({ agent }) => agent), ...removals.map(({ login }) => login)]);
      const own = [...touched].flatMap((agent) => [...read(agent, shifts.get(agent) ?? createIntervals())]);
      changed = new Map([...touched].map((agent) => [agent, createIntervals()]));
      for (const interval of withChanges(own, changes, removals)) insert(changed.get(interval.agent)!, interval);
    },
    /** The earliest, or Infinity without any. */
    earliest: (): number =>
      Math.min(
        ...[...agents()].map((agent) => {
          const own = intervalsOf(agent)!;
          return own.length > 0 ? own.of.from[0]! : Infinity;
        }),
      ),
    /** Status of each agent who is logged in at an instant. */
    at(instant: number): Map<string, LoginStatus> {
      const found = new Map<string, LoginStatus>();
      for (const agent of agents()) {
        const own = intervalsOf(agent)!;
        const place = firstPlace(own.of.from, own.length, instant, { or_same: false }) - 1;
        if (place >= 0 && instant < instantIn(own.of.to[place]!)) found.set(agent, statusAt(own, place));
      }
      return found;
    },
    agents,
    /** Those of one agent, in order of time. */
    of: (agent: string): Generator<StatusInterval> => read(agent, intervalsOf(agent) ?? createIntervals()),
  };
}
