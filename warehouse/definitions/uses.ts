// Uses of a measure besides display: targets, an agent's own figures, and outcomes expected of agents.

/** Numbers that targets are set for, in the order in which they are listed. */
export const targetKinds = ['first_response', 'service_level', 'satisfaction', 'abandonment'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A share (0 to 1) that targets are set for. */
export interface Judged {
  kind: TargetKind;
  measure: string;
  /** Its denominator; without `metric`, a measure of the same metric. */
  basis: { metric?: string; measure: string };
  /** Whether targets are upper limits; lower limits by default. */
  isMost?: true;
}

/** Figures that agents see next to those of their colleagues, in order. */
export const ownFigureIds = ['first_response', 'response', 'satisfaction', 'chats', 'duration', 'chatting'] as const;
export type OwnFigureId = (typeof ownFigureIds)[number];

interface OwnFigureUse {
  measure: string;
  /** The measure it is based on: agents with too few are not compared. By default the figure `chats`. */
  basis?: string;
}

/** A figure of an agent's page that is compared with the team. */
interface TeamFigureUse {
  measure: string;
  /** The measure it is based on: agents with too little of it do not count as colleagues. By default the figure `chats`. */
  basis?: string;
  /** Whether it grows with the number of days, and is prorated for periods. */
  isSum?: true;
}

/** Outcomes for which agents are compared with their expectation, in order. */
export const outcomeIds = ['satisfaction', 'response_rate', 'first_response', 'response'] as const;
export type OutcomeId = (typeof outcomeIds)[number];

/** Each metric declares its uses in its own file. */
export interface Uses {
  judged?: Judged;
  ownFigures?: Readonly<Partial<Record<OwnFigureId, OwnFigureUse>>>;
  teamFigure?: TeamFigureUse;
  /** The measure that is the outcome. */
  outcomes?: Readonly<Partial<Record<OutcomeId, string>>>;
  /** The column of a chat's contribution in tables of chats; medians are taken of it. */
  chatColumn?: string;
  /** The vendor's report that it answers; by default the one with its own id. */
  answers?: string;
}
