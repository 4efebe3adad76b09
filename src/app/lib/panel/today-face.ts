// A number of today so far, or the reason why there is none with these filters.
import type { Metric } from '#api/contract/metrics.ts';
import type { Panel } from '#dashboards/panel.ts';
import { today, type TodayFace } from '#dashboards/pictures/today.ts';
import { answerOf, inTitles, type MetricOutcome } from '#lib/metric-question.ts';
import { noNumber } from './no-number.ts';

/** A reason stands where the same weekday a week ago would. */
export function todayFace(
  panel: Panel,
  outcomes: readonly (MetricOutcome | undefined)[],
  metrics: readonly Metric[],
  at: Parameters<typeof today>[2],
): TodayFace {
  const none = noNumber(outcomes[0], metrics);
  if (none) return { text: none.text, kind: none.kind, than: none.why };
  const face = today(panel, outcomes.map(answerOf), at);
  return face.reason === undefined ? face : { ...face, than: inTitles(face.reason, metrics) };
}
