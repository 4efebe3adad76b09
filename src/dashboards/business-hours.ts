// Panels about waits as they are in business hours: the same panel over the metric of that name.
import type { Panel } from './panel.ts';

const measured = ['first_response_time', 'response_time', 'waiting_times', 'service_level'];
const inHours = (metric: string): string => (measured.includes(metric) ? `${metric}_business` : metric);

/** Whether a page has any. */
export const hasWaits = (panels: readonly Panel[]): boolean => panels.some(({ metric }) => measured.includes(metric));

/** Other panels stay unchanged. Visitors who left the queue are not measured in business hours, so their band is dropped. */
export function inBusinessHours(panel: Panel): Panel {
  if (!measured.includes(panel.metric)) return panel;
  const { band, ...rest } = panel;
  const isApart = band?.isApart === true;
  const [meaning = ''] = isApart ? panel.sentence.split(/(?<=\.) /) : [panel.sentence];
  return {
    ...rest,
    ...(band && !isApart ? { band } : {}),
    title: `${panel.title} (business hours)`,
    sentence: `${meaning} Only time in business hours counts.`,
    metric: inHours(panel.metric),
    measures: panel.measures.map((it) => (it.metric ? { ...it, metric: inHours(it.metric) } : it)),
  };
}

/** The panels as the filters of their page have them. */
export const underHours = (panels: readonly Panel[], hours: 'business' | undefined): Panel[] =>
  hours === 'business' ? panels.map(inBusinessHours) : [...panels];
