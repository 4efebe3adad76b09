// Which metric is used for what, gathered from the files of the metrics; a use that no metric has fails when the program starts.
import type { MetricDefinition } from './metric.ts';
import { allMetrics, metricOf } from './metrics.ts';
import { ownFigureIds, targetKinds, type Judged, type OutcomeId, type OwnFigureId, type TargetKind } from './uses.ts';

/** The single metric for which `of` returns something. Errors: Error, naming the use, if there is none or several. */
function theOne<Found>(
  use: string,
  of: (metric: MetricDefinition) => Found | undefined,
): { metric: MetricDefinition; found: Found } {
  const all = allMetrics.flatMap((metric) => {
    const found = of(metric);
    return found === undefined ? [] : [{ metric, found }];
  });
  const [one, ...others] = all;
  if (!one || others.length > 0)
    throw new Error(`${use}: ${all.map(({ metric }) => metric.id).join(', ') || 'no metric'}`);
  return one;
}

interface JudgedMeasure extends Judged {
  metric: string;
  basis: { metric: string; measure: string };
  /** Its metric is measured against seconds, which are part of the target. */
  hasSeconds: boolean;
}

const judged = new Map(
  targetKinds.map((kind): [TargetKind, JudgedMeasure] => {
    const { metric, found } = theOne(`target ${kind}`, (it) => (it.judged?.kind === kind ? it.judged : undefined));
    const { id, target } = metric;
    return [kind, { ...found, metric: id, basis: { metric: id, ...found.basis }, hasSeconds: target !== undefined }];
  }),
);

/** What targets of a kind are compared with. */
export const judgedBy = (kind: TargetKind): JudgedMeasure => judged.get(kind) as JudgedMeasure;

interface Based {
  metric: string;
  measure: string;
  basis: { metric: string; measure: string };
}
export interface OwnFigureMeasure extends Based {
  id: OwnFigureId;
}
export interface TeamFigureMeasure extends Based {
  isSum: boolean;
}

const ownFigure = (id: OwnFigureId) => {
  const { metric, found } = theOne(`own figure ${id}`, ({ ownFigures }) => ownFigures?.[id]);
  return { metric: metric.id, ...found };
};
/** How many chats an agent had: what figures rest on that say nothing else. */
const { metric: counting, measure: counted } = ownFigure('chats');
const basisIn = (metric: string, measure: string | undefined): Based['basis'] =>
  measure === undefined ? { metric: counting, measure: counted } : { metric, measure };

export const ownFigures: readonly OwnFigureMeasure[] = ownFigureIds.map((id) => {
  const { metric, measure, basis } = ownFigure(id);
  return { id, metric, measure, basis: basisIn(metric, basis) };
});

/** In the order of the metrics. */
export const teamFigures: readonly TeamFigureMeasure[] = allMetrics.flatMap(({ id: metric, teamFigure }) => {
  if (!teamFigure) return [];
  const { measure, basis, isSum = false } = teamFigure;
  return [{ metric, measure, basis: basisIn(metric, basis), isSum }];
});

/** The metric and measure of an outcome. */
export function outcomeOf(id: OutcomeId): { metric: string; measure: string } {
  const { metric, found } = theOne(`outcome ${id}`, ({ outcomes }) => outcomes?.[id]);
  return { metric: metric.id, measure: found };
}

/** A chat's contribution to the metric with that column: an expression over a chat. */
export function broughtTo(column: string): string {
  const { metric } = theOne(`column ${column}`, ({ chatColumn }) => (chatColumn === column ? chatColumn : undefined));
  const of = metric.archived?.parts['q50']?.quantile?.of;
  if (of === undefined) throw new Error(`${metric.id} has no median over chats`);
  return of;
}

/** The metric that answers a report of the vendor. Errors: Refused. */
export const metricOfReport = (report: string): MetricDefinition =>
  allMetrics.find(({ answers }) => answers === report) ?? metricOf(report);
