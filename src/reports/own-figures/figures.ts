// The figures that an agent sees beside those of colleagues: each one measure of a metric, by agent in one group.

export interface OwnFigure {
  id: string;
  metric: string;
  measure: string;
  /** What the figure rests on: whoever has too few of it is not compared. */
  basis: { metric: string; measure: string };
}

const chats = { metric: 'chat_ratings', measure: 'chats' };

export const ownFigures = [
  {
    id: 'first_response',
    metric: 'first_response_time',
    measure: 'p50',
    basis: { metric: 'first_response_time', measure: 'count' },
  },
  { id: 'response', metric: 'response_time', measure: 'p50', basis: { metric: 'response_time', measure: 'count' } },
  { id: 'satisfaction', metric: 'chat_ratings', measure: 'csat', basis: { metric: 'chat_ratings', measure: 'rated' } },
  { id: 'chats', ...chats, basis: chats },
  { id: 'duration', metric: 'chat_duration', measure: 'p50', basis: chats },
  { id: 'chatting', metric: 'chatting_time', measure: 'hours', basis: chats },
] as const satisfies readonly OwnFigure[];

export const ownFigureIds = ownFigures.map(({ id }) => id);
export type OwnFigureId = (typeof ownFigureIds)[number];
