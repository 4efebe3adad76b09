// Greetings: how many were shown, how many were accepted, and with what result; only the account's reports contain them.
import type { Dashboard, Panel } from './panel.ts';

const tile = { picture: 'tile', unit: 'count', metric: 'greetings', grain: 'total' } as const;

/** From a greeting to a goal; the goals page shows it too. */
export const greetingFunnel: Panel = {
  id: 'greeting-funnel',
  title: 'From greeting to goal',
  sentence:
    'Greetings shown, chats that came from one, and goals reached in those chats; a goal may be reached after the range.',
  unit: 'count',
  picture: 'funnel',
  metric: 'greetings',
  measures: [
    { measure: 'displayed', label: 'greetings shown' },
    { measure: 'accepted', label: 'chats from a greeting' },
    { measure: 'goals', label: 'goals of those chats' },
  ],
  grain: 'total',
  half: true,
  empty: 'What greetings led to would be drawn here.',
};

export const greetings: Dashboard = {
  id: 'greetings',
  title: 'Greetings',
  sentence: 'What visitors saw and took up, and what came of it, as the account reports it.',
  path: 'greetings',
  menu: {
    group: 'outcome',
    icon: 'M3 4h14v9H9l-4 3.5V13H3zM7 7.5v.1M13 7.5v.1M7 9.5c1.5 1.5 4.5 1.5 6 0',
  },
  panels: [
    {
      ...tile,
      id: 'displayed-tile',
      title: 'Greetings shown',
      sentence: 'Greetings that visitors saw.',
      measures: [{ measure: 'displayed', label: 'shown' }],
      empty: 'The number of greetings.',
    },
    {
      ...tile,
      id: 'accepted-tile',
      title: 'Chats from a greeting',
      sentence: 'Chats that came from a greeting, by their start.',
      measures: [{ measure: 'accepted', label: 'chats' }],
      better: 'more',
      empty: 'The number of chats from greetings.',
    },
    {
      ...tile,
      id: 'greeting-goals-tile',
      title: 'Goals of those chats',
      sentence: 'Goals reached in chats that came from a greeting.',
      measures: [{ measure: 'goals', label: 'goals' }],
      better: 'more',
      empty: 'The number of goals.',
    },
    {
      id: 'shown',
      title: 'Greetings shown over time',
      sentence: 'Number of greetings that visitors saw.',
      unit: 'count',
      picture: 'bars',
      metric: 'greetings',
      measures: [{ measure: 'displayed', label: 'shown' }],
      grain: 'asked',
      compare: true,
      empty: 'Greetings would be drawn here.',
    },
    greetingFunnel,
    {
      id: 'taken-up',
      title: 'What greetings led to',
      sentence: 'Number of chats that came from a greeting, and of goals reached in those chats.',
      unit: 'count',
      picture: 'lines',
      metric: 'greetings',
      measures: [
        { measure: 'accepted', label: 'chats', tone: 'series-2' },
        { measure: 'goals', label: 'goals', tone: 'series-3' },
      ],
      grain: 'asked',
      half: true,
      empty: 'Chats from greetings would be drawn here.',
    },
    {
      id: 'greetings-by-group',
      title: 'Greetings by group',
      sentence: 'Number of greetings shown for each group, and of chats that came from them.',
      unit: 'count',
      picture: 'ranking',
      beside: true,
      metric: 'greetings',
      measures: [
        { measure: 'displayed', label: 'shown' },
        { measure: 'accepted', label: 'chats' },
        { measure: 'goals', label: 'goals' },
      ],
      split: ['group'],
      grain: 'total',
      half: true,
      empty: 'Greetings by group would be listed here.',
    },
    {
      id: 'greeting-hours',
      title: 'When greetings are shown',
      sentence: 'Number of greetings by weekday and hour, over the whole range.',
      unit: 'count',
      picture: 'heatmap',
      isUnsplittable: true,
      metric: 'greetings',
      measures: [
        { measure: 'displayed', label: 'shown' },
        { measure: 'accepted', label: 'chats' },
      ],
      split: ['weekday', 'hour_of_day'],
      grain: 'total',
      half: true,
      empty: 'The hours of greetings would be drawn here.',
    },
  ],
};
