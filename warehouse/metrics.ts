// Every metric there is, in the order in which they are listed. Adding one is a file and a line.
import { Refused } from './errors.ts';
import type { Metric } from './metric.ts';
import { availability } from './metrics/availability.ts';
import { chatRanking } from './metrics/chat_ranking.ts';
import { chatRatings } from './metrics/chat_ratings.ts';
import { chattingTime } from './metrics/chatting_time.ts';
import { concurrentChats } from './metrics/concurrent_chats.ts';
import { engagement } from './metrics/engagement.ts';
import { firstResponseTime } from './metrics/first_response_time.ts';
import { goals } from './metrics/goals.ts';
import { newTickets } from './metrics/new_tickets.ts';
import { notRepliedChats } from './metrics/not_replied_chats.ts';
import { queuedVisitors } from './metrics/queued_visitors.ts';
import { responseTime } from './metrics/response_time.ts';
import { solvedTickets } from './metrics/solved_tickets.ts';
import { ticketRatings } from './metrics/ticket_ratings.ts';
import { ticketResolutionTime } from './metrics/ticket_resolution_time.ts';
import { totalChats } from './metrics/total_chats.ts';
import { waitingTimes } from './metrics/waiting_times.ts';

export const metrics: readonly Metric[] = [
  totalChats,
  engagement,
  notRepliedChats,
  chatRatings,
  chatRanking,
  firstResponseTime,
  responseTime,
  chattingTime,
  concurrentChats,
  queuedVisitors,
  waitingTimes,
  goals,
  availability,
  newTickets,
  solvedTickets,
  ticketResolutionTime,
  ticketRatings,
];

/** The metric of that id. Errors: Refused, naming the ids there are. */
export function metricOf(id: string): Metric {
  const found = metrics.find((metric) => metric.id === id);
  if (found) return found;
  const ids = metrics.map((metric) => metric.id);
  throw new Refused('metric', `there is no metric ${id}, only ${ids.join(', ')}`, ids);
}

/** What a metric says about itself to others. */
export interface Described {
  id: string;
  title: string;
  definition: string;
  version: number;
  kind: Metric['kind'];
  measures: Record<string, { title: string; unit: string }>;
  splits: readonly string[];
  filters: readonly string[];
  grains: readonly string[];
}

/** The catalogue: every metric as it is shown to users. */
export const catalogue = (): Described[] =>
  metrics.map(({ id, title, definition, version, kind, measures, splits, filters, grains }) => ({
    id,
    title,
    definition,
    version,
    kind,
    measures: Object.fromEntries(
      Object.entries(measures).map(([name, measure]) => [name, { title: measure.title, unit: measure.unit }]),
    ),
    splits,
    filters,
    grains,
  }));
