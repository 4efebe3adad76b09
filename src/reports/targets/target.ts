// The target of a number.
import type { TargetKind } from '#warehouse/definitions/uses.ts';

/** The target of one number, for the whole account or a group, from a day on. */
export interface TargetTerms {
  kind: TargetKind;
  /** Null: the whole account. */
  group: number | null;
  /** Local day, YYYY-MM-DD. */
  valid_from: string;
  /** 0 to 1; null: from this day on there is no target. */
  share: number | null;
  /** For metrics that are measured against a target in seconds. */
  seconds: number | null;
}

/** A stored target. */
export interface StoredTarget extends TargetTerms {
  id: string;
  account: string;
  /** Who set it. */
  user: string;
  /** ISO instant. */
  created_at: string;
}
