// All metrics in their listed order. Adding one takes a file and a line.
import { Refused } from '../errors.ts';
import { addsUpBy, type MetricDefinition } from './metric.ts';
import { agentsOnline } from './metrics/agents_online.ts';
import { availability } from './metrics/availability.ts';
import { chatDuration } from './metrics/chat_duration.ts';
import { chatRanking } from './metrics/chat_ranking.ts';
import { chatRatings } from './metrics/chat_ratings.ts';
import { chattingTime } from './metrics/chatting_time.ts';
import { concurrentChats } from './metrics/concurrent_chats.ts';
import { conversion } from './metrics/conversion.ts';
import { engagement } from './metrics/engagement.ts';
import { firstResponseTime } from './metrics/first_response_time.ts';
import { firstResponseWithinTarget } from './metrics/first_response_within_target.ts';
import { firstResponseTimeBusiness } from './metrics/first_response_time_business.ts';
import { goalRecords } from './metrics/goal_records.ts';
import { goals } from './metrics/goals.ts';
import { greetings } from './metrics/greetings.ts';
import { netFlow } from './metrics/net_flow.ts';
import { newTickets } from './metrics/new_tickets.ts';
import { notRepliedChats } from './metrics/not_replied_chats.ts';
import { occupancy } from './metrics/occupancy.ts';
import { queuedVisitors } from './metrics/queued_visitors.ts';
import { repeatContact } from './metrics/repeat_contact.ts';
import { responseTime } from './metrics/response_time.ts';
import { responseTimeBusiness } from './metrics/response_time_business.ts';
import { serviceLevel } from './metrics/service_level.ts';
import { serviceLevelBusiness } from './metrics/service_level_business.ts';
import { solvedTickets } from './metrics/solved_tickets.ts';
import { tags } from './metrics/tags.ts';
import { ticketFirstResponseTime } from './metrics/ticket_first_response_time.ts';
import { ticketRanking } from './metrics/ticket_ranking.ts';
import { ticketRatings } from './metrics/ticket_ratings.ts';
import { ticketResolutionTime } from './metrics/ticket_resolution_time.ts';
import { ticketSources } from './metrics/ticket_sources.ts';
import { totalChats } from './metrics/total_chats.ts';
import { waitingTimes } from './metrics/waiting_times.ts';
import { waitingTimesBusiness } from './metrics/waiting_times_business.ts';

const listed = [
  totalChats,
  engagement,
  notRepliedChats,
  chatRatings,
  chatRanking,
  firstResponseTime,
  firstResponseWithinTarget,
  firstResponseTimeBusiness,
  responseTime,
  responseTimeBusiness,
  chattingTime,
  chatDuration,
  concurrentChats,
  queuedVisitors,
  waitingTimes,
  waitingTimesBusiness,
  serviceLevel,
  serviceLevelBusiness,
  goals,
  conversion,
  greetings,
  availability,
  agentsOnline,
  occupancy,
  tags,
  repeatContact,
  newTickets,
  ticketFirstResponseTime,
  solvedTickets,
  ticketResolutionTime,
  ticketSources,
  ticketRatings,
  ticketRanking,
  netFlow,
] as const;

export const metrics: readonly MetricDefinition[] = listed;
export type MetricId = (typeof listed)[number]['id'];

/** Includes metrics that are not listed, and can only be asked for by name. */
export const allMetrics: readonly MetricDefinition[] = [...metrics, goalRecords];

/** Counts every chat once: determines which chats exist, their number and the known days. */
export const everyChat: MetricDefinition = totalChats;
/** Counts chats by tag. */
export const chatsByTag: MetricDefinition = tags;
/** Counts reached goals and sales. */
export const everyGoal: MetricDefinition = goals;

/** The metric with that id. Errors: Refused, naming the existing ids. */
export function metricOf(id: string): MetricDefinition {
  const found = allMetrics.find((metric) => metric.id === id);
  if (found) return found;
  const ids = metrics.map((metric) => metric.id);
  throw new Refused('metric', `there is no metric ${id}, only ${ids.join(', ')}`, ids);
}

/** Public description of a metric. */
interface MetricDescription {
  id: string;
  title: string;
  /** Other words by which people look for it. */
  also_called?: string;
  definition: string;
  version: number;
  kind: MetricDefinition['kind'];
  measures: Record<string, { title: string; unit: string }>;
  splits: readonly string[];
  filters: readonly string[];
  grains: readonly string[];
  /** Splits whose values add up: no chat counts under two of them. */
  adds_up_by: readonly string[];
  /** Splits that every answer has, asked or not. */
  always?: readonly string[];
  /** Where numbers are compared with those of the source: measures that compared cells call otherwise, and their names here. */
  compared_as?: Record<string, string>;
  /** Seconds: the usual one, where another can be asked. */
  target?: number;
}

/** A metric as shown to users. */
export function described(metric: MetricDefinition): MetricDescription {
  const {
    id,
    title,
    alsoCalled,
    definition,
    version,
    kind,
    measures,
    splits,
    filters,
    grains,
    always,
    checks,
    target,
  } = metric;
  return {
    id,
    title,
    ...(alsoCalled === undefined ? {} : { also_called: alsoCalled }),
    definition,
    version,
    kind,
    measures: Object.fromEntries(
      Object.entries(measures).map(([name, measure]) => [name, { title: measure.title, unit: measure.unit }]),
    ),
    splits,
    filters,
    grains,
    adds_up_by: addsUpBy(metric),
    ...(always ? { always } : {}),
    ...(checks ? { compared_as: comparedAs(metric) } : {}),
    ...(target === undefined ? {} : { target }),
  };
}

/** If another metric recomputes the report, cells have that metric's measure names, and the report's columns the names here. */
const comparedAs = ({ checks = [], measures }: MetricDefinition): Record<string, string> =>
  Object.fromEntries(
    checks
      .flatMap(({ numbers }) => numbers)
      .filter(({ measure, column }) => !(measure in measures) && column in measures)
      .map(({ measure, column }) => [measure, column]),
  );

/** The catalogue: every metric as shown to users. */
export const catalogue = (): MetricDescription[] => metrics.map(described);
