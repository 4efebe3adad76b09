// How much of their available time agents spent chatting.
import { chatMetric, fractions, mean, number, sumOfFractions } from '../metric.ts';
import * as recipes from '../recipes/availability.ts';

const busy = 'busy_seconds / cast(3600 as double precision)';

export const occupancy = chatMetric({
  id: 'occupancy',
  title: 'Occupancy',
  alsoCalled: 'utilisation utilization busy time used load',
  definition:
    'Time chatting divided by time available: the time in which an agent had at least one chat open (several at once count ' +
    'once), divided by the time in which the agent was accepting chats, as the source reports it. Of several agents both are added ' +
    'up first; of a group they are those of its current members with all their chats. Chats that go on after an agent stopped accepting ' +
    'count, so that it can be more than 100%. at_once divides the sum over chats instead: how many chats an available agent has open at the same moment. Agents whose availability is not reported are left out.',
  kind: 'A+R / R',
  recipe: recipes.occupancy,
  changedBy: [],
  teamFigure: { measure: 'occupancy' },
  splits: ['agent', 'weekday', 'hour_of_day'],
  filters: ['group', 'agent'],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    sweep: { end: 'c.ended_second' },
    parts: {
      busy_seconds: { sql: 'sum(case when level > 0 then length else 0 end)', merge: 'sum' },
      chat_seconds: { sql: 'sum(level * length)', merge: 'sum' },
    },
  },
  reported: {
    table: 'availability',
    each: 'agent',
    splits: ['agent'],
    parts: { available: sumOfFractions('r.hours') },
  },
  measures: {
    occupancy: mean('Occupancy', 'share', `(${busy}) / nullif(${fractions('available')}, 0)`),
    at_once: mean(
      'Concurrent chats per available agent',
      'chats',
      `(chat_seconds / cast(3600 as double precision)) / nullif(${fractions('available')}, 0)`,
    ),
    chatting: number('Hours with a chat', 'hours', busy),
    available: number('Hours accepting chats', 'hours', fractions('available')),
  },
});
