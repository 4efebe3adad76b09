// Chats at once: how many chats were open together, and the hours worked for them.
import type { Dashboard } from './panel.ts';

export const occupancy: Dashboard = {
  id: 'occupancy',
  title: 'Chats at once (occupancy)',
  sentence: 'How many chats were open together, when, and in how many hours agents chatted or were ready to.',
  path: 'occupancy',
  panels: [
    {
      id: 'concurrent',
      title: 'Chats at once by weekday and hour',
      sentence:
        'Number of chats open at the same moment: the most in any such hour of the range, or the mean over all of them.',
      unit: 'count',
      picture: 'heatmap',
      metric: 'concurrent_chats',
      measures: [
        { measure: 'most', label: 'most' },
        { measure: 'mean', label: 'mean' },
      ],
      split: ['weekday', 'hour_of_day'],
      grain: 'total',
      empty: 'The busiest hours of the week would be drawn here.',
    },
    {
      id: 'concurrent-trend',
      title: 'Most chats at once over time',
      sentence: 'Largest number of chats open at the same moment of each period.',
      unit: 'count',
      picture: 'bars',
      metric: 'concurrent_chats',
      measures: [{ measure: 'most', label: 'most at once' }],
      grain: 'asked',
      empty: 'The most chats at once would be drawn here.',
    },
    {
      id: 'chatting-time',
      title: 'Chatting time',
      sentence: 'Hours in which at least one chat was open; two chats at once count once.',
      unit: 'hours',
      picture: 'bars',
      metric: 'chatting_time',
      measures: [{ measure: 'hours', label: 'chatting time' }],
      grain: 'asked',
      half: true,
      empty: 'Chatting time would be drawn here.',
    },
    {
      id: 'availability',
      title: 'Availability',
      sentence: 'Hours in which at least one agent was accepting chats.',
      unit: 'hours',
      picture: 'bars',
      metric: 'availability',
      measures: [{ measure: 'hours', label: 'availability' }],
      grain: 'asked',
      half: true,
      empty: 'Availability would be drawn here.',
    },
  ],
};
