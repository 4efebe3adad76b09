// Recipes of metrics that count chats: what each chat is taken for.
import type { Row } from '../../engine.ts';
import { rankingScore, wilson } from '../wilson.ts';
import type { MeasureRecipe, Recipe } from '../recipe.ts';
import {
  always,
  counting,
  everyChat,
  duration,
  meanOf,
  numberOf,
  quantileOf,
  sharing,
  sumOf,
  valuing,
} from './arithmetic.ts';

const rates: Readonly<Record<string, string>> = {
  rated_good: 'rated good',
  rated_bad: 'rated bad',
  rated: 'rated, but neither good nor bad',
  not_rated: 'not rated',
};
const rateOf = (row: Row): string => rates[String(row.rate)] ?? 'not rated';
const isGood = (row: Row): boolean => row.rate === 'rated_good';
const isBad = (row: Row): boolean => row.rate === 'rated_bad';
const isRated = (row: Row): boolean => isGood(row) || isBad(row);
const unrated = (row: Row): string | null => (isRated(row) ? null : rateOf(row));
const good = counting('chats rated good', isGood, rateOf, rateOf);
const bad = counting('chats rated bad', isBad, rateOf, rateOf);
const rated = counting('chats rated good or bad', isRated, rateOf, rateOf);

/** From ones for good and zeros for bad. */
const ofRatings = (how: string, number: (good: number, bad: number) => number | null): MeasureRecipe =>
  sharing(
    how,
    unrated,
    isGood,
    (_, row) => rateOf(row),
    (values) => number(sumOf(values), values.length - sumOf(values)),
  );

export const totalChats: Recipe = { reads: {}, measures: { chats: everyChat } };
export const tags: Recipe = totalChats;

const beginnings: Readonly<Record<string, string>> = {
  auto_invite: 'began from a greeting',
  manual_invite: 'begun by an agent',
};
const beginning = (row: Row): string => beginnings[String(row.engagement)] ?? 'begun by the visitor';
const begun = (what: string, words: string): MeasureRecipe =>
  counting(`chats ${what}`, (row) => beginning(row) === words, beginning, beginning);

export const engagement: Recipe = {
  reads: { engagement: ':chat.engagement' },
  measures: {
    chats_from_auto_invite: begun('from a greeting', 'began from a greeting'),
    chats_from_manual_invite: begun('that an agent began', 'begun by an agent'),
    chats_from_immediate_start: begun('that the visitor began', 'begun by the visitor'),
  },
};

const isUnanswered = (row: Row): boolean => row.is_replied === false;
export const notRepliedChats: Recipe = {
  reads: { is_replied: ':chat.is_replied' },
  measures: {
    chats: everyChat,
    not_replied: counting('chats without a reply', isUnanswered, 'no reply of an agent', 'replied by an agent'),
    share: sharing('share of the listed chats that have no reply', always, isUnanswered, (isOne) =>
      isOne ? 'no reply of an agent' : 'replied by an agent',
    ),
  },
};

export const chatRatings: Recipe = {
  reads: { rate: ':chat.rate' },
  measures: {
    good,
    bad,
    chats: everyChat,
    rated,
    csat: ofRatings('share of the listed chats, all rated, that are rated good', (yes, no) =>
      yes + no === 0 ? null : yes / (yes + no),
    ),
    csat_low: ofRatings(
      'lower bound of the 95% Wilson interval for the listed ratings',
      (yes, no) => wilson(yes, no)?.low ?? null,
    ),
    csat_high: ofRatings(
      'upper bound of the 95% Wilson interval for the listed ratings',
      (yes, no) => wilson(yes, no)?.high ?? null,
    ),
    response_rate: sharing('share of the listed chats that are rated', always, isRated, (_, row) => rateOf(row)),
  },
};

export const chatRanking: Recipe = {
  reads: { rate: ':chat.rate' },
  measures: {
    good,
    bad,
    total: rated,
    score: ofRatings("the source's score for the good and bad ratings of the listed chats", rankingScore),
  },
};

const lasted = (how: string, total: MeasureRecipe['total']): MeasureRecipe =>
  valuing(
    how,
    'seconds',
    (row) => numberOf(row, 'lasted'),
    (value) => `lasted ${duration(value)}`,
    '',
    total,
  );
export const chatDuration: Recipe = {
  reads: { lasted: ':chat.ended_second - :chat.started_second' },
  measures: {
    seconds: lasted('mean of the seconds that the listed chats lasted', meanOf),
    p50: lasted('median of the seconds that the listed chats lasted', (values) => quantileOf(values, 0.5)),
    p90: lasted('90th percentile of the seconds that the listed chats lasted', (values) => quantileOf(values, 0.9)),
  },
};

const daysAhead = 7;
const after = (row: Row): number | null => {
  const next = numberOf(row, 'next_second');
  return next === null ? null : next - (numberOf(row, 'began') ?? 0);
};
const isFollowed = (row: Row): boolean => (after(row) ?? Infinity) <= daysAhead * 86_400;
const following = (row: Row): string =>
  isFollowed(row) ? `back after ${duration(after(row) ?? 0)}` : `no further chat within ${daysAhead} days`;

export const repeatContact: Recipe = {
  reads: { next_second: 'c.next_second', began: ':chat.started_second' },
  measures: {
    chats: everyChat,
    repeated: counting('chats followed by another of the same visitor', isFollowed, following, following),
    share: sharing('share of the listed chats that are followed by another', always, isFollowed, (_, row) =>
      following(row),
    ),
  },
};
