// Recipes for numbers that only the source provides: based on its stored answers, without chats.
import type { Row } from '../../engine.ts';
import { rankingScore } from '../wilson.ts';
import type { RecipeContext, MeasureRecipe, Recipe } from '../recipe.ts';
import { numberOf, sumOf } from './arithmetic.ts';

const of = (row: Row, name: string): number => numberOf(row, name) ?? 0;

/** The value of the cell's stored rows; `unit` is that of the number. */
export const fromStored = (
  how: string,
  unit: string,
  total: (rows: readonly Row[], about: RecipeContext) => number | null,
): MeasureRecipe => ({
  how: `${how} of the stored rows: only the source has what is behind them`,
  unit,
  brings: () => ({ left_out: 'the source gives no chats for it' }),
  total: (_, about) => total(about.stored, about),
});

export const added = (column: string, unit: string): MeasureRecipe =>
  fromStored(`sum of ${column}`, unit, (rows) => sumOf(rows.map((row) => of(row, column))));

const meanHours = fromStored('mean of hours, weighted by count,', 'hours', (rows) => {
  const count = sumOf(rows.map((row) => of(row, 'count')));
  return count === 0 ? null : sumOf(rows.map((row) => of(row, 'count') * of(row, 'hours'))) / count;
});

const receipt = (measures: Readonly<Record<string, MeasureRecipe>>): Recipe => ({ reads: {}, measures });
const times = receipt({ count: added('count', 'tickets'), hours: meanHours });

export const availability = receipt({ hours: added('hours', 'hours') });
export const greetings = receipt({
  displayed: added('displayed', 'greetings'),
  accepted: added('accepted', 'chats'),
  goals: added('goals', 'goals'),
});
export const newTickets = receipt({ new_tickets: added('new_tickets', 'tickets') });
export const solvedTickets = receipt({ solved_tickets: added('solved_tickets', 'tickets') });
export const ticketFirstResponseTime = times;
export const ticketResolutionTime = times;
export const ticketSources = receipt({
  tickets_from_chat_window: added('tickets_from_chat_window', 'tickets'),
  tickets_from_mail: added('tickets_from_mail', 'tickets'),
  tickets_from_chat: added('tickets_from_chat', 'tickets'),
});
const ratings = { good: added('good', 'tickets'), bad: added('bad', 'tickets') };
export const ticketRatings = receipt(ratings);
const sums = (rows: readonly Row[]): [number, number] => [
  sumOf(rows.map((row) => of(row, 'good'))),
  sumOf(rows.map((row) => of(row, 'bad'))),
];
export const ticketRanking = receipt({
  ...ratings,
  total: fromStored('sum of good and bad', 'tickets', (rows) => sumOf(sums(rows))),
  score: fromStored("the source's score for the sums of good and bad", 'score', (rows) => rankingScore(...sums(rows))),
});

/** TRICKY: the accumulated flow has all rows up to the cell, and new and solved those of the cell alone. */
const isOfCell = (row: Row): boolean => row.is_before !== true;
export const netFlow = receipt({
  new_tickets: fromStored('sum of new_tickets', 'tickets', (rows) =>
    sumOf(rows.filter(isOfCell).map((row) => of(row, 'new_tickets'))),
  ),
  solved_tickets: fromStored('sum of solved_tickets', 'tickets', (rows) =>
    sumOf(rows.filter(isOfCell).map((row) => of(row, 'solved_tickets'))),
  ),
  net_flow: fromStored('sum of new_tickets minus sum of solved_tickets, up to this period,', 'tickets', (rows) =>
    sumOf(rows.map((row) => of(row, 'new_tickets') - of(row, 'solved_tickets'))),
  ),
});
