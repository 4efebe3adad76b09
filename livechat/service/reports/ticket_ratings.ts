// Ratings of tickets by the instant of rating: counted per period, and ranked per assignee; the last one so far wins.
import type { Ticket } from '../tickets.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { createRanking } from './ranking.ts';
import { eachTicket } from './selection.ts';

const ratingAt = (ticket: Ticket, now: number) => ticket.ratings.filter((rating) => rating.at <= now).at(-1);

export const ticketRatings: ReportHandler<'ticket_ratings'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const bad = periods.zeros();
  const good = periods.zeros();
  const moment = (ticket: Ticket) => ratingAt(ticket, periods.now)?.at;
  await eachTicket(account, args, periods, moment, (ticket, cell) => {
    const counted = ratingAt(ticket, periods.now)?.rate === 'rated_good' ? good : bad;
    counted[cell]!++;
  });
  return periods.fill((cell) => ({ ...periods.clip(cell), bad: bad[cell]!, good: good[cell]! }));
};

export const ticketRanking: ReportHandler<'ticket_ranking'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const ranking = createRanking();
  const moment = (ticket: Ticket) => ratingAt(ticket, periods.now)?.at;
  await eachTicket(account, args, periods, moment, (ticket) => {
    const { assignee } = ticket;
    if (assignee === null || account.removed.has(assignee)) return;
    ranking.add(assignee, ratingAt(ticket, periods.now)?.rate === 'rated_good');
  });
  return ranking.answer();
};
