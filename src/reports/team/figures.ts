// The figures of an agent's page that are set beside the team's: each one measure of a metric, by agent.

export interface TeamFigure {
  metric: string;
  measure: string;
  /** What a figure rests on: whoever has too little of it is not among the colleagues. */
  basis: { metric: string; measure: string };
  /** It grows with the days: over a period it is the part that falls to its days. */
  isSum: boolean;
}

const chats = { metric: 'chat_ratings', measure: 'chats' };
const own = (metric: string, measure: string, basis = { metric, measure: 'count' }): TeamFigure => ({
  ...{ metric, measure, basis, isSum: false },
});

export const teamFigures: readonly TeamFigure[] = [
  { metric: 'total_chats', measure: 'chats', basis: chats, isSum: true },
  own('chat_ratings', 'csat', { metric: 'chat_ratings', measure: 'rated' }),
  own('first_response_time', 'p50'),
  own('not_replied_chats', 'share', chats),
  own('response_time', 'p50'),
  own('occupancy', 'occupancy', chats),
  { metric: 'chatting_time', measure: 'hours', basis: chats, isSum: true },
  { metric: 'availability', measure: 'hours', basis: chats, isSum: true },
];
