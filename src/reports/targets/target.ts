// What is wanted of a number that targets are set for.
import type { TargetKind } from '#warehouse/definitions/uses.ts';

/** What is wanted of one number, of the whole account or of a group, from a day on. */
export interface TargetTerms {
  kind: TargetKind;
  /** Null: the whole account. */
  group: number | null;
  /** Local day, YYYY-MM-DD. */
  valid_from: string;
  /** 0 to 1; null: from this day on there is no target. */
  share: number | null;
  /** Of a metric that is measured against seconds. */
  seconds: number | null;
}

/** A target as it is kept. */
export interface StoredTarget extends TargetTerms {
  id: string;
  account: string;
  /** Who set it. */
  user: string;
  /** ISO instant. */
  created_at: string;
}
