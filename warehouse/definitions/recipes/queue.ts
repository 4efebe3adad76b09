// Recipes for waits in the queue: chats that came from it, and the source's numbers about those who left.
import type { Row } from '../../engine.ts';
import type { RecipeContext, MeasureRecipe, Recipe } from '../recipe.ts';
import { counting, duration, leastOf, meanOf, mostOf, numberOf, quantileOf, sumOf, valuing } from './arithmetic.ts';

const notQueued = 'not from the queue';
const wait = (row: Row): number | null => numberOf(row, 'wait');
const waited = (seconds: number): string => `waited ${duration(seconds)}`;

const entered: MeasureRecipe = {
  ...counting(
    'chats that came from the queue',
    (row) => wait(row) !== null,
    (row) => waited(wait(row) ?? 0),
    notQueued,
  ),
  lines: 'queue',
};

const waits = (how: string, total: MeasureRecipe['total']): MeasureRecipe => ({
  ...valuing(how, 'seconds', wait, waited, notQueued, total),
  lines: 'queue',
});

/** Stored rows added up; null when the source gave none, as where nothing was pulled. */
const stored = ({ stored: rows }: RecipeContext, value: (row: Row) => number): number | null =>
  rows.length === 0 ? null : sumOf(rows.map(value));
const of = (row: Row, name: string): number => numberOf(row, name) ?? 0;
const all = (rows: readonly Row[], name: string): number[] =>
  rows.map((row) => numberOf(row, name)).filter((value) => value !== null);

/** A number that only the source's report provides; the cell's chats do not contribute. */
const reportedOnly = (how: string, unit: string, total: (about: RecipeContext) => number | null): MeasureRecipe => ({
  how: `${how} of the stored rows: visitors who left have no chat`,
  unit,
  brings: () => ({ left_out: 'a chat is nobody who left the queue' }),
  total: (_, about) => total(about),
});

const gone = (about: RecipeContext): number => stored(about, (row) => of(row, 'left_queue')) ?? 0;
export const queuedVisitors: Recipe = {
  reads: { wait: ':chat.queue_seconds' },
  measures: {
    queued: {
      ...entered,
      how: 'number of the listed chats, and of the visitors who left by the stored rows',
      total: (values, about) => values.length + gone(about),
    },
    entered_chat: entered,
    left_queue: reportedOnly('sum of left_queue', 'visitors', gone),
    abandonment: {
      ...entered,
      how: 'visitors who left by the stored rows, divided by them and the listed chats together',
      total: (values, about) =>
        values.length + gone(about) === 0 ? null : gone(about) / (values.length + gone(about)),
    },
  },
};

const leftCount = (about: RecipeContext): number => stored(about, (row) => of(row, 'left_queue_count')) ?? 0;
const leftSeconds = (about: RecipeContext): number =>
  stored(about, (row) => of(row, 'left_queue_count') * of(row, 'left_queue_average')) ?? 0;

/** The mean of all, within half a second a visitor of the source's own mean where both count the same visitors. */
function pooledMean(values: readonly number[], about: RecipeContext): number | null {
  const count = values.length + leftCount(about);
  if (count === 0 || about.stored.length === 0) return null;
  const own = sumOf(values) + leftSeconds(about);
  const told = sumOf(about.stored.map((row) => of(row, 'queued_count')));
  if (told !== count) return own / count;
  const said = sumOf(about.stored.map((row) => of(row, 'queued_count') * of(row, 'queued_average')));
  return Math.max(said - told * 0.5, Math.min(said + told * 0.499999, own)) / count;
}

const pooled = (how: string, pick: (values: readonly number[]) => number | null, column: string): MeasureRecipe =>
  waits(`${how} of the listed chats and the stored rows of those who left`, (values, about) =>
    about.stored.length === 0 ? null : pick([...values, ...all(about.stored, column)]),
  );

export const waitingTimes: Recipe = {
  reads: { wait: ':chat.queue_seconds' },
  measures: {
    queued_count: {
      ...entered,
      how: 'number of the listed chats, and of the visitors who left by the stored rows',
      total: (values, about) => values.length + leftCount(about),
    },
    queued_min: pooled('shortest wait', leastOf, 'left_queue_min'),
    queued_max: pooled('longest wait', mostOf, 'left_queue_max'),
    queued_average: waits('mean of the waits of the listed chats and of those who left, by count', pooledMean),
    entered_chat_count: entered,
    entered_chat_min: waits('shortest wait of the listed chats', leastOf),
    entered_chat_max: waits('longest wait of the listed chats', mostOf),
    entered_chat_average: waits('mean of the waits of the listed chats', meanOf),
    entered_chat_p50: waits('median of the waits of the listed chats', (values) => quantileOf(values, 0.5)),
    entered_chat_p90: waits('90th percentile of the waits of the listed chats', (values) => quantileOf(values, 0.9)),
    entered_chat_p95: waits('95th percentile of the waits of the listed chats', (values) => quantileOf(values, 0.95)),
    left_queue_count: reportedOnly('sum of left_queue_count', 'visitors', leftCount),
    left_queue_min: reportedOnly('least left_queue_min', 'seconds', ({ stored: rows }) =>
      leastOf(all(rows, 'left_queue_min')),
    ),
    left_queue_max: reportedOnly('largest left_queue_max', 'seconds', ({ stored: rows }) =>
      mostOf(all(rows, 'left_queue_max')),
    ),
    left_queue_average: reportedOnly('mean of left_queue_average, by left_queue_count,', 'seconds', (about) =>
      leftCount(about) === 0 ? null : leftSeconds(about) / leftCount(about),
    ),
  },
};

/**
 * Of n visitors who left after waits of `low` to `high` and rounded mean `average`: how many may have left within the
 * target, at the fewest or the most. Each who did waited at least `low`, each other at least a second longer than the
 * target; one waited exactly `low`, one exactly `high`.
 */
function leftEarly(row: Row, target: number, bound: 'fewest' | 'most'): number {
  const [n, low, high] = [of(row, 'left_queue_count'), of(row, 'left_queue_min'), of(row, 'left_queue_max')];
  if (n === 0 || low > target) return 0;
  if (high <= target) return n;
  const [longest, shortest] = [n * (of(row, 'left_queue_average') + 0.5), n * (of(row, 'left_queue_average') - 0.5)];
  const found =
    bound === 'fewest'
      ? Math.ceil(((n - 1) * (target + 1) + high - longest) / (target + 1 - low))
      : Math.floor((low - target + n * high - shortest) / (high - target));
  return Math.max(1, Math.min(n - 1, found));
}

const inTime = (row: Row, target: number): boolean => (wait(row) ?? Infinity) <= target;
const level = (how: string, total: MeasureRecipe['total']): MeasureRecipe => ({
  how: ({ target = 0 }) => how.replace('the target', `the target of ${target} s`),
  unit: 'visitors',
  brings: (row, { target = 0 }) =>
    wait(row) === null
      ? { left_out: notQueued }
      : { value: inTime(row, target) ? 1 : 0, words: waited(wait(row) ?? 0) },
  total,
  lines: 'queue',
});

const bounded =
  (bound: 'fewest' | 'most'): MeasureRecipe['total'] =>
  (values, about) => {
    const early = sumOf(about.stored.map((row) => leftEarly(row, about.target ?? 0, bound)));
    const whole = values.length + leftCount(about) - early;
    return whole === 0 ? null : sumOf(values) / whole;
  };

export const serviceLevel: Recipe = {
  reads: { wait: ':chat.queue_seconds' },
  measures: {
    answered_within: level('share of the listed chats that began within the target', meanOf),
    entered_chat_count: entered,
    low: level(
      'listed chats that began within the target, of them all and those who left, as few as possible within it',
      bounded('fewest'),
    ),
    high: level(
      'listed chats that began within the target, of them all and those who left, as many as possible within it',
      bounded('most'),
    ),
  },
};
