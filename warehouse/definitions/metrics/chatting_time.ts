// How long agents were chatting.
import { daysAndHours, everybody, rounded } from '../check.ts';
import { chatMetric, number } from '../metric.ts';
import * as recipes from '../recipes/spans.ts';

export const chattingTime = chatMetric({
  id: 'chatting_time',
  title: 'Chatting time',
  alsoCalled: 'talk time active handling',
  definition:
    'Hours in which at least one chat of the asked set was open, cut at the borders of periods; chats begun before the ' +
    'range count in. chat_hours is the sum over chats instead.',
  kind: 'A+R',
  recipe: recipes.chattingTime,
  changedBy: [],
  ownFigures: { chatting: { measure: 'hours' } },
  teamFigure: { measure: 'hours', isSum: true },
  checks: [{ table: 'chatting_time', numbers: [rounded('hours', 2)], splits: everybody, grains: daysAndHours }],
  archived: {
    rows: 'chats',
    agent: 'took_part',
    sweep: { end: 'c.ended_second' },
    parts: {
      busy_seconds: { sql: 'sum(case when level > 0 then length else 0 end)', merge: 'sum' },
      chat_seconds: { sql: 'sum(level * length)', merge: 'sum' },
    },
  },
  measures: {
    hours: number('Hours with a chat', 'hours', 'busy_seconds / cast(3600 as double precision)'),
    chat_hours: number('Sum over chats', 'hours', 'chat_seconds / cast(3600 as double precision)'),
  },
});
