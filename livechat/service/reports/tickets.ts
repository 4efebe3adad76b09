// Ticket counts and times, each by its own instant: created, first answered, solved for the last time so far.
import type { ServiceAccount } from '../account.ts';
import type { ReportArgs, Each } from '#contract/reports.ts';
import type { Ticket } from '../tickets.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { mean } from './rounding.ts';
import { eachTicket } from './selection.ts';

export const newTickets: ReportHandler<'new_tickets'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const created = periods.zeros();
  const moment = (ticket: Ticket) => ticket.created;
  await eachTicket(account, args, periods, moment, (_, cell) => created[cell]!++);
  return periods.fill((cell) => ({ new_tickets: created[cell]! }));
};

export const ticketSources: ReportHandler<'ticket_sources'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const counts = { chat_window: periods.zeros(), mail: periods.zeros(), chat: periods.zeros() };
  const moment = (ticket: Ticket) => ticket.created;
  await eachTicket(account, args, periods, moment, (ticket, cell) => counts[ticket.source][cell]!++);
  return periods.fill((cell) => ({
    tickets_from_chat_window: counts.chat_window[cell]!,
    tickets_from_mail: counts.mail[cell]!,
    tickets_from_chat: counts.chat[cell]!,
  }));
};

export const solvedTickets: ReportHandler<'solved_tickets'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const solved = periods.zeros();
  await eachTicket(account, args, periods, lastSolved(periods.now), (_, cell) => solved[cell]!++);
  return periods.fill((cell) => ({ solved_tickets: solved[cell]! }));
};

export const ticketFirstResponseTime: ReportHandler<'ticket_first_response_time'> = (account) => (args) =>
  hoursUntil(account, args, () => (ticket) => ticket.first_response);

export const ticketResolutionTime: ReportHandler<'ticket_resolution_time'> = (account) => (args) =>
  hoursUntil(account, args, lastSolved);

const lastSolved = (now: number) => (ticket: Ticket) => ticket.solved.filter((at) => at <= now).at(-1);

/** Mean hours from creation to a moment, by the period of that moment. */
async function hoursUntil(
  account: ServiceAccount,
  args: ReportArgs,
  moment: (now: number) => (ticket: Ticket) => number | null | undefined,
): Promise<Record<string, Each<'ticket_resolution_time'>>> {
  const periods = periodsOf(account, args);
  const count = periods.zeros();
  const sum = periods.zeros();
  await eachTicket(account, args, periods, moment(periods.now), (ticket, cell, at) => {
    count[cell]!++;
    sum[cell]! += at - ticket.created;
  });
  return periods.fill((cell) => ({ count: count[cell]!, hours: mean(sum[cell]! / 3600, count[cell]!) }));
}
