// The two default digests. They write to the folder until readers with addresses are added.
import type { Digest } from './digest.ts';

const common = {
  language: 'en-GB',
  paper: 'a4',
  filters: { group: [], agent: [], tag: [], variable: [] },
  readers: [{ name: 'everybody' }],
  formats: ['pdf', 'csv', 'xlsx'],
  channels: [{ kind: 'folder' }],
  when_incomplete: 'hold',
  most_hours_old: 24,
  is_paused: false,
} satisfies Partial<Digest>;

/** `timezone` is the account's. */
export const readyDigests = (timezone: string): Digest[] => [
  {
    ...common,
    id: 'monday-morning',
    title: 'Monday morning',
    content: ['overview', 'ratings', 'queue'],
    length: 'short',
    period: 'last_week',
    schedule: { cron: '0 7 * * 1', timezone },
  },
  {
    ...common,
    id: 'month',
    title: 'Month',
    content: ['overview', 'chats', 'ratings', 'queue', 'occupancy', 'goals', 'tickets'],
    length: 'charts',
    period: 'last_month',
    schedule: { cron: '0 7 1 * *', timezone },
  },
];
