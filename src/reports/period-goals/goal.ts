// Which numbers goals for periods are set for: chats, which add up, and the shares that targets are set for.
import { targetKinds, type TargetKind } from '#warehouse/definitions/uses.ts';

export type GoalKind = 'chats' | TargetKind;
export const goalKinds = ['chats', ...targetKinds] as const satisfies readonly GoalKind[];

/** How much is to be reached, of the whole account or of a group. */
export interface GoalTerms {
  kind: GoalKind;
  /** Null: the whole account. */
  group: number | null;
  /** Local days, both included. */
  from: string;
  to: string;
  /** Chats, or a share (0 to 1). */
  amount: number;
  /** For metrics that are measured against a target in seconds. */
  seconds: number | null;
}

/** A stored goal. */
export interface StoredGoal extends GoalTerms {
  id: string;
  account: string;
  user: string;
  /** ISO instant. */
  created_at: string;
}
