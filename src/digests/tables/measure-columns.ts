// The columns of numbers of a panel's table, named as the panel names them.
import type { Panel } from '#dashboards/panel.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';

export interface MeasureColumn {
  metric: string;
  measure: string;
  /** The panel's own words, and the unit. */
  head: string;
}

export const unitOf = (metric: string, measure: string): string => metricOf(metric).measures[measure]?.unit ?? '';

/** The measures of a panel, in order. */
export const ownColumns = (panel: Panel): MeasureColumn[] => columns(panel, panel.measures);

/** The same with the ends of its band and the count behind it. */
export function columnsOf(panel: Panel): MeasureColumn[] {
  const { metric, basis, band } = panel;
  const ends = band ? [band.from, band.to].map((measure) => ({ measure, label: titleOf(metric, measure) })) : [];
  return columns(panel, [...panel.measures, ...ends, ...(basis ? [basis] : [])]);
}

function columns(panel: Panel, named: readonly { measure: string; label: string; metric?: string }[]): MeasureColumn[] {
  const all = named.map(({ measure, label, metric = panel.metric }) => ({
    ...{ metric, measure, head: headOf(metric, measure, label) },
  }));
  const once = all.filter(
    ({ metric, measure }, at) => all.findIndex((it) => it.metric === metric && it.measure === measure) === at,
  );
  const isTwice = (head: string): boolean => once.filter((it) => it.head === head).length > 1;
  return once.map((it) => (isTwice(it.head) ? { ...it, head: `${metricOf(it.metric).title}: ${it.head}` } : it));
}

/** The unit is not said twice, and money has its currency beside it. */
function headOf(metric: string, measure: string, label: string): string {
  const unit = unitOf(metric, measure);
  return unit === 'money' || label.toLowerCase().endsWith(unit) ? label : `${label} (${unit})`;
}

const titleOf = (metric: string, measure: string): string =>
  (metricOf(metric).measures[measure]?.title ?? measure).replace(/^[A-Z](?![A-Z])/, (it) => it.toLowerCase());
