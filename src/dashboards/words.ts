// The words that pictures say: states, comparisons and summaries, in one place for translation.
import type { Figure, State } from './answer.ts';

const inLetters = ['none', 'one', 'two', 'three', 'four'];

export const words = {
  no_data: 'no data',
  not_pulled: 'not pulled',
  not_given: 'not given',
  too_few: (chats: number) => `fewer than ${chats} chats`,
  fewerThan: (chats: number) => `< ${chats} chats`,
  withheld: 'withheld',
  toldFrom: (chats: number) =>
    `Figures of single agents are shown from ${chats} chats on, and there are fewer in each part of this.`,
  period: 'Period',
  untagged: 'without a tag',
  without: (variable: string) => `without ${variable}`,
  hour: 'Hour',
  day: 'Day',
  rank: 'rank',
  ranked: (rank: number, name: string) => `${name}  ${rank}`,
  apart: (count: number) => `${count} ranks can be told apart.`,
  byName: 'In the order of names.',
  notApart: 'None of them can be told apart.',
  fromTo: (from: string, to: string) => `${from} – ${to}`,
  step: 'Step',
  number: 'number',
  stepBefore: 'of the step before',
  ofStepBefore: (share: string) => `${share} of the step before`,
  previous: 'the weeks before',
  previousMonths: 'the months before',
  noted: '⚑',
  aYearBefore: 'a year before',
  unsettledKey: 'not final, may still change',
  partKey: (period: string) => `part of a ${period}`,
  soFar: 'so far',
  notFinal: 'not final',
  highest: (name: string, value: string, where: string) => `${name}: highest ${value} (${where})`,
  lowest: (value: string, where: string) => `lowest ${value} (${where})`,
  always: (name: string, value: string) => `${name}: ${value} throughout`,
  single: (name: string, value: string, where: string) => `${name}: ${value} (${where})`,
  nothing: 'There is no number in this range.',
  mayChange: (count: number, period: string) =>
    count === 1 ? `One ${period} may still change.` : `${count} ${period}s may still change.`,
  notDrawn: 'What may change is not drawn.',
  partlyPulled: 'partly pulled',
  missing: (count: number, all: number, grain: string) =>
    `${count} of ${all} ${grain}s ${count === 1 ? 'is' : 'are'} missing`,
  notPulledCount: (count: number, period: string) =>
    count === 1 ? `One ${period} is not pulled.` : `${count} ${period}s are not pulled.`,
  first: (shown: number, all: number) =>
    `${shown === 1 ? `One of ${all} is` : `The first ${shown} of ${all} are`} drawn; the table has all of them.`,
  noneOf: (names: string, more: number) => `None in this range: ${names}${more > 0 ? ` and ${more} more` : ''}.`,
  ofFew: (count: string) => `Small squares rest on fewer than ${count}.`,
  andMore: (from: string) => `${from} and more`,
  notNamed: (count: string) => `Periods with fewer than ${count} are not named.`,
  highestOfDays:
    'There are more hours than can be drawn: each bar is the highest hour of its day. The table has all of them.',
  rangeOfDays:
    'There are more hours than can be drawn: of each day the highest and the lowest are. The table has all of them.',
  same: (than: string) => `the same as ${than}`,
  noClearChange: (change: string) => `no clear change: ${change}`,
  noComparison: 'nothing before to compare with',
  notPulledBefore: 'too few days before to compare with',
  unripe: 'compared once final',
  untilDay: (value: string, day: string, change: string) => `${value} up to\u00a0${day}, ${change}`,
  change: (sign: 1 | -1, size: string, kind: 'amount' | 'time', than: string) =>
    kind === 'time'
      ? `${size} ${sign > 0 ? 'longer' : 'shorter'} than ${than}`
      : `${size} ${sign > 0 ? 'more' : 'less'} than ${than}`,
  inAll: 'Total',
  others: 'Other',
  countedTwice: 'overlap',
  before: 'before',
  now: 'now',
  partOfChange: 'Part of the change',
  ofRate: 'of its own value',
  ofMix: 'of its share in the whole',
  byChance: 'may be chance',
  splits: { hour_of_day: 'hour' } as Record<string, string>,
  by: (split: string) => `By ${split}`,
  changed: (name: string, change: string, than: string) => `${name}: ${change} against ${than}.`,
  noChange: '±0',
  pointsUnit: 'points',
  /** A number of a thing named in the plural: one rated chat, 12 rated chats. */
  counted: (value: number, told: string, things: string) =>
    `${told} ${value === 1 ? things.replace(/\b(chat|visitor|ticket)s\b/, '$1') : things}`,
  points: (count: string) => (count === '1' ? '1 point' : `${count} points`),
  inTimeMeans: (time: string) => `In time means within ${time}.`,
  inWholeDays: (days: string, count: number) => `${days}, ${count === 1 ? 'the whole day' : 'in whole days'}`,
  wholeBefore: (value: string, days: string) => `${days}: ${value}`,
  sameWeekday: 'the same weekday a week before',
  sameWeekdays: 'the same weekdays a year before',
  sameMonths: 'the same months a year before',
  weeksBefore: (weeks: number) => (weeks === 1 ? 'the week before' : `the ${weeks} weeks before`),
  periodsBefore: (count: number, period: string) =>
    count === 1 ? `the ${period} before` : `the ${inLetters[count] ?? count} ${period}s before`,
  betweenHours: (days: string, from: number, to: number) => `${days}, ${from} to ${to} o’clock`,
  inTime: (preposition: 'in' | 'on', days: string) => `${preposition} ${days}`,
  upTo: (time: string) => `up to\u00a0${time}`,
} as const;

const states: Record<State, string> = {
  complete: 'complete',
  settling: 'settling: late ratings, tags or sales may still change it',
  open: 'open: the period has not ended',
  not_pulled: 'not pulled',
  not_given: 'not given by the source here',
  too_few: 'fewer chats than figures of single agents are shown from',
  withheld: 'withheld: with it the figure of an agent with fewer chats could be worked out',
};

/** A state in words for a tooltip or a table. */
export function stateWords(state: State): string {
  return states[state];
}

/** Shown in place of a missing number. */
export function silence(it: Exclude<Figure, { kind: 'number' }>): string {
  return it.kind === 'too_few' ? words.too_few(it.fewer_than) : words[it.kind];
}
