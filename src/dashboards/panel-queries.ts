// The questions of a panel under the filters of its page: each with dates, grain, filters and comparison.
import { grainFor, grainWithin } from './grains.ts';
import type { Grain, Panel } from './panel.ts';
import { questions, type Question } from './questions.ts';
import { spanOf, type DateRange } from './ranges.ts';

/** What a number is compared with; `none` disables the comparison. */
export const comparisons = ['previous', 'year', 'none'] as const;
export type ComparisonKind = (typeof comparisons)[number];

/** What narrows a page, each to any of several values; of variables to those of each one. */
export const narrowings = ['group', 'agent', 'tag', 'variable'] as const;
export type Narrowing = (typeof narrowings)[number];

export interface PageFilters extends DateRange {
  /** The local date of now. */
  today: string;
  group: string[];
  agent: string[];
  tag: string[];
  /** Values of declared variables: `plan:pro`. */
  variable: string[];
  timezone: string;
  grain: Grain;
  compare: ComparisonKind;
  /** Seconds, of metrics that are measured against a target. */
  target: number;
  /** Panels that the reader has split: `volume.group`. */
  split: string[];
  /** Several chosen groups, agents, tags or values of a variable are one number, and not one each. */
  isTogether: boolean;
  /** Waits in business hours only; without it in all hours. */
  hours?: 'business';
}

/** A metric as the catalogue lists it. */
interface QueryableMetric {
  grains: readonly string[];
  target?: number | undefined;
}

/** A question as the API takes it. */
interface QueryParameters extends DateRange {
  metric: string;
  timezone: string;
  grain: Grain;
  split: string[];
  group: string[];
  agent: string[];
  tag: string[];
  variable: string[];
  compare?: 'previous' | 'year';
  target?: number;
}

export function parametersOf(
  question: Question,
  filters: PageFilters,
  metric: QueryableMetric | undefined,
): QueryParameters {
  const { timezone, group, agent, tag, variable, target } = filters;
  const compare = question.compare === true ? filters.compare : question.compare || 'none';
  return {
    metric: question.metric,
    ...spanOf(question.span, filters),
    timezone,
    grain: question.grain === 'asked' ? grainFor(metric, filters.grain) : question.grain,
    ...{ split: question.split, group, agent, tag, variable },
    ...(compare === 'none' ? {} : { compare }),
    ...(metric?.target === undefined ? {} : { target }),
  };
}

/** A sparkline is no wider than a hundred points. */
const MOST_POINTS = 100;

/** The grain that a panel takes of the one of its page: a tile is small, and the line behind a change is not drawn. */
export const grainIn = ({ picture }: Panel, shown: DateRange & { grain: Grain }): Grain =>
  ['tile', 'changes'].includes(picture) ? grainWithin(MOST_POINTS, shown) : shown.grain;

/** The filters as a panel takes them. */
export const filtersFor = <Filters extends PageFilters>(panel: Panel, filters: Filters): Filters => ({
  ...filters,
  grain: grainIn(panel, filters),
});

/** The questions of a panel in order; `metricOf` looks into the catalogue. */
export const panelQueries = (
  panel: Panel,
  filters: PageFilters,
  metricOf: (id: string) => QueryableMetric | undefined,
): QueryParameters[] => questions(panel).map((it) => parametersOf(it, filtersFor(panel, filters), metricOf(it.metric)));
