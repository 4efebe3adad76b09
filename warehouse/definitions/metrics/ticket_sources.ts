// Where tickets came from.
import { number, reportMetric, sum } from '../metric.ts';
import * as recipes from '../recipes/stored.ts';

export const ticketSources = reportMetric({
  id: 'ticket_sources',
  title: 'Ticket sources',
  definition: 'Tickets by where they came from and the time of their creation, as the source reports them.',
  kind: 'R',
  recipe: recipes.ticketSources,
  reported: {
    table: 'ticket_sources',
    splits: ['group'],
    parts: {
      chat_window: sum('r.tickets_from_chat_window'),
      mail: sum('r.tickets_from_mail'),
      chat: sum('r.tickets_from_chat'),
    },
  },
  measures: {
    tickets_from_chat_window: number('From the chat window', 'tickets', 'chat_window'),
    tickets_from_mail: number('From mail', 'tickets', 'mail'),
    tickets_from_chat: number('From a chat', 'tickets', 'chat'),
  },
});
