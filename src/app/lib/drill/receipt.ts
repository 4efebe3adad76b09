// What the API says of a receipt and of a chat, and how their numbers and units are read.
import { round, say } from '#dashboards/numbers.ts';
import type { State } from '#dashboards/answer.ts';
import type { Unit } from '#dashboards/panel.ts';

export interface ChatRow {
  chat_id: string;
  started_at: string | null;
  ended_at: string | null;
  visitor_name: string | null;
  agents: string[];
  contribution: number | string | null;
  unit: string;
  words: string;
  lines: { from: number; to: number }[];
}

export interface Receipt {
  metric: string;
  title: string;
  version: string | number;
  kind: string;
  definition: string;
  measure: string;
  measure_title: string;
  unit: string;
  timezone: string;
  from: string;
  to: string;
  grain: string;
  period: string | null;
  at: Record<string, string | null>;
  filters: Record<string, (string | number)[]>;
  snapshot: string;
  account: string;
  state: State;
  value: number | string | null;
  measures: Record<string, number | string | null>;
  not_given?: Record<string, string>;
  sql: string;
  adds_up?: { how: string; from_chats: number | string | null; agrees: boolean } | null;
  chats?: { total: number; rows: ChatRow[] } | null;
  left_out?: { reason: string; count: number; chats: string[] }[];
  reported: {
    value: number | null;
    recomputed: number | null;
    difference: number | null;
    reason: string;
    measure: string;
    split: string;
    split_value: string;
    timezone: string;
    pulled_at: string | number | null;
    pull_id: string | null;
  } | null;
  reported_why_not?: string;
  stored?: Record<string, string | number | null>[];
  pulls?: { pull_id: string; started_at: string | null; ended_at: string | number | null; chats: number }[];
}

export interface Line {
  position: number;
  at: string | number;
  kind: string;
  user_type: string;
  agent: string | null;
  author_name: string | null;
  event_type: string | null;
  is_welcome: boolean;
  text: string | null;
  /** Where the text was cut: how many characters it has. */
  text_length?: number;
  files: string | null;
  wait_seconds?: number | null;
}

export interface ChatAnswer {
  chat: Record<string, unknown> & {
    chat_id: string;
    started_at: string | number;
    ended_at: string | number;
    duration_seconds: number | null;
    visitor_name: string | null;
    country: string | null;
    city: string | null;
    rate: string;
    engagement: string;
    start_url: string | null;
    queue_seconds: number | null;
    first_response_seconds: number | null;
    agents: (string | { agent: string; agent_name: string | null })[];
    groups: (number | string | { group_id: number; name?: string | null })[];
    tags: (string | { tag: string })[];
    goals: {
      goal_name: string | null;
      is_sale_tracker: boolean;
      reached_at: string | number;
      price: number | string | null;
      currency: string | null;
    }[];
    surveys: { survey: string; question: string; answer: string }[];
  };
  lines: Line[];
  /** How many the chat has. */
  total_lines: number;
  marks: { from: number; to: number; seconds: number; what: string }[];
}

/** A sentence of the API for people: names of measures by their titles, a capital at the start and a full stop. */
export function sentence(text: string, measures: Record<string, { title: string }> = {}): string {
  const named = text.replace(/\b[a-z]+[_0-9][a-z0-9_]*\b/g, (id) => (measures[id] ? `“${measures[id].title}”` : id));
  return named.charAt(0).toLocaleUpperCase() + named.slice(1) + (/[.!?]$/.test(named) ? '' : '.');
}

const units: Record<string, Unit> = {
  seconds: 'seconds',
  hours: 'hours',
  share: 'share',
  score: 'score',
  money: 'money',
};

/** A number as it is compared: with the digits that two computations may differ in, which a page otherwise rounds away. */
export function exact(value: number | string | null, unit: string, locale: string, currency = ''): string {
  if (value === null) return 'none';
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  if (unit === 'seconds') return `${digits.format(round(Number(value), 2))} s`;
  if (unit === 'hours') return `${digits.format(round(Number(value), 2))} h`;
  if (unit === 'score') return digits.format(Number(value));
  return told(value, unit, locale, currency);
}

/** A number with its unit in words; `currency` is that of the cell. */
export function told(value: number | string | null, unit: string, locale: string, currency = ''): string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return 'no data';
  const known = units[unit];
  if (known) return say(number, known, locale, currency);
  const word = number === 1 ? unit.replace(/s$/, '') : unit;
  return `${say(number, 'count', locale)} ${word}`.trim();
}
