// The progress of a period towards its goal: reached so far, expected by now, and still needed or out of reach.
import { dateOf, dayNumber } from '#warehouse/periods.ts';
import { least_judged } from '../targets/judge.ts';
import { rhythmFor, weekdayOf } from './rhythm.ts';

export const standings = [
  'not_begun',
  'unknown',
  'too_few',
  'ahead',
  'behind',
  'out_of_reach',
  'reached',
  'missed',
] as const;
type GoalStanding = (typeof standings)[number];

export interface Pace {
  standing: GoalStanding;
  /** The last day that is over and known; null: none is. */
  through: string | null;
  /** Chats so far, or the share so far. */
  reached: number | null;
  /** Denominator of the share; for counts the same as reached. */
  basis: number;
  /** Chats that there would be by then at the usual rhythm; of a share the goal itself. */
  expected: number | null;
  days_left: number;
  /** Chats a day that are still needed on the days left; null for shares, and where nothing is needed. */
  per_day: number | null;
  /** What the remaining days usually bring per day: chats, or the denominator of the share. */
  usual_per_day: number | null;
  /** The most that a known day has brought. */
  best_day: number | null;
  /** Share that the rest must have, at least or at most; null for chats. */
  rest_share: number | null;
  /** Whole weeks that the rhythm rests on; 0: days are taken as equal. */
  weeks: number;
  /** Days of the period that are over and not known. */
  unknown_days: number;
}

/** What a known day contributed: the count, and for shares how many of them qualify. */
export interface KnownDay {
  n: number;
  part: number;
}

export interface PaceQuestion {
  from: string;
  to: string;
  amount: number;
  /** A share of `n`; otherwise `n` itself is what adds up. */
  isShare: boolean;
  /** Whether the goal is an upper limit. */
  isMost: boolean;
  /** Days that are over, of the period and before it. */
  known: ReadonlyMap<string, KnownDay>;
  /** Local day of now. */
  today: string;
}

const grain = 1e-9;
const daysFrom = (from: string, to: string): string[] =>
  from > to ? [] : Array.from({ length: dayNumber(to) - dayNumber(from) + 1 }, (_, at) => dateOf(dayNumber(from) + at));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export function paceOf(asked: PaceQuestion): Pace {
  const { from, to, known, today } = asked;
  const days = daysFrom(from, to);
  const through = days.findLast((day) => known.has(day)) ?? null;
  const next = through === null ? today : dateOf(dayNumber(through) + 1);
  const passed = through === null ? [] : days.filter((day) => day <= through);
  const counted = passed.filter((day) => known.has(day));
  const left = days.filter((day) => through === null || day > through);
  const amounts = new Map([...known].map(([day, { n }]) => [day, n]));
  const rhythm = rhythmFor(amounts, from < today ? from : today, next);
  const usual = (some: readonly string[]): number => sumOf(some.map((day) => rhythm.usual[weekdayOf(day)] ?? 0));
  const about = {
    ...{ through, days_left: left.length, weeks: rhythm.weeks, unknown_days: passed.length - counted.length },
    usual_per_day: rhythm.weeks > 0 && left.length > 0 ? usual(left) / left.length : null,
    best_day: known.size > 0 ? Math.max(...[...known.values()].map(({ n }) => n)) : null,
    basis: sumOf(counted.map((day) => known.get(day)?.n ?? 0)),
  };
  const isBegun = from <= today;
  if (through === null) return { ...about, ...nothingYet, standing: isBegun ? 'unknown' : 'not_begun' };
  if (!asked.isShare) return { ...about, ...countPace(asked, about, usual(counted) / usual(days)) };
  const part = sumOf(counted.map((day) => known.get(day)?.part ?? 0));
  return { ...about, ...sharePace(asked, about, part, rhythm.weeks > 0 ? usual(left) : null) };
}

const nothingYet = { reached: null, expected: null, per_day: null, rest_share: null };

type PaceBasis = Pick<Pace, 'basis' | 'days_left' | 'best_day' | 'weeks'>;
type Reckoned = Pick<Pace, 'standing' | 'reached' | 'expected' | 'per_day' | 'rest_share'>;

/** `gone`: the elapsed part of the period's usual total. */
function countPace({ amount }: PaceQuestion, { basis, days_left, best_day, weeks }: PaceBasis, gone: number): Reckoned {
  const [missing, expected] = [amount - basis, amount * gone];
  const per_day = missing > 0 && days_left > 0 ? missing / days_left : null;
  const told = { reached: basis, expected, per_day, rest_share: null };
  if (missing <= 0) return { ...told, standing: 'reached' };
  if (days_left === 0) return { ...told, standing: 'missed' };
  // More than the busiest day that there was, on every day that is left.
  if (weeks > 0 && best_day !== null && (per_day ?? 0) > best_day) return { ...told, standing: 'out_of_reach' };
  return { ...told, standing: basis >= expected - grain ? 'ahead' : 'behind' };
}

/** `rest`: the usual denominator of the remaining days; null if unknown. */
function sharePace(
  { amount, isMost }: PaceQuestion,
  { basis, days_left }: PaceBasis,
  part: number,
  rest: number | null,
): Reckoned {
  const reached = basis > 0 ? part / basis : null;
  const rest_share = rest !== null && rest > 0 && days_left > 0 ? (amount * (basis + rest) - part) / rest : null;
  const told = { reached, expected: amount, per_day: null, rest_share };
  const isMet = reached !== null && (isMost ? reached <= amount + grain : reached >= amount - grain);
  if (days_left === 0) {
    if (reached === null) return { ...told, standing: 'unknown' };
    return { ...told, standing: basis < least_judged ? 'too_few' : isMet ? 'reached' : 'missed' };
  }
  const isOut = rest_share !== null && (isMost ? rest_share < 0 : rest_share > 1);
  if (isOut) return { ...told, standing: 'out_of_reach' };
  if (basis < least_judged) return { ...told, standing: 'too_few' };
  return { ...told, standing: isMet ? 'ahead' : 'behind' };
}
