// Recipes for response times: the seconds of each chat, and why a chat has none.
import type { Row } from '../../engine.ts';
import type { RecipeContext, MeasureRecipe, Recipe } from '../recipe.ts';
import { counting, duration, meanOf, numberOf, quantileOf, sumOf, valuing } from './arithmetic.ts';

export const silence = (row: Row): string => (row.has_visitor === true ? 'no answer' : 'no message of the visitor');

/** TRICKY: read only on request, because the text of chats is the largest table. */
export const hasVisitor = (missing: string): string =>
  `case when ${missing} is null then cast(exists (select 1 from facts.messages as heard where heard.account = :chat.account ` +
  'and heard.started_quarter = :chat.started_quarter and heard.chat_id = :chat.chat_id ' +
  "and heard.user_type = 'visitor' and heard.kind <> 'event') as boolean) end";

function waits(
  lines: 'first response' | 'response',
  what: string,
  words: (seconds: number, row: Row) => string,
): Record<string, MeasureRecipe> {
  const value = (row: Row): number | null => numberOf(row, 'seconds');
  const made = (how: string, total: MeasureRecipe['total']): MeasureRecipe => ({
    ...valuing(how, 'seconds', value, words, silence, total),
    lines,
  });
  return {
    count: {
      ...counting(
        `chats with ${what}`,
        (row) => value(row) !== null,
        (row) => words(value(row) ?? 0, row),
        silence,
      ),
      lines,
    },
    seconds: made('mean of the seconds of the listed chats', meanOf),
    p50: made('median of the seconds of the listed chats', (values) => quantileOf(values, 0.5)),
    p90: made('90th percentile of the seconds of the listed chats', (values) => quantileOf(values, 0.9)),
    p95: made('95th percentile of the seconds of the listed chats', (values) => quantileOf(values, 0.95)),
  };
}

const firstResponseReads: Recipe['reads'] = {
  seconds: ':chat.first_response_seconds',
  by: ':chat.first_response_agent',
  has_visitor: hasVisitor(':chat.first_response_seconds'),
};

const notTheirs = (row: Row): string => (row.seconds === null ? silence(row) : 'first answered by another agent');

const answeredBy = (seconds: number, row: Row): string =>
  row.by === null ? `answered after ${duration(seconds)}` : `answered after ${duration(seconds)} by ${String(row.by)}`;

export const firstResponseTime: Recipe = {
  reads: firstResponseReads,
  measures: waits('first response', 'a first response', answeredBy),
  elsewhere: notTheirs,
};

const isInTime = (row: Row, { target = 0 }: RecipeContext): boolean => (numberOf(row, 'seconds') ?? Infinity) <= target;
const within = ({ target = 0 }: RecipeContext): string => duration(target);

/** Contributions of a first response in time and of a late one; undefined: the chat does not count. */
function judged(how: string, worth: { inTime?: number; late?: number }, total: MeasureRecipe['total']): MeasureRecipe {
  return {
    how: (about) => `${how} ${within(about)}`,
    unit: 'chats',
    brings: (row, about) => {
      const seconds = numberOf(row, 'seconds');
      if (seconds === null) return { left_out: silence(row) };
      const isMet = isInTime(row, about);
      const value = isMet ? worth.inTime : worth.late;
      if (value === undefined) return { left_out: isMet ? 'in time' : 'missed the target' };
      return { value, words: `${isMet ? 'in time' : 'missed the target'}: ${answeredBy(seconds, row)}` };
    },
    total,
    lines: 'first response',
  };
}

export const firstResponseWithinTarget: Recipe = {
  reads: firstResponseReads,
  measures: {
    within: judged('number of chats whose first response came within', { inTime: 1 }, sumOf),
    missed: judged('number of chats whose first response came after more than', { late: 1 }, sumOf),
    counted: waits('first response', 'a first response', answeredBy).count as MeasureRecipe,
    share: judged('share of the listed chats whose first response came within', { inTime: 1, late: 0 }, meanOf),
  },
  elsewhere: notTheirs,
};

export const responseTime: Recipe = {
  reads: { seconds: ':seconds', has_visitor: hasVisitor(':chat.response_seconds') },
  measures: waits('response', 'an answered turn', (seconds) => `answers after ${duration(seconds)} on average`),
  elsewhere: (row) => (row.seconds === null ? silence(row) : 'every turn closed by other agents'),
};
