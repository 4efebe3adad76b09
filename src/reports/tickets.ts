// Reports about tickets, which are stored as the source gave them.
import type { Each } from '#contract/reports.ts';
import type { Row } from '#warehouse/engine.ts';
import { mean, whole } from './rounding.ts';
import type { ReportShape } from './period-answer.ts';

const times = (row: Row): Each<'ticket_resolution_time'> => ({ count: whole(row.count), hours: mean(row.hours) });

export const newTickets: ReportShape<'new_tickets'> = {
  each: (row) => ({ new_tickets: whole(row.new_tickets) }),
};

export const ticketFirstResponseTime: ReportShape<'ticket_first_response_time'> = {
  each: times,
};

export const solvedTickets: ReportShape<'solved_tickets'> = {
  each: (row) => ({ solved_tickets: whole(row.solved_tickets) }),
};

export const ticketResolutionTime: ReportShape<'ticket_resolution_time'> = {
  each: times,
};

export const ticketSources: ReportShape<'ticket_sources'> = {
  each: (row) => ({
    tickets_from_chat_window: whole(row.tickets_from_chat_window),
    tickets_from_mail: whole(row.tickets_from_mail),
    tickets_from_chat: whole(row.tickets_from_chat),
  }),
};

export const ticketRatings: ReportShape<'ticket_ratings'> = {
  each: (row, { months }) => ({ ...months, bad: whole(row.bad), good: whole(row.good) }),
};
