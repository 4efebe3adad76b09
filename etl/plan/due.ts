// When a local day must be asked again: open days always, settling days ever more rarely, complete days once more.
import { defaultSettlingDays } from '#warehouse/ledger/pulls.ts';
import { endOf } from '../days.ts';

/** A settling day is asked again after this share of its age: within minutes an hour after its end, within a day after a week. */
const share_of_age = 1 / 8;
/** After one failure the next pull asks again; then the wait doubles from this many seconds up to a day. */
const after_failing = 450;
const longest_after_failing = 86_400;

/** The ledger's record of a day that was asked. Unix seconds. */
interface AskedDay {
  /** When it was last received; null when it never was. */
  received_at: number | null;
  /** When it was last asked, whatever came. */
  asked_at: number;
  /** Times in a row that asking gave nothing usable, or records that had to be set aside. */
  failures: number;
}

/** `complete`: received after it had settled. Nothing: never asked. */
export type Last = AskedDay | 'complete' | undefined;

/** The ledger's records of one source and split, day by day. */
export type LastPulls = (source: string, grain: string, split: string, value: string) => (day: string) => Last;

export interface PlanClock {
  timezone: string;
  /** Unix seconds. */
  now: number;
  /** Days after its end during which a day is settling; by default `defaultSettlingDays`. */
  settling_days?: number | undefined;
}

/** When the local day has settled, in Unix seconds. */
export const settlesAt = (
  day: string,
  { timezone, settling_days = defaultSettlingDays }: Omit<PlanClock, 'now'>,
): number => endOf(day, timezone) + settling_days * 86_400;

/** Open or settling: cheap questions over several days simply include it. */
const isEveryPull = (day: string, moment: PlanClock): boolean => moment.now < settlesAt(day, moment);

/** Seconds until a question is asked again after this many failures in a row. */
export const waitAfter = (failures: number): number =>
  failures < 2 ? 0 : Math.min(longest_after_failing, after_failing * 2 ** (failures - 1));

/** It was asked in this pull already, or failed too often of late. */
const isTooSoon = ({ asked_at, failures }: AskedDay, now: number): boolean =>
  asked_at >= now || now < asked_at + waitAfter(failures);

/** For questions that cost a request per day. */
export function isDue(day: string, last: Last, moment: PlanClock): boolean {
  if (last === undefined || last === 'complete') return last === undefined;
  const { timezone, now } = moment;
  if (isTooSoon(last, now)) return false;
  const { received_at } = last;
  if (received_at === null || last.failures > 0) return true;
  const end = endOf(day, timezone);
  if (now < end || received_at < end) return true;
  const settled = settlesAt(day, moment);
  if (now < settled) return now - received_at >= (now - end) * share_of_age;
  return received_at < settled;
}

/** It settled, was received after that, and was not asked in this pull. */
export const isToRecheck = (day: string, last: Last, moment: PlanClock): boolean =>
  last === 'complete' ||
  (last?.received_at != null && last.received_at >= settlesAt(day, moment) && !isTooSoon(last, moment.now));

/** For questions that take several days at once: open and settling days go along with every pull. */
export const isDueTogether = (day: string, last: Last, moment: PlanClock): boolean =>
  isDue(day, last, moment) ||
  (last !== undefined && last !== 'complete' && !isTooSoon(last, moment.now) && isEveryPull(day, moment));

/**
 * The questions of a second round of the same pull: only changed days, and only what this pull has not asked yet. `started` is the start
 * of the pull (Unix seconds).
 */
export const onlyChanged =
  (known: LastPulls, changed: ReadonlySet<string>, started: number): LastPulls =>
  (source, grain, split, value) => {
    const lastOf = known(source, grain, split, value);
    return (day) => {
      if (!changed.has(day)) return 'complete';
      const last = lastOf(day);
      return last !== undefined && last !== 'complete' && last.asked_at >= started ? 'complete' : undefined;
    };
  };
