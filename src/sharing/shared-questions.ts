// The current content of a shared link: the dates of its filters, its panels, and their questions.
import { panelQueries, type PageFilters } from '#dashboards/panel-queries.ts';
import { queriesOn } from '#dashboards/board-queries.ts';
import { pageOfBoard } from '#dashboards/boards.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { grainOf } from '#dashboards/grains.ts';
import { withoutAgents, type Dashboard, type Panel } from '#dashboards/panel.ts';
import { underHours } from '#dashboards/business-hours.ts';
import { splitUnder } from '#dashboards/split-panel.ts';
import { cut, daysBetween, presetRange, today, type Preset } from '#dashboards/ranges.ts';
import { described, metricOf } from '#warehouse/definitions/metrics.ts';
import type { AskInput } from '#warehouse/query/ask.ts';
import { boardOfPage, type SharedView } from './shared-view.ts';

interface SharedPageFilters extends PageFilters {
  preset: Preset | null;
  /** The first day with numbers, if the dates begin earlier and were therefore cut. */
  cutAt: string | null;
}

export interface SharedQuestions {
  dashboard: Dashboard;
  filters: SharedPageFilters;
  panels: readonly Panel[];
  /** Numbers of today so far; none where the dates end before. */
  today: readonly Panel[];
  /** Saved queries of the board, which a link leaves out. */
  queries: number;
}

/** The time and account: `since` is the first day with numbers. */
interface ViewMoment {
  now: Date;
  timezone: string;
  since: string;
  /** Figures of single agents may be shown. */
  hasAgents: boolean;
}

function filtersAt({ filters }: SharedView, { now, since, timezone: own }: ViewMoment): SharedPageFilters {
  const {
    preset,
    from = '',
    to = '',
    timezone = own,
    grain,
    compare,
    target,
    group,
    agent,
    tag,
    variable,
    split,
  } = filters;
  const day = today(now, timezone);
  const range = cut(preset === undefined ? { from, to } : presetRange(preset, day), since);
  return {
    ...{ preset: preset ?? null, ...range, today: day, timezone, compare, target, agent, tag, variable, split },
    isTogether: filters.together,
    ...(filters.hours ? { hours: filters.hours } : {}),
    group: group.map(String),
    grain: grain ?? grainOf(daysBetween(range.from, range.to)),
  };
}

const describedAs = (metric: string) => described(metricOf(metric));

/** The page that is shown, and which panel of it alone. */
function pageIn({ page, board }: SharedView): [Dashboard | undefined, string | undefined] {
  const own = boardOfPage(page);
  if (own) return [board && pageOfBoard({ id: own.board, ...board }), own.panel];
  const [id, panel] = page.split('/');
  return [dashboards.find((it) => it.id === id), panel];
}

/** Undefined if the page no longer exists. */
export function sharedQuestionsAt(frozen: SharedView, moment: ViewMoment): SharedQuestions | undefined {
  const [dashboard, panel] = pageIn(frozen);
  if (!dashboard) return undefined;
  const filters = filtersAt(frozen, moment);
  const asSplit = (panels: readonly Panel[]) =>
    underHours(panels, filters.hours).map((it) => splitUnder(it, filters, describedAs(it.metric)));
  const seen = (panels: readonly Panel[]) => (moment.hasAgents ? panels : withoutAgents(panels));
  if (panel !== undefined)
    return {
      ...{ dashboard, filters, today: [], queries: 0 },
      panels: seen(asSplit(dashboard.panels.filter(({ id }) => id === panel))),
    };
  const hasToday = filters.to >= filters.today;
  return {
    dashboard,
    filters,
    panels: seen(asSplit(dashboard.panels)),
    today: hasToday ? seen(dashboard.today ?? []) : [],
    queries: frozen.board ? queriesOn(frozen.board) : 0,
  };
}

/** Whether nothing of it can be shown without figures of single agents. */
export const needsAgents = ({ dashboard, filters, panels }: SharedQuestions): boolean =>
  filters.agent.length > 0 || (panels.length === 0 && dashboard.panels.length > 0);

/** The questions of a panel under the frozen filters. */
export const wantedBy = (panel: Panel, filters: SharedPageFilters): { metric: string; wanted: AskInput }[] =>
  panelQueries(panel, filters, metricOf).map(({ metric, group, agent, tag, variable, ...asked }) => ({
    metric,
    wanted: { ...asked, filters: { group: group.map(Number), agent, tag, variable } },
  }));
