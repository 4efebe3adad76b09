// The measured questions and their ranges. handwritten.ts answers the same ones by name.
import type { QueryTexts } from '#api/question.ts';

export type Span = '30d' | '1y' | '3y';

/** The last generated days; thirty days and a year end with them, and begin within or outside daylight saving time. */
export const spans: Record<Span, { from: string; to: string }> = {
  '30d': { from: '2026-09-01', to: '2026-09-30' },
  '1y': { from: '2025-10-01', to: '2026-09-30' },
  '3y': { from: '2023-10-01', to: '2026-09-30' },
};

export interface Measured {
  name: string;
  metric: string;
  question: QueryTexts;
  /** By default all three. */
  spans?: readonly Span[];
}

const utc = { timezone: 'UTC' };
const warsaw = { timezone: 'Europe/Warsaw' };
const heatmap = { grain: 'total', split: 'weekday,hour_of_day', ...warsaw };
const agent = 'agent017@example.com';

export const measured: readonly Measured[] = [
  { name: 'chats by day, UTC', metric: 'total_chats', question: { ...utc } },
  { name: 'chats by day', metric: 'total_chats', question: { ...warsaw } },
  { name: 'chats by hour', metric: 'total_chats', question: { ...warsaw, grain: 'hour' }, spans: ['30d'] },
  { name: 'chats by day, one agent', metric: 'total_chats', question: { ...warsaw, agent } },
  { name: 'chats by day, one group', metric: 'total_chats', question: { ...warsaw, group: '7' } },
  { name: 'chats by day, one tag', metric: 'total_chats', question: { ...warsaw, tag: 'tag-7' } },
  { name: 'chats by agent', metric: 'total_chats', question: { ...warsaw, grain: 'total', split: 'agent' } },
  { name: 'chats weekday x hour', metric: 'total_chats', question: heatmap },
  { name: 'ratings by day', metric: 'chat_ratings', question: { ...warsaw } },
  { name: 'ratings by month, one tag', metric: 'chat_ratings', question: { ...warsaw, grain: 'month', tag: 'tag-7' } },
  { name: 'ranking', metric: 'chat_ranking', question: { ...warsaw, grain: 'total' } },
  { name: 'first response p50 p90', metric: 'first_response_time', question: { ...warsaw, grain: 'total' } },
  { name: 'first response by day', metric: 'first_response_time', question: { ...warsaw } },
  {
    name: 'first response by day, one group',
    metric: 'first_response_time',
    question: { ...warsaw, group: '7' },
  },
  {
    name: 'first response, business hours',
    metric: 'first_response_time_business',
    question: { ...warsaw, grain: 'total' },
  },
  { name: 'queue waits p50 p90', metric: 'waiting_times', question: { ...warsaw, grain: 'total' } },
  { name: 'goals by currency', metric: 'goals', question: { ...warsaw, grain: 'total', split: 'currency' } },
  { name: 'goals by day, one agent', metric: 'goals', question: { ...warsaw, agent } },
  { name: 'chatting time by day', metric: 'chatting_time', question: { ...warsaw } },
  { name: 'chatting time, one agent', metric: 'chatting_time', question: { ...warsaw, agent } },
  { name: 'most at once by day', metric: 'concurrent_chats', question: { ...warsaw } },
  { name: 'most at once, one group', metric: 'concurrent_chats', question: { ...warsaw, group: '7' } },
  { name: 'most at once weekday x hour', metric: 'concurrent_chats', question: heatmap },
];
