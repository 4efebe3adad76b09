// Response times: how long visitors wait for the first answer and for the next ones, by whom, where and when.
import { firstResponse } from './chats.ts';
import { whatChanged, type Dashboard, type Panel } from './panel.ts';

const within = { band: { from: 'p50', to: 'p90', label: '90th percentile' } };
const basis = { measure: 'count', label: 'chats' };
const median = { measure: 'p50', label: 'median' };
const all = [median, { measure: 'count', label: 'chats' }];

const tile = { picture: 'tile', unit: 'seconds', grain: 'total', better: 'less', basis } as const;
const ranking = { picture: 'ranking', unit: 'seconds', grain: 'total', measures: all, half: true, ...within } as const;
const heatmap = {
  picture: 'heatmap',
  unit: 'seconds',
  split: ['weekday', 'hour_of_day'],
  measures: [median, { measure: 'p90', label: '90th percentile' }],
  basis,
  grain: 'total',
} satisfies Partial<Panel>;

export const responses: Dashboard = {
  id: 'responses',
  title: 'Response times',
  sentence:
    'How long visitors wait for the first answer and for those after it; half wait less, nine of ten wait less.',
  path: 'responses',
  menu: { group: 'service', icon: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 6v4l3 2' },
  panels: [
    {
      ...tile,
      id: 'first-half-tile',
      title: 'First response, median',
      sentence: 'Half of the visitors had a first answer within this time.',
      metric: 'first_response_time',
      measures: [median],
      empty: 'The time to the first answer.',
    },
    {
      ...tile,
      id: 'first-most-tile',
      title: 'First response, 90th percentile',
      sentence: 'Nine of ten visitors had a first answer within this time.',
      metric: 'first_response_time',
      measures: [{ measure: 'p90', label: '90th percentile' }],
      empty: 'The time to the first answer.',
    },
    {
      ...tile,
      id: 'half-tile',
      title: 'Response time, median',
      sentence: 'In half of the chats the mean answer came within this time.',
      metric: 'response_time',
      measures: [median],
      empty: 'The time to an answer.',
    },
    {
      ...tile,
      id: 'most-tile',
      title: 'Response time, 90th percentile',
      sentence: 'In nine of ten chats the mean answer came within this time.',
      metric: 'response_time',
      measures: [{ measure: 'p90', label: '90th percentile' }],
      empty: 'The time to an answer.',
    },
    firstResponse,
    {
      id: 'response',
      title: 'Time to a response',
      sentence:
        'Mean wait for an answer during a chat: half of the chats are under the line, nine of ten under the band.',
      unit: 'seconds',
      picture: 'lines',
      metric: 'response_time',
      measures: [median],
      ...within,
      basis,
      grain: 'asked',
      compare: true,
      half: true,
      empty: 'Response times would be drawn here.',
    },
    {
      id: 'first-within',
      title: 'First response within target',
      sentence: 'Chats whose first answer came in time, as a share of all chats with a first answer.',
      unit: 'share',
      picture: 'lines',
      metric: 'first_response_within_target',
      isWithin: true,
      measures: [{ measure: 'share', label: 'answered in time' }],
      basis: { measure: 'counted', label: 'answered chats' },
      grain: 'asked',
      better: 'more',
      compare: true,
      empty: 'The share answered in time would be drawn here.',
    },
    {
      ...whatChanged,
      unit: 'seconds',
      metric: 'first_response_time',
      measures: [{ measure: 'seconds', label: 'mean first response', weight: 'count' }],
    },
    {
      ...ranking,
      id: 'first-by-agent',
      title: 'First response by agent',
      sentence: 'Of the agent who sent it: the dot is half of the chats, the line ends at nine of ten. Slowest first.',
      namedWords: {
        sentence: 'Of the agent who sent it: the dot is half of the chats, the line ends at nine of ten.',
      },
      metric: 'first_response_time',
      split: ['agent'],
      empty: 'Agents with first responses would be listed here.',
    },
    {
      ...ranking,
      id: 'by-agent',
      title: 'Response by agent',
      sentence:
        'Of the turns that the agent closed: the dot is half of the chats, the line ends at nine of ten. Slowest first.',
      namedWords: {
        sentence: 'Of the turns that the agent closed: the dot is half of the chats, the line ends at nine of ten.',
      },
      metric: 'response_time',
      split: ['agent'],
      empty: 'Agents with responses would be listed here.',
    },
    {
      ...ranking,
      id: 'first-by-group',
      title: 'First response by group',
      sentence: 'The dot is half of the chats of the group, the line ends at nine of ten. Slowest first.',
      metric: 'first_response_time',
      split: ['group'],
      empty: 'Groups with first responses would be listed here.',
    },
    {
      ...ranking,
      id: 'by-group',
      title: 'Response by group',
      sentence: 'The dot is half of the chats of the group, the line ends at nine of ten. Slowest first.',
      metric: 'response_time',
      split: ['group'],
      empty: 'Groups with responses would be listed here.',
    },
    {
      ...heatmap,
      id: 'first-hours',
      title: 'First response by weekday and hour',
      sentence: 'By when the chat started, over the whole range; the stronger the colour, the slower.',
      metric: 'first_response_time',
      empty: 'First responses by hour would be drawn here.',
    },
    {
      ...heatmap,
      id: 'hours',
      title: 'Response by weekday and hour',
      sentence: 'By when the chat started, over the whole range; the stronger the colour, the slower.',
      metric: 'response_time',
      empty: 'Responses by hour would be drawn here.',
    },
  ],
};
