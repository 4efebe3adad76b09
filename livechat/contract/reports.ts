// The 21 reports of the Reports API v2.0: path, arguments and the shape of an answer, each defined once.
import { z } from 'zod';
import { choice, day, flag, id, ids, text, texts, zone } from './query.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const groupings = ['hour', 'day', 'month'] as const;
export type Grouping = (typeof groupings)[number];

/** What a report can be filtered by; without any it covers the whole account. */
type ReportArgument = 'group' | 'agent' | 'tag';

const nothing = z
  .unknown()
  .optional()
  .transform((): never[] => []);
const inGroups = ids('group id');

/** Arguments after parsing: missing lists are empty, so a handler never asks whether the report takes them. */
const question = (takes: readonly ReportArgument[]) => ({
  date_from: day,
  date_to: day,
  timezone: zone,
  group: takes.includes('group') ? inGroups : nothing,
  groups: takes.includes('group') ? inGroups : nothing,
  agent: takes.includes('agent') ? texts : nothing,
  agents: takes.includes('agent') ? texts : nothing,
  tag: takes.includes('tag') ? texts : nothing,
});

/** How an answer is keyed: by period label, not at all (a ranking), or by the hours of four weekdays. */
type ReportKey = 'period' | 'ranking' | 'moment';

interface Report<E extends z.ZodType = z.ZodType, K extends ReportKey = ReportKey> {
  path: string;
  takes: readonly ReportArgument[];
  keyed: K;
  /** Month grouping adds the clipped `begin` and `end` of each period. */
  clipped: boolean;
  /** Content of one period (of one row, for a ranking). */
  each: E;
  args: z.ZodType<ReportArgs>;
}

/** What every handler receives. `groups` and `agents` hold both spellings; `sales_tracker` is '0' or '1'. */
export interface ReportArgs {
  date_from?: string | undefined;
  date_to?: string | undefined;
  timezone?: string | undefined;
  group_by?: Grouping | undefined;
  groups: number[];
  agents: string[];
  tags: string[];
  weekday?: (typeof weekdays)[number] | undefined;
  goal?: number | undefined;
  greeting?: number | undefined;
  currency?: string | undefined;
  sales_tracker?: '0' | '1' | undefined;
}

interface Different<K extends ReportKey> {
  keyed?: K;
  clipped?: boolean;
  extra?: z.ZodRawShape;
}

const report = <E extends z.ZodType, K extends ReportKey = 'period'>(
  path: string,
  takes: readonly ReportArgument[],
  each: E,
  { keyed = 'period' as K, clipped = false, extra = {} }: Different<K> = {},
): Report<E, K> => ({
  path: `/reports${path}`,
  takes,
  keyed,
  clipped,
  each,
  args: z
    .object({ ...question(takes), ...(keyed === 'period' ? { group_by: choice(groupings) } : {}), ...extra })
    .refine((args) => !args.date_from || !args.date_to || args.date_from <= args.date_to, {
      path: ['date_from'],
      message: 'must not be after date_to',
    })
    .transform(({ group, groups, agent, agents, tag, ...rest }) => ({
      ...rest,
      groups: [...group, ...groups],
      agents: [...agent, ...agents],
      tags: tag,
    })) as z.ZodType<ReportArgs>,
});

const count = z.int().nonnegative();
const seconds = z.object({ seconds: z.number().nullable() }).partial();
const waits = z.object({ count, min: seconds, max: seconds, average: seconds });
const months = { begin: z.iso.date().optional(), end: z.iso.date().optional() };
const hours = z
  .object({ hours: z.number(), minutes: z.number() })
  .partial()
  .refine((each) => each.hours !== undefined || each.minutes !== undefined, 'says neither hours nor minutes');
const rated = z.object({
  good: count,
  bad: count,
  total: count,
  score: z.number(),
  name: z.string(),
});
/** Accepts any key: zod's record drops `__proto__`, which is a possible currency name. */
const byName = <V extends z.ZodType>(value: V) =>
  z.preprocess(
    (given) => (typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : given),
    z
      .array(z.tuple([z.string(), value]))
      .transform((pairs) => Object.fromEntries(pairs) as Record<string, z.output<V>>),
  );
const all = ['group', 'agent', 'tag'] as const;
const ticketTimes = z.object({ count, hours: z.number().nullable() });

export const reports = {
  total_chats: report('/chats/total_chats', all, z.object({ chats: count })),
  engagement: report(
    '/chats/engagement',
    all,
    z.object({ chats_from_auto_invite: count, chats_from_immediate_start: count, chats_from_manual_invite: count }),
  ),
  not_replied_chats: report('/chats/not_replied_chats', all, z.object({ not_replied: count })),
  chat_ratings: report('/chats/ratings', all, z.object({ ...months, bad: count, good: count, chats: count }), {
    clipped: true,
  }),
  chat_ranking: report('/chats/ratings/ranking', ['group', 'tag'], rated, { keyed: 'ranking' }),
  queued_visitors: report(
    '/chats/queued_visitors',
    ['group'],
    z.object({ queued: z.object({ count }), left_queue: z.object({ count }), entered_chat: z.object({ count }) }),
  ),
  waiting_times: report(
    '/chats/queued_visitors/waiting_times',
    ['group'],
    z.object({ queued: waits, left_queue: waits, entered_chat: waits }),
  ),
  availability: report('/availability', ['group', 'agent'], hours),
  chatting_time: report('/chats/chatting_time', all, hours),
  first_response_time: report(
    '/chats/first_response_time',
    all,
    z.object({ first_response_time: z.object({ count, seconds: z.number().nullable() }) }),
  ),
  response_time: report(
    '/chats/response_time',
    all,
    z.object({ avg_response_time: z.object({ count, seconds: z.number().nullable() }) }),
  ),
  agents_occupancy: report('/chats/agents_occupancy', [], count, {
    keyed: 'moment',
    extra: { weekday: z.enum(weekdays, `is required and must be one of ${weekdays.join(', ')}`) },
  }),
  goals: report(
    '/chats/goals',
    all,
    z.object({
      ...months,
      goals: count,
      value: byName(z.object({ sales_count: count, value: z.coerce.number() })),
    }),
    { clipped: true, extra: { goal: id('goal id'), sales_tracker: flag, currency: text } },
  ),
  greetings: report(
    '/chats/greetings',
    ['group', 'tag'],
    z.object({ ...months, displayed: count, accepted: count, goals: count }),
    { clipped: true, extra: { goal: id('goal id'), greeting: id('greeting id') } },
  ),
  new_tickets: report('/tickets/new_tickets', ['group', 'tag'], z.object({ new_tickets: count })),
  ticket_first_response_time: report('/tickets/first_response_time', all, ticketTimes),
  solved_tickets: report('/tickets/solved_tickets', all, z.object({ solved_tickets: count })),
  ticket_resolution_time: report('/tickets/resolution_time', all, ticketTimes),
  ticket_sources: report(
    '/tickets/ticket_sources',
    ['group', 'tag'],
    z.object({ tickets_from_chat_window: count, tickets_from_mail: count, tickets_from_chat: count }),
  ),
  ticket_ratings: report('/tickets/ratings', all, z.object({ ...months, bad: count, good: count }), { clipped: true }),
  ticket_ranking: report('/tickets/ratings/ranking', ['group', 'tag'], rated, { keyed: 'ranking' }),
} as const satisfies Record<string, Report>;

export type ReportId = keyof typeof reports;
export const reportIds = Object.keys(reports) as ReportId[];
export type Each<K extends ReportId> = z.infer<(typeof reports)[K]['each']>;

/** The body of an answer: a ranking is a list, everything else an object keyed by label. */
export type ReportBody<K extends ReportId> = (typeof reports)[K]['keyed'] extends 'ranking'
  ? { ranking: Each<K>[] }
  : Record<string, Each<K>>;

/** A service must answer every report; a missing handler does not compile. */
export type ReportHandlers = { [K in ReportId]: (args: ReportArgs) => ReportBody<K> | Promise<ReportBody<K>> };

/** Labels of the periods: `HH:MM` for the hours of one day, else the day, the month, or the hour of a day (moment). */
export const labels = {
  hour: /^([01]\d|2[0-3]):00$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
  month: /^\d{4}-\d{2}$/,
  moment: /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):00$/,
} as const;
