// The overview: volume, quality, speed and results.
import { busyHours, chatsTile, engagement, firstResponse, missedTile, volume } from './chats.ts';
import { whatChanged, type Dashboard, type Panel } from './panel.ts';

const tile = { picture: 'tile', grain: 'total' } as const;

const tiles: Panel[] = [
  chatsTile,
  {
    ...tile,
    id: 'csat-tile',
    title: 'Satisfaction (CSAT)',
    sentence: 'Good ratings among all ratings.',
    unit: 'share',
    metric: 'chat_ratings',
    measures: [{ measure: 'csat', label: 'CSAT' }],
    basis: { measure: 'rated', label: 'rated chats' },
    better: 'more',
    empty: 'The share of good ratings.',
  },
  {
    ...tile,
    id: 'first-response-tile',
    title: 'First response',
    sentence: 'Half of the visitors had a first answer within this time.',
    unit: 'seconds',
    metric: 'first_response_time',
    measures: [{ measure: 'p50', label: 'median' }],
    basis: { measure: 'count', label: 'answered chats' },
    better: 'less',
    empty: 'The time to the first answer.',
  },
  {
    ...tile,
    id: 'waiting-tile',
    title: 'Wait in the queue',
    sentence: 'Half of those who entered a chat from the queue waited no longer.',
    unit: 'seconds',
    metric: 'waiting_times',
    measures: [{ measure: 'entered_chat_p50', label: 'median' }],
    basis: { measure: 'entered_chat_count', label: 'entered from the queue' },
    better: 'less',
    empty: 'The wait of queued visitors.',
  },
  missedTile,
  {
    ...tile,
    id: 'left-tile',
    title: 'Abandoned',
    sentence: 'Queued visitors who left before a chat began.',
    unit: 'share',
    metric: 'queued_visitors',
    measures: [{ measure: 'abandonment', label: 'abandoned' }],
    basis: { measure: 'queued', label: 'queued visitors' },
    better: 'less',
    empty: 'The share of visitors who left.',
  },
  {
    ...tile,
    id: 'sales-tile',
    title: 'Sales',
    sentence: 'Tracked sales, each currency for itself.',
    unit: 'money',
    metric: 'goals',
    measures: [{ measure: 'value', label: 'sales' }],
    split: ['currency'],
    better: 'more',
    isLate: true,
    empty: 'Sales by currency.',
    none: 'no sales',
  },
  {
    ...tile,
    id: 'new-tickets-tile',
    title: 'New tickets',
    sentence: 'Tickets created in the range.',
    unit: 'count',
    metric: 'new_tickets',
    measures: [{ measure: 'new_tickets', label: 'new tickets' }],
    empty: 'The number of new tickets.',
  },
];

/** Today so far next to the same weekday a week ago, with the same measures as the tiles below. */
const today: Panel[] = [
  'chats-tile',
  'csat-tile',
  'first-response-tile',
  'waiting-tile',
  'missed-tile',
  'new-tickets-tile',
].flatMap((id) => {
  const panel = tiles.find((it) => it.id === id);
  return panel ? [{ ...panel, id: `today-${id}`, span: 'today' as const }] : [];
});

const changed: Panel = {
  ...whatChanged,
  unit: 'count',
  metric: 'total_chats',
  measures: [{ measure: 'chats', label: 'chats' }],
};

export const overview: Dashboard = {
  id: 'overview',
  title: 'Overview',
  sentence: 'How much was asked, how well and how fast it was answered, and what it brought.',
  path: '',
  menu: { group: '', icon: 'M3 10.5 10 4l7 6.5M5 9v7h10V9M8.5 16v-4h3v4', short: 'Home', isOften: true },
  panels: [...tiles, volume, changed, engagement, firstResponse, busyHours],
  today,
};
