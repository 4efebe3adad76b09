// The vendor's ranking of agents by rating: the same panel for chats and for tickets.
import type { Panel } from './panel.ts';

/** `metric` has good, bad, total and score by agent. */
export function scores(metric: string, title: string, rated: string): Panel {
  return {
    id: 'scores',
    title,
    sentence: `The score of the account’s own report, from 0 to 1, rises with good ratings and with how many there are; agents without rated ${rated} are left out.`,
    unit: 'score',
    picture: 'ranking',
    metric,
    measures: [
      { measure: 'score', label: 'score' },
      { measure: 'good', label: 'good' },
      { measure: 'bad', label: 'bad' },
      { measure: 'total', label: 'ratings' },
    ],
    split: ['agent'],
    grain: 'total',
    half: true,
    empty: `Agents with rated ${rated} would be listed here.`,
  };
}
