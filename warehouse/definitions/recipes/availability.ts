// Recipes for agents' time: how many were available at once, and how much of it they spent chatting.
import type { Row } from '../../engine.ts';
import type { Piece } from '../../periods.ts';
import type { RecipeContext, MeasureRecipe, Recipe, OpenSpan } from '../recipe.ts';
import { duration, numberOf, sumOf } from './arithmetic.ts';
import { secondsWithin, unionSeconds } from './spans.ts';
import { added, fromStored } from './stored.ts';

const hoursIn = (rows: readonly Row[]): number => sumOf(rows.map((row) => numberOf(row, 'hours') ?? 0));

/** Seconds of the cell before the source's latest answer for any of the rows. */
function passed(pieces: readonly Piece[], rows: readonly Row[]): number {
  const asked = rows.map((row) => Date.parse(String(row.pulled_at)) / 1000);
  const last = asked.reduce((one, other) => Math.max(one, other), -Infinity);
  return sumOf(pieces.map(({ from, until }) => Math.max(0, Math.min(until, last) - from)));
}

export const agentsOnline: Recipe = {
  reads: {},
  measures: {
    mean: fromStored('sum of hours divided by the hours that had passed', 'agents', (rows, { pieces }) => {
      const seconds = passed(pieces, rows);
      return seconds > 0 ? (hoursIn(rows) * 3600) / seconds : null;
    }),
    hours: added('hours', 'hours'),
  },
};

/** Agents with availability reported by the source. */
const reportedIn = ({ stored }: RecipeContext): Set<string> => new Set(stored.map((row) => String(row.split_value)));

/** Hours in which each reported agent had a chat open, added up. */
function chattingHours(about: RecipeContext): number {
  const spans = Map.groupBy(about.spans, ([, , agent]) => agent ?? '');
  const agents = [...reportedIn(about)];
  return sumOf(agents.map((agent) => unionSeconds(about.pieces, spans.get(agent) ?? []))) / 3600;
}

const chats = (
  how: string,
  total: (about: RecipeContext, seconds: readonly number[]) => number | null,
): MeasureRecipe => ({
  how,
  unit: 'seconds',
  brings: (row, about) => {
    if (!reportedIn(about).has(String(row.agent)))
      return { left_out: 'of an agent whose availability is not reported' };
    const span: OpenSpan = [numberOf(row, 'opened') ?? 0, numberOf(row, 'closed') ?? 0];
    const seconds = secondsWithin(about.pieces, span);
    return seconds > 0 ? { value: seconds, words: `open for ${duration(seconds)}` } : { left_out: 'of no length' };
  },
  total: (seconds, about) => total(about, seconds),
});

const chatting = 'hours in which an agent had at least one of the listed chats open, each moment once, of every agent';

export const occupancy: Recipe = {
  reads: { opened: ':chat.started_second', closed: ':chat.ended_second', agent: ':agent' },
  measures: {
    occupancy: chats(`${chatting}, divided by the sum of hours of the stored rows`, (about) => {
      const available = hoursIn(about.stored);
      return available > 0 ? chattingHours(about) / available : null;
    }),
    at_once: chats(
      'sum of the hours that the listed chats were open, divided by the sum of hours of the stored rows',
      (about, seconds) => {
        const available = hoursIn(about.stored);
        return available > 0 ? sumOf(seconds) / 3600 / available : null;
      },
    ),
    chatting: chats(chatting, chattingHours),
    available: added('hours', 'hours'),
  },
};
