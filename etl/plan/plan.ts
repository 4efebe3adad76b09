// Plans the questions of one pull and their order. Pure: turns the state of the ledger into a list of units, newest periods first.
import { lists, listIds, chatStatus } from '#contract/account.ts';
import { archive } from '#contract/archive.ts';
import { listArchives, threadsBegun } from '#contract/list-archives.ts';
import { reportIds, reports, weekdays, type ReportId } from '#contract/reports.ts';
import { addDays, boundsOf, chunks, dayOf, daysBetween, weekdayOf } from '../days.ts';
import { isDue, isDueTogether, isToRecheck, type LastPulls, type Last } from './due.ts';
import { inOrder } from './order.ts';
import { posted } from '../source-request.ts';
import type { ArchiveChoice } from '../source.ts';
import type { ArchiveUnit, ReportScope, ListUnit, ReportUnit, PullUnit } from '../unit.ts';
import { hoursOfAgents } from '#warehouse/hours-of-agents.ts';

/** Wider questions time out at the source. */
const longest_range_days = 20;
/** Nobody waits for the backfill to see these. */
const first_days = 14;
/** Chats that began before the range still run into it. */
const archive_overlap_days = 2;
/** Units that belong together; a snapshot is published after each chapter that changed something. */
export interface Chapter {
  from: string;
  to: string;
  units: PullUnit[];
}

export interface Splits {
  groups: readonly number[];
  agents: readonly string[];
}

export interface Planning {
  account: string;
  timezone: string;
  /** First local day. */
  since: string;
  /** Last local day; not after today. */
  until: string;
  /** Unix seconds. */
  now: number;
  known: LastPulls;
  /** Sources known to return nothing are skipped; by default all are asked. */
  isRefused?: (source: string) => boolean;
  /** A complete month to be checked again, by first and last local day. */
  recheck?: { from: string; to: string } | undefined;
  splits: Splits;
  /** Which archive feeds the facts; defaults to v2.0. */
  archive_source?: ArchiveChoice;
  /** Report names and `archive`; all when absent. */
  only?: ReadonlySet<string>;
}

/** The account lists come first in every pull because they name the groups and agents. */
export const listUnits = (): ListUnit[] => [
  ...listIds.map((list): ListUnit => ({ kind: 'list', list, path: lists[list].path })),
  { kind: 'list', list: 'status', path: chatStatus.path },
];

/** Canned responses are listed group by group. */
export const cannedResponsesOf = (group: number): ListUnit => ({
  kind: 'list',
  list: 'canned_responses',
  path: `${lists.canned_responses.path}?group=${group}`,
});

export function plan(planning: Planning): Chapter[] {
  return chaptersOf(planning.since, planning.until)
    .map(({ from, to }) => ({ from, to, units: unitsOf(planning, from, to) }))
    .concat(recheckOf(planning))
    .concat(comparisonOf(planning))
    .filter((chapter) => chapter.units.length > 0);
}

/** A month is checked by its daily reports; where one of them changed, everything for that day is asked again. */
function recheckOf(planning: Planning): Chapter[] {
  const { recheck } = planning;
  if (!recheck) return [];
  const known: LastPulls = (source, grain, split, value) => {
    const lastOf = planning.known(source, grain, split, value);
    return (day) => (grain === 'day' && isToRecheck(day, lastOf(day), planning) ? undefined : 'complete');
  };
  const units = reportIds
    .filter((id) => isWanted(planning, id) && reports[id].keyed === 'period')
    .flatMap((id) => reportUnits({ ...planning, known }, id, recheck.from, recheck.to, false));
  return [{ ...recheck, units }];
}

/** With both archives: v3.5 is compared when everything of v2.0 has been loaded. */
function comparisonOf(planning: Planning): Chapter[] {
  const { since: from, until: to, timezone } = planning;
  const due = archiveDays(from, to, true).filter(dueToCompare(planning));
  const units = due.map((day): ArchiveUnit => ({ ...threadsUnit(day, timezone), isCompared: true }));
  return [{ from, to, units }];
}

function dueToCompare(planning: Planning): (day: string) => boolean {
  const is_wanted = isWanted(planning, 'archive') && !planning.isRefused?.('archive_v3');
  if (planning.archive_source !== 'both' || !is_wanted) return () => false;
  return dueIn(planning, 'archive_v3', 'day', 'account', '');
}

const isWanted = ({ only, isRefused }: Planning, source: string): boolean =>
  (!only || only.has(source)) && !isRefused?.(source);

/** Newest first: two weeks, then runs of twenty days back to the first. */
function chaptersOf(since: string, until: string): { from: string; to: string }[] {
  const chapters: { from: string; to: string }[] = [];
  for (let to = until, days = first_days; to >= since; days = longest_range_days) {
    const start = addDays(to, 1 - days);
    const from = start < since ? since : start;
    chapters.push({ from, to });
    to = addDays(from, -1);
  }
  return chapters;
}

function unitsOf(planning: Planning, from: string, to: string): PullUnit[] {
  const newest = to === planning.until;
  const read = isWanted(planning, 'archive') ? archiveDays(from, to, newest) : [];
  const isDueNow = dueIn(planning, 'archive', 'day', 'account', '');
  const isComparedNow = dueToCompare(planning);
  // Both sources must be read at the same time for a comparison, or late ratings and tags would look like differences.
  const days = read.filter((day) => isDueNow(day) || isComparedNow(day));
  const wanted = reportIds.filter((id) => isWanted(planning, id));
  return inOrder(
    days.map((day) => archiveUnit(planning, day)),
    wanted.flatMap((id) => reportUnits(planning, id, from, to, newest)),
  );
}

/** Newest first. The archive is read two days further back than the reports, so each chapter passes two days to the one before. */
const archiveDays = (from: string, to: string, newest: boolean): string[] =>
  daysBetween(addDays(from, -archive_overlap_days), newest ? to : addDays(to, -archive_overlap_days)).reverse();

export const archiveUnit = (
  { timezone, archive_source }: Pick<Planning, 'timezone' | 'archive_source'>,
  day: string,
): ArchiveUnit =>
  archive_source === 'agent_v3'
    ? threadsUnit(day, timezone)
    : {
        kind: 'archive',
        day,
        path: `${archive.path}?${new URLSearchParams({ date_from: day, date_to: day, timezone })}`,
      };

/** The first page of all threads that began on a local day. */
export function threadsOf(day: string, timezone: string): string {
  const { first, last } = boundsOf(day, timezone);
  return posted(listArchives.path, threadsBegun(first, last));
}

const threadsUnit = (day: string, timezone: string): ArchiveUnit => ({
  kind: 'archive',
  day,
  path: threadsOf(day, timezone),
  via: 'agent_v3',
});

function reportUnits(planning: Planning, id: ReportId, from: string, to: string, newest: boolean): ReportUnit[] {
  const { keyed } = reports[id];
  if (keyed === 'moment') return newest ? occupancyUnits(planning, id) : [];
  const parts = splitsOf(id, planning.splits, keyed === 'ranking');
  if (keyed === 'ranking') {
    const days = daysBetween(from, to).reverse();
    return parts.flatMap(([split, value]) =>
      days
        .filter(dueIn(planning, id, 'day', split, value))
        .map((day) => reportUnit(planning, id, 'day', split, value, day, day)),
    );
  }
  const trackers: (0 | 1 | undefined)[] = id === 'goals' ? [0, 1] : [undefined];
  return trackers.flatMap((tracker) => [
    ...parts.flatMap(([split, value]) => byDay(planning, id, split, value, from, to, tracker)),
    ...byHour(planning, id, ['account', ''], from, to, tracker),
    ...agentsByHour(id, planning.splits).flatMap((whose) => byHour(planning, id, whose, from, to, tracker)),
  ]);
}

type SplitValue = [split: ReportScope['split'], value: string];

/** The account, each group and each agent, where the report takes them; rankings know no agent. */
function splitsOf(id: ReportId, { groups, agents }: Splits, ranking: boolean): SplitValue[] {
  const { takes } = reports[id];
  return [
    ['account', ''],
    ...(takes.includes('group') ? groups.map((group): SplitValue => ['group', String(group)]) : []),
    ...(takes.includes('agent') && !ranking ? agents.map((agent): SplitValue => ['agent', agent]) : []),
  ];
}

/** One request for the open and settling days, and runs of at most twenty days for those never asked. */
function byDay(
  planning: Planning,
  id: ReportId,
  split: ReportScope['split'],
  value: string,
  from: string,
  to: string,
  tracker?: 0 | 1,
): ReportUnit[] {
  const lastOf = planning.known(sourceOf(id, tracker), 'day', split, value);
  const due = daysBetween(from, to).filter((day) => isDueTogether(day, lastOf(day), planning));
  return chunks(due, longest_range_days).map((run) =>
    reportUnit(planning, id, 'day', split, value, ...neverAlone(run, planning), tracker),
  );
}

/** TRICKY: one day alone would be grouped by hour at a source that ignores group_by; a neighbour goes along. */
function neverAlone({ from, to }: { from: string; to: string }, { since, until }: Planning): [string, string] {
  if (from !== to) return [from, to];
  return from <= since && to < until ? [from, addDays(to, 1)] : [addDays(from, -1), to];
}

function byHour(
  planning: Planning,
  id: ReportId,
  [split, value]: SplitValue,
  from: string,
  to: string,
  tracker?: 0 | 1,
): ReportUnit[] {
  return daysBetween(from, to)
    .reverse()
    .filter(dueIn(planning, sourceOf(id, tracker), 'hour', split, value))
    .map((day) => reportUnit(planning, id, 'hour', split, value, day, day, tracker));
}

const agentsByHour = (id: ReportId, { agents }: Splits): SplitValue[] =>
  hoursOfAgents.sources.includes(id) && agents.length <= hoursOfAgents.most_agents
    ? agents.map((agent) => ['agent', agent])
    : [];

/** One answer covers the last four occurrences of a weekday; it is asked when one of them is due. */
function occupancyUnits(planning: Planning, id: ReportId): ReportUnit[] {
  const today = dayOf(planning.now, planning.timezone);
  const recent = daysBetween(addDays(today, -27), today).filter(dueIn(planning, id, 'hour', 'account', ''));
  const due = new Set(recent.map(weekdayOf));
  return weekdays
    .filter((_, index) => due.has(index + 1))
    .map((weekday) => {
      const unit = reportUnit(planning, id, 'hour', 'account', '', today, today);
      const query = new URLSearchParams({ weekday, timezone: planning.timezone });
      return { ...unit, path: `${reports[id].path}?${query}` };
    });
}

function dueIn(planning: Planning, source: string, grain: 'day' | 'hour', split: ReportScope['split'], value: string) {
  const lastOf: (day: string) => Last = planning.known(source, grain, split, value);
  return (day: string): boolean => isDue(day, lastOf(day), planning);
}

export const sourceOf = (id: ReportId, tracker?: 0 | 1): string => (tracker === 1 ? `${id}_sales_tracker` : id);

function reportUnit(
  { account, timezone }: Planning,
  report: ReportId,
  grain: 'day' | 'hour',
  split: ReportScope['split'],
  split_value: string,
  from: string,
  to: string,
  tracker?: 0 | 1,
): ReportUnit {
  const query = new URLSearchParams({ date_from: from, date_to: to, timezone });
  if (reports[report].keyed === 'period') query.set('group_by', grain);
  if (split !== 'account') query.set(split, split_value);
  if (tracker !== undefined) query.set('sales_tracker', String(tracker));
  return {
    kind: 'report',
    report,
    source: sourceOf(report, tracker),
    asked: {
      account,
      timezone,
      grain,
      split,
      split_value,
      from,
      ...(tracker === undefined ? {} : { sales_tracker: tracker }),
    },
    to,
    path: `${reports[report].path}?${query}`,
  };
}
