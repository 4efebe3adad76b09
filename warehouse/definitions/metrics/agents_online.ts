// How many agents were accepting chats, on average.
import { hoursOfAgents } from '../../hours-of-agents.ts';
import { elapsed, fractions, fractionsOver, mean, number, reportMetric, sumOfFractions } from '../metric.ts';
import * as recipes from '../recipes/availability.ts';

export const agentsOnline = reportMetric({
  id: 'agents_online',
  title: 'Agents online',
  alsoCalled: 'staffing people needed headcount coverage online shifts hours',
  definition:
    'The mean number of agents who were accepting chats: the time that each of them was, as the source reports it of every ' +
    'agent, added up and divided by the time of the period, as far as it had passed when the source was asked. Of a group: its ' +
    `current members. By hour it is known where the hours of each agent are pulled, which they are for at most ${hoursOfAgents.most_agents} agents.`,
  kind: 'R',
  recipe: recipes.agentsOnline,
  reported: {
    table: 'availability',
    each: 'agent',
    splits: ['agent'],
    parts: { available: sumOfFractions('r.hours'), seconds: elapsed },
  },
  measures: {
    mean: mean('Mean agents online', 'agents', `${fractionsOver('available', 'seconds')} * 3600`),
    hours: number('Available hours of all agents', 'hours', fractions('available')),
  },
});
