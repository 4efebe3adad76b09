// Which numbers targets are set for: the measure that is judged, the count that it rests on, and which way is good.

interface Judgeable {
  metric: string;
  /** A share, 0 to 1. */
  measure: string;
  /** What it is a share of. */
  basis: { metric: string; measure: string };
  /** At most so much is wanted; at least, where it is missing. */
  isMost?: true;
  /** Its metric is measured against seconds, which are part of the target. */
  hasSeconds?: true;
}

const judgeable = {
  first_response: {
    metric: 'first_response_within_target',
    measure: 'share',
    basis: { metric: 'first_response_within_target', measure: 'counted' },
    hasSeconds: true,
  },
  service_level: {
    metric: 'service_level',
    measure: 'answered_within',
    basis: { metric: 'queued_visitors', measure: 'entered_chat' },
    hasSeconds: true,
  },
  satisfaction: {
    metric: 'chat_ratings',
    measure: 'csat',
    basis: { metric: 'chat_ratings', measure: 'rated' },
  },
  abandonment: {
    metric: 'queued_visitors',
    measure: 'abandonment',
    basis: { metric: 'queued_visitors', measure: 'queued' },
    isMost: true,
  },
} as const satisfies Record<string, Judgeable>;

export type TargetKind = keyof typeof judgeable;
export const targetKinds = Object.keys(judgeable) as [TargetKind, ...TargetKind[]];
export const judgedBy = (kind: TargetKind): Judgeable => judgeable[kind];

/** What is wanted of one number, of the whole account or of a group, from a day on. */
export interface Target {
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
export interface KeptTarget extends Target {
  id: string;
  account: string;
  /** Who set it. */
  user: string;
  /** ISO instant. */
  created_at: string;
}
