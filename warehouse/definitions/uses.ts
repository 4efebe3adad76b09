// What a measure is used for besides being shown: judged by targets, an agent's own figure, an outcome that is expected of agents.

/** Numbers that targets are set for, in the order in which they are listed. */
export const targetKinds = ['first_response', 'service_level', 'satisfaction', 'abandonment'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A share (0 to 1) that targets are set for. */
export interface Judged {
  kind: TargetKind;
  measure: string;
  /** What it is a share of; without `metric` a measure of the same metric. */
  basis: { metric?: string; measure: string };
  /** At most so much is wanted; at least, where it is missing. */
  isMost?: true;
}

/** Figures that an agent sees beside those of colleagues, in the order in which they are listed. */
export const ownFigureIds = ['first_response', 'response', 'satisfaction', 'chats', 'duration', 'chatting'] as const;
export type OwnFigureId = (typeof ownFigureIds)[number];

interface OwnFigureUse {
  measure: string;
  /** The measure that it rests on: whoever has too few of it is not compared. Without one it rests on the figure `chats`. */
  basis?: string;
}

/** A figure of an agent's page that is set beside the team's. */
interface TeamFigureUse {
  measure: string;
  /** The measure that it rests on: whoever has too little of it is not among the colleagues. Without one it rests on the figure `chats`. */
  basis?: string;
  /** It grows with the days: over a period it is the part that falls to its days. */
  isSum?: true;
}

/** Outcomes in which agents are held against what was expected of them, in the order in which they are listed. */
export const outcomeIds = ['satisfaction', 'response_rate', 'first_response', 'response'] as const;
export type OutcomeId = (typeof outcomeIds)[number];

/** All of it is part of the metric's own file. */
export interface Uses {
  judged?: Judged;
  ownFigures?: Readonly<Partial<Record<OwnFigureId, OwnFigureUse>>>;
  teamFigure?: TeamFigureUse;
  /** The measure that is the outcome. */
  outcomes?: Readonly<Partial<Record<OutcomeId, string>>>;
  /** The column of chats as rows that holds what a chat brings: what the median is taken of. */
  chatColumn?: string;
  /** The report of the vendor that is answered with it; by default the one of its own id. */
  answers?: string;
}
