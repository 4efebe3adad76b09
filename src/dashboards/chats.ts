// Chats: volume, starts, durations, topics and returning visitors. The overview shows some of these panels too.
import type { Dashboard, Panel } from './panel.ts';

const tile = { picture: 'tile', grain: 'total' } as const;

export const chatsTile: Panel = {
  ...tile,
  id: 'chats-tile',
  title: 'Chats',
  sentence: 'Chats that started in the range.',
  unit: 'count',
  metric: 'total_chats',
  measures: [{ measure: 'chats', label: 'chats' }],
  empty: 'The number of chats.',
};

export const missedTile: Panel = {
  ...tile,
  id: 'missed-tile',
  title: 'Missed chats',
  sentence: 'Chats in which no agent wrote anything but a welcome.',
  unit: 'share',
  metric: 'not_replied_chats',
  measures: [{ measure: 'share', label: 'missed' }],
  basis: { measure: 'chats', label: 'chats' },
  better: 'less',
  empty: 'The share of chats without a reply.',
};

const tiles: Panel[] = [
  chatsTile,
  missedTile,
  {
    ...tile,
    id: 'duration-tile',
    title: 'Chat duration',
    sentence: 'Half of the chats were over within this time.',
    unit: 'seconds',
    metric: 'chat_duration',
    measures: [{ measure: 'p50', label: 'median' }],
    empty: 'The length of chats.',
  },
  {
    ...tile,
    id: 'repeat-contact-tile',
    title: 'Repeat contacts',
    sentence: 'Chats whose visitor starts another one within 7 days.',
    unit: 'share',
    metric: 'repeat_contact',
    measures: [{ measure: 'share', label: 'repeat contacts' }],
    basis: { measure: 'chats', label: 'chats' },
    better: 'less',
    isLate: true,
    empty: 'The share of repeat contacts.',
  },
];

export const volume: Panel = {
  id: 'volume',
  title: 'Chats over time',
  sentence: 'Number of chats by the time they started.',
  unit: 'count',
  picture: 'bars',
  metric: 'total_chats',
  measures: [{ measure: 'chats', label: 'chats' }],
  grain: 'asked',
  compare: true,
  empty: 'Chats by day would be drawn here.',
};

export const engagement: Panel = {
  id: 'engagement',
  title: 'How chats began',
  sentence: 'Number of chats by who made the first step; the three parts add up to all chats.',
  unit: 'count',
  picture: 'bars',
  stacked: true,
  metric: 'engagement',
  measures: [
    { measure: 'chats_from_immediate_start', label: 'started by the visitor' },
    { measure: 'chats_from_auto_invite', label: 'automatic invitation' },
    { measure: 'chats_from_manual_invite', label: 'invited by an agent' },
  ],
  grain: 'asked',
  half: true,
  empty: 'Chats by their beginning would be drawn here.',
};

export const firstResponse: Panel = {
  id: 'first-response',
  title: 'Time to the first response',
  sentence:
    'From the visitor’s first message to the first answer: half of the chats are under the line, nine of ten under the band.',
  unit: 'seconds',
  picture: 'lines',
  metric: 'first_response_time',
  measures: [{ measure: 'p50', label: 'median' }],
  band: { from: 'p50', to: 'p90', label: '90th percentile' },
  basis: { measure: 'count', label: 'chats' },
  grain: 'asked',
  compare: true,
  half: true,
  empty: 'Response times would be drawn here.',
};

export const tags: Panel = {
  id: 'tags',
  title: 'What chats were about',
  sentence: 'Number of chats with each tag; a chat with two tags counts in both.',
  unit: 'count',
  picture: 'ranking',
  metric: 'tags',
  measures: [{ measure: 'chats', label: 'chats' }],
  split: ['tag'],
  grain: 'total',
  half: true,
  empty: 'Chats by tag would be drawn here.',
};

export const repeatContact: Panel = {
  id: 'repeat-contact',
  title: 'Repeat contacts over time',
  sentence: 'Chats whose visitor starts another one within 7 days, as a share of all chats.',
  unit: 'share',
  picture: 'lines',
  metric: 'repeat_contact',
  measures: [{ measure: 'share', label: 'repeat contacts' }],
  basis: { measure: 'chats', label: 'chats' },
  grain: 'asked',
  isLate: true,
  half: true,
  empty: 'The share of repeat contacts would be drawn here.',
};

export const missed: Panel = {
  id: 'missed',
  title: 'Missed chats over time',
  sentence: 'Chats in which no agent wrote anything but a welcome, as a share of all chats.',
  unit: 'share',
  picture: 'lines',
  metric: 'not_replied_chats',
  measures: [{ measure: 'share', label: 'missed' }],
  basis: { measure: 'chats', label: 'chats' },
  grain: 'asked',
  compare: true,
  half: true,
  empty: 'The share of chats without a reply would be drawn here.',
};

export const countries: Panel = {
  id: 'countries',
  title: 'Where visitors are',
  sentence: 'Number of chats by the country of the visitor.',
  unit: 'count',
  picture: 'ranking',
  metric: 'total_chats',
  measures: [{ measure: 'chats', label: 'chats' }],
  split: ['country'],
  grain: 'total',
  half: true,
  empty: 'Chats by country would be listed here.',
};

export const duration: Panel = {
  id: 'duration',
  title: 'How long chats last',
  sentence: 'From the start of a chat to its end: half are shorter than the line, nine of ten than the band.',
  unit: 'seconds',
  picture: 'lines',
  metric: 'chat_duration',
  measures: [{ measure: 'p50', label: 'median' }],
  band: { from: 'p50', to: 'p90', label: '90th percentile' },
  grain: 'asked',
  half: true,
  empty: 'The length of chats would be drawn here.',
};

export const busyHours: Panel = {
  id: 'busy-hours',
  title: 'When chats start',
  sentence: 'Number of chats by weekday and hour of their start, over the whole range.',
  unit: 'count',
  picture: 'heatmap',
  metric: 'total_chats',
  measures: [{ measure: 'chats', label: 'chats' }],
  split: ['weekday', 'hour_of_day'],
  grain: 'total',
  empty: 'The busy hours of the week would be drawn here.',
};

export const chats: Dashboard = {
  id: 'chats',
  title: 'Chats',
  sentence: 'How many chats there were, how they began, how long they took, what they were about and who came back.',
  path: 'chats',
  menu: { group: 'service', icon: 'M3 4h14v9H9l-4 3.5V13H3zM6 7.5h8M6 10h5', isOften: true },
  panels: [...tiles, volume, engagement, missed, duration, repeatContact, tags, countries],
};
