// The words that pictures say: states, comparisons and summaries, in one place for translation.
import type { Figure, State } from './answer.ts';

export const words = {
  no_data: 'no data',
  not_pulled: 'not pulled yet',
  not_given: 'not given',
  period: 'Period',
  state: 'State',
  currency: 'Currency',
  untagged: 'without a tag',
  hour: 'Hour',
  weekday: 'Weekday',
  previous: 'the period before',
  unsettledKey: 'open or settling, may still change',
  soFar: 'still open',
  notFinal: 'may still change',
  highest: (name: string, value: string, where: string) => `${name}: highest ${value} (${where})`,
  lowest: (value: string, where: string) => `lowest ${value} (${where})`,
  always: (name: string, value: string) => `${name}: ${value} throughout`,
  single: (name: string, value: string, where: string) => `${name}: ${value} (${where})`,
  nothing: 'There is no number in this range.',
  mayChange: (count: number) => (count === 1 ? 'One period may still change.' : `${count} periods may still change.`),
  notPulledCount: (count: number) =>
    count === 1 ? 'One period is not pulled yet.' : `${count} periods are not pulled yet.`,
  first: (shown: number, all: number) => `The first ${shown} of ${all} are drawn; the table has all of them.`,
  same: (than: string) => `the same as ${than}`,
  noComparison: 'nothing before to compare with',
  change: (sign: 1 | -1, size: string, kind: 'amount' | 'time', than: string) =>
    kind === 'time'
      ? `${size} ${sign > 0 ? 'longer' : 'shorter'} than ${than}`
      : `${size} ${sign > 0 ? 'more' : 'less'} than ${than}`,
  points: (count: string) => `${count} points`,
  daysBefore: (days: number) => (days === 1 ? 'the whole day before' : `the ${days} days before`),
} as const;

const states: Record<State, string> = {
  complete: 'complete',
  settling: 'settling: late ratings, tags or sales may still change it',
  open: 'open: the period has not ended',
  not_pulled: 'not pulled yet',
  not_given: 'not given by the source here',
};

/** A state in words for a tooltip or a table. */
export function stateWords(state: State): string {
  return states[state];
}

/** What stands where a number is missing. */
export function silence(it: Exclude<Figure, { kind: 'number' }>): string {
  return words[it.kind];
}
