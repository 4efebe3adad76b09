// Turns one report answer into flat rows of the report's table. Pure; the vendor's names end here.
import { labels, reports, type Each, type ReportId } from '#contract/reports.ts';
import type { ReportScope } from '../unit.ts';
import type { FlatRow } from './chats.ts';
import { complaintOf, coerced, misfitIn } from './coerce.ts';

export interface DayRows {
  /** Rows of each local day; days that the answer lists without rows have an empty list. */
  days: Map<string, FlatRow[]>;
  /** Periods that do not match the report's shape: day, reason, and the period as received (JSON). */
  misfits: { day: string; reason: string; body: string }[];
}

/** The body is JSON, but not in this report's shape. */
export class Misshapen extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Misshapen';
  }
}

type ReportDecoder<K extends ReportId> = (each: Each<K>, asked: ReportScope) => FlatRow[];

const hoursOf = ({ hours, minutes }: { hours?: number | undefined; minutes?: number | undefined }, perHour: boolean) =>
  minutes !== undefined ? hoursIn(minutes) : perHour ? (hours ?? 0) / 60 : (hours ?? 0);

/** Sources round hours to two decimals: minutes computed from such hours are converted back to exactly these hours. */
function hoursIn(minutes: number): number {
  const rounded = Math.round((minutes / 60) * 100) / 100;
  return Math.abs(rounded * 60 - minutes) < 1e-9 ? rounded : minutes / 60;
}

const rated = (each: Each<'chat_ranking'>): FlatRow[] => [
  { agent: each.name, good: each.good, bad: each.bad, total: each.total, score: each.score },
];

type Wait = Each<'waiting_times'>['queued'];
const waits = (name: string, { count, min, max, average }: Wait): FlatRow => ({
  [`${name}_count`]: count,
  [`${name}_min`]: count ? (min.seconds ?? null) : null,
  [`${name}_max`]: count ? (max.seconds ?? null) : null,
  [`${name}_average`]: count ? (average.seconds ?? null) : null,
});

const goalRows: ReportDecoder<'goals'> = ({ goals, value }, { sales_tracker = 0 }) => [
  { sales_tracker, currency: '', goals, sales_count: null, value: null },
  ...Object.entries(value).map(([currency, sold]) => ({
    sales_tracker,
    currency,
    goals: null,
    sales_count: sold.sales_count,
    value: String(sold.value),
  })),
];

const columns: { [K in ReportId]: ReportDecoder<K> } = {
  total_chats: ({ chats }) => [{ chats }],
  engagement: (each) => [{ ...each }],
  not_replied_chats: ({ not_replied }) => [{ not_replied }],
  chat_ratings: ({ good, bad, chats }) => [{ good, bad, chats }],
  chat_ranking: rated,
  queued_visitors: (each) => [
    { queued: each.queued.count, entered_chat: each.entered_chat.count, left_queue: each.left_queue.count },
  ],
  waiting_times: (each) => [
    {
      ...waits('queued', each.queued),
      ...waits('entered_chat', each.entered_chat),
      ...waits('left_queue', each.left_queue),
    },
  ],
  // Grouped by hour, /availability gives minutes under the key `hours`; chatting time gives hours in every grouping.
  availability: (each, { grain }) => [{ hours: hoursOf(each, grain === 'hour') }],
  chatting_time: (each) => [{ hours: hoursOf(each, false) }],
  first_response_time: (each) => [{ ...each.first_response_time }],
  response_time: (each) => [{ ...each.avg_response_time }],
  agents_occupancy: (most) => [{ most }],
  goals: goalRows,
  greetings: ({ displayed, accepted, goals }) => [{ displayed, accepted, goals }],
  new_tickets: ({ new_tickets }) => [{ new_tickets }],
  ticket_first_response_time: ({ count, hours }) => [{ count, hours }],
  solved_tickets: ({ solved_tickets }) => [{ solved_tickets }],
  ticket_resolution_time: ({ count, hours }) => [{ count, hours }],
  ticket_sources: (each) => [{ ...each }],
  ticket_ratings: ({ good, bad }) => [{ good, bad }],
  ticket_ranking: rated,
};

/** A mean over more than zero cases must not be missing, and a score must lie between 0 and 1. */
function oddIn(rows: readonly FlatRow[]): string | undefined {
  for (const { count, seconds, hours, score } of rows) {
    if (Number(count) > 0 && (seconds === null || hours === null)) return `a mean over ${count} is missing`;
    if (score !== undefined && !(Number(score) >= 0 && Number(score) <= 1)) return `a score cannot be ${score}`;
  }
  return undefined;
}

/** The periods of a body as `[period, day, content]`; the hours of a single day get that day as a prefix. */
function periodsOf(id: ReportId, body: unknown, asked: ReportScope): [string, string, unknown][] {
  if (typeof body !== 'object' || body === null) throw new Misshapen(`${id}: the answer is no object`);
  if (reports[id].keyed === 'ranking') {
    const { ranking } = body as { ranking?: unknown };
    if (!Array.isArray(ranking)) throw new Misshapen(`${id}: the answer holds no ranking`);
    return ranking.map((row) => [asked.from, asked.from, row]);
  }
  const named = Object.entries(body);
  const periods = named.flatMap(([label, each]): [string, string, unknown][] => {
    if (asked.grain === 'hour' && labels.hour.test(label)) return [[`${asked.from} ${label}`, asked.from, each]];
    if (asked.grain === 'hour' && labels.moment.test(label)) return [[label, label.slice(0, 10), each]];
    return asked.grain === 'day' && labels.day.test(label) ? [[label, label, each]] : [];
  });
  // An unknown key next to valid labels is an unknown field; without any valid label the answer belongs to another question.
  const [first] = named;
  if (periods.length === 0 && first)
    throw new Misshapen(
      `${id}: '${first[0].slice(0, 40)}' is no label of ${asked.grain === 'hour' ? 'an hour' : 'a day'}`,
    );
  return periods;
}

/**
 * Rows by local day. An invalid period does not hide the valid ones. @throws Misshapen when the answer as a whole does not have the
 * report's shape.
 */
export function decodeReport(id: ReportId, body: unknown, asked: ReportScope): DayRows {
  const days: DayRows['days'] = new Map();
  const misfits: DayRows['misfits'] = [];
  const { account, timezone, grain, split, split_value } = asked;
  const write = columns[id] as (each: unknown, asked: ReportScope) => FlatRow[];
  for (const [period, day, each] of periodsOf(id, body, asked)) {
    const key = { account, timezone, grain, split, split_value, period, day };
    const asItStands = reports[id].each.safeParse(each);
    const parsed = asItStands.success ? asItStands : reports[id].each.safeParse(coerced(each));
    const rows = parsed.success ? write(parsed.data, asked).map((row) => ({ ...key, ...row })) : [];
    const reason = parsed.success ? (misfitIn('reports', id, rows) ?? oddIn(rows)) : complaintOf(parsed.error);
    if (reason) misfits.push({ day, reason: `${id} of ${period}: ${reason}`, body: JSON.stringify(each) });
    else days.set(day, [...(days.get(day) ?? []), ...rows]);
  }
  return { days, misfits };
}
