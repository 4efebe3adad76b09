// The progress of a goal, in plain words.
import type { PeriodGoal } from '#api/contract/period-goals.ts';
import { say } from '#dashboards/numbers.ts';
import { dayName } from '#dashboards/periods.ts';
import { targetWords } from './words.ts';

const words = targetWords.goals;
type Goal = Pick<PeriodGoal, 'kind' | 'amount' | 'from' | 'is_most' | 'pace'>;

/** Sentences: reached so far, expected by now, still needed or why it is out of reach. */
export function paceWords(goal: Goal, locale: string): string[] {
  const { pace, from } = goal;
  if (pace.through === null)
    return [pace.standing === 'not_begun' ? words.begins(dayName(from, locale, true)) : words.none];
  const told = goal.kind === 'chats' ? countWords(goal, locale) : shareWords(goal, locale);
  return [
    ...told,
    ...(pace.weeks === 0 && pace.days_left > 0 ? [words.equalDays] : []),
    ...(pace.unknown_days > 0 ? [words.unknownDays(pace.unknown_days)] : []),
  ];
}

const whole = (value: number, locale: string): string => say(Math.round(value), 'count', locale);
/** For small daily numbers, fractions matter. */
const daily = (value: number, locale: string): string =>
  value < 20 ? say(Math.round(value * 10) / 10, 'count', locale) : whole(value, locale);

function countWords({ amount, pace }: Goal, locale: string): string[] {
  const { reached, expected, per_day, usual_per_day, best_day, days_left, standing } = pace;
  const [is, wanted] = [reached ?? 0, expected ?? 0];
  const sofar = words.sofar(whole(is, locale), whole(amount, locale), dayName(pace.through ?? '', locale));
  if (days_left === 0) return [sofar];
  const apart = Math.round(is) - Math.round(wanted);
  const size = whole(Math.abs(apart), locale);
  const by = whole(wanted, locale);
  const pacing = apart === 0 ? words.asExpected(by) : apart > 0 ? words.ahead(by, size) : words.behindBy(by, size);
  if (per_day === null) return [sofar, pacing];
  const needs = words.needs(daily(per_day, locale), days_left);
  const isOut = standing === 'out_of_reach' && best_day !== null;
  const beside = isOut
    ? words.best(whole(best_day, locale))
    : usual_per_day === null
      ? '.'
      : words.usual(daily(usual_per_day, locale));
  return [sofar, pacing, needs + beside];
}

function shareWords({ kind, is_most, pace }: Goal, locale: string): string[] {
  const { reached, basis, rest_share, usual_per_day, days_left, standing } = pace;
  const day = dayName(pace.through ?? '', locale);
  const { things, must } = words.shares[kind === 'chats' ? 'satisfaction' : kind];
  const sofar =
    reached === null
      ? words.nothing(things, day)
      : words.share(say(reached, 'share', locale), `${whole(basis, locale)} ${things}`, day);
  if (rest_share === null || usual_per_day === null) return [sofar];
  const rest = `${whole(usual_per_day * days_left, locale)} ${things}`;
  if (standing === 'out_of_reach') return [sofar, words.never(rest, is_most, must)];
  const isSafe = is_most ? rest_share >= 1 : rest_share <= 0;
  return [sofar, isSafe ? words.safe(rest) : words.rest(rest, is_most, say(rest_share, 'share', locale), must)];
}
