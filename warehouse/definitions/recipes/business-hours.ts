// Recipes for waits in business hours: the part of each wait within them, and the excluded time. Plain loops, independent of the metric's
// SQL.
import type { Dialect } from '../../dialect.ts';
import type { Row } from '../../engine.ts';
import type { Piece } from '../../periods.ts';
import type { RecipeContext, MeasureRecipe, OpenHours, Recipe } from '../recipe.ts';
import { duration, leastOf, meanOf, mostOf, quantileOf, sumOf } from './arithmetic.ts';
import { hasVisitor, silence } from './responses.ts';

const ofSameChat = (alias: string): string =>
  `${alias}.account = :chat.account and ${alias}.started_quarter = :chat.started_quarter and ${alias}.chat_id = :chat.chat_id`;

const groups = ({ inOrder }: Dialect): string =>
  `(select ${inOrder('cast(member.group_id as varchar)', 'member.group_id', ' ')} from facts.chat_groups as member ` +
  `where ${ofSameChat('member')})`;

const fromTo = (from: string, until: string): string => `cast(${from} as varchar) || '-' || cast(${until} as varchar)`;

const turns =
  (which: string) =>
  ({ inOrder }: Dialect): string =>
    `(select ${inOrder(fromTo('turn.asked_second', 'turn.answered_second'), 'turn.position', ' ')} ` +
    `from facts.chat_turns as turn where ${ofSameChat('turn')} and ${which})`;

const listIn = (text: Row[string] | undefined): string[] =>
  typeof text === 'string' && text !== '' ? text.split(' ') : [];

/** From when until when, in order. */
const waitsIn = (row: Row): Piece[] =>
  listIn(row.waits).map((text) => {
    const [from = 0, until = 0] = text.split('-').map(Number);
    return { from, until };
  });

interface Cut {
  /** Seconds of each wait that touches business hours. */
  seconds: number[];
  /** The parts of all waits outside. */
  closed: Piece[];
}

function cutOf(row: Row, waits: readonly Piece[], { open }: OpenHours): Cut {
  const cut: Cut = { seconds: [], closed: [] };
  const own = listIn(row.groups).map(Number);
  for (const { from, until } of waits) {
    let [seconds, at] = [0, from];
    const pieces = open(own, from, Math.max(until, from + 1));
    for (const piece of pieces) {
      const [begins, ends] = [Math.max(from, piece.from), Math.min(until, piece.until)];
      if (begins > at) cut.closed.push({ from: at, until: begins });
      seconds += Math.max(0, ends - begins);
      at = Math.max(at, ends);
    }
    if (at < until) cut.closed.push({ from: at, until });
    if (pieces.length > 0) cut.seconds.push(seconds);
  }
  return cut;
}

const most_told = 3;

/** `; 15 h outside business hours left out: 2026-11-06 18:00 to 2026-11-07 09:00`, or nothing. */
function leftOut({ closed }: Cut, { clock }: OpenHours): string {
  if (closed.length === 0) return '';
  const told = closed.slice(0, most_told).map(({ from, until }) => `${clock(from)} to ${clock(until)}`);
  const more = closed.length > most_told ? ` and ${closed.length - most_told} more` : '';
  const all = duration(sumOf(closed.map(({ from, until }) => until - from)));
  return `; ${all} outside business hours left out: ${told.join(', ')}${more}`;
}

const outsideOnly = 'wholly outside business hours';

interface HoursRecipe {
  /** The events of a chat that count. */
  what: string;
  words: (seconds: number) => string;
  /** Why a chat has none. */
  none: (row: Row) => string;
  lines: NonNullable<MeasureRecipe['lines']>;
}

/** `value`: the contribution of a chat with waits in business hours. */
const made = (
  { words, none, lines }: HoursRecipe,
  how: MeasureRecipe['how'],
  unit: string,
  total: MeasureRecipe['total'],
  value: (seconds: number, about: RecipeContext) => number = (seconds) => seconds,
): MeasureRecipe => ({
  how,
  unit,
  brings: (row, about) => {
    const waits = waitsIn(row);
    if (waits.length === 0 || !about.hours) return { left_out: none(row) };
    const cut = cutOf(row, waits, about.hours);
    const seconds = meanOf(cut.seconds);
    if (seconds === null) return { left_out: outsideOnly };
    return { value: value(seconds, about), words: words(seconds) + leftOut(cut, about.hours) };
  },
  total,
  lines,
});

const outside = ({ what, words, none, lines }: HoursRecipe): MeasureRecipe => ({
  how: `number of chats with ${what}, all of it outside business hours`,
  unit: 'chats',
  brings: (row, { hours }) => {
    const waits = waitsIn(row);
    if (waits.length === 0 || !hours) return { left_out: none(row) };
    if (cutOf(row, waits, hours).seconds.length > 0) return { left_out: 'in business hours' };
    const whole = meanOf(waits.map(({ from, until }) => until - from)) ?? 0;
    return { value: 1, words: `${words(whole)}, outside business hours` };
  },
  total: sumOf,
  lines,
});

const counted = (kind: HoursRecipe): MeasureRecipe =>
  made(kind, `number of chats with ${kind.what} in business hours`, 'chats', sumOf, () => 1);

const secondsOf = (kind: HoursRecipe, how: string, total: MeasureRecipe['total']): MeasureRecipe =>
  made(kind, `${how} of the seconds in business hours of the listed chats`, 'seconds', total);

const quantiles = (kind: HoursRecipe, prefix = ''): Record<string, MeasureRecipe> => ({
  [`${prefix}p50`]: secondsOf(kind, 'median', (values) => quantileOf(values, 0.5)),
  [`${prefix}p90`]: secondsOf(kind, '90th percentile', (values) => quantileOf(values, 0.9)),
  [`${prefix}p95`]: secondsOf(kind, '95th percentile', (values) => quantileOf(values, 0.95)),
});

const ofResponses = (kind: HoursRecipe): Recipe['measures'] => ({
  count: counted(kind),
  seconds: secondsOf(kind, 'mean', meanOf),
  ...quantiles(kind),
  outside: outside(kind),
});

export const firstResponseTimeBusiness: Recipe = {
  reads: { waits: turns('turn.position = 0'), groups, has_visitor: hasVisitor(':chat.first_response_seconds') },
  measures: ofResponses({
    what: 'a first response',
    words: (seconds) => `answered after ${duration(seconds)}`,
    none: silence,
    lines: 'first response',
  }),
  elsewhere: (row) => (row.waits === null ? silence(row) : 'first answered by another agent'),
};

export const responseTimeBusiness: Recipe = {
  reads: {
    waits: turns(':closed_by_asked'),
    groups,
    turns: ':chat.response_turns',
    has_visitor: hasVisitor(':chat.response_seconds'),
  },
  measures: ofResponses({
    what: 'an answered turn',
    words: (seconds) => `answers after ${duration(seconds)} on average`,
    none: silence,
    lines: 'response',
  }),
  elsewhere: (row) => (row.turns === 0 ? silence(row) : 'every turn closed by other agents'),
};

const queued: HoursRecipe = {
  what: 'a wait in the queue',
  words: (seconds) => `waited ${duration(seconds)}`,
  none: () => 'not from the queue',
  lines: 'queue',
};
const ofQueue = {
  waits: `case when :chat.queue_seconds is not null then ${fromTo(':chat.started_second - :chat.queue_seconds', ':chat.started_second')} end`,
  groups,
};

export const waitingTimesBusiness: Recipe = {
  reads: ofQueue,
  measures: {
    entered_chat_count: counted(queued),
    entered_chat_min: secondsOf(queued, 'least', leastOf),
    entered_chat_max: secondsOf(queued, 'most', mostOf),
    entered_chat_average: secondsOf(queued, 'mean', meanOf),
    ...quantiles(queued, 'entered_chat_'),
    outside: outside(queued),
  },
};

export const serviceLevelBusiness: Recipe = {
  reads: ofQueue,
  measures: {
    answered_within: made(
      queued,
      ({ target = 0 }) => `share of the listed chats that began within the target of ${target} s of business hours`,
      'visitors',
      meanOf,
      (seconds, { target = 0 }) => (seconds <= target ? 1 : 0),
    ),
    entered_chat_count: counted(queued),
    outside: outside(queued),
  },
};
