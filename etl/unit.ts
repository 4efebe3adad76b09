// The units of a pull: a report over some days, a day of an archive, or a list. Plan, ledger and raw archive name them.
import type { ListId } from '#contract/account.ts';
import { reports, type ReportId } from '#contract/reports.ts';
import { addDays, daysBetween } from './days.ts';
import type { ArchiveSource } from './source.ts';

/** The parameters of a report, as far as its rows depend on them. */
export interface ReportScope {
  account: string;
  timezone: string;
  grain: 'day' | 'hour';
  split: 'account' | 'group' | 'agent';
  split_value: string;
  /** First local day of the question; the day of an hour-grouped one. */
  from: string;
  sales_tracker?: 0 | 1;
}

export interface ReportUnit {
  kind: 'report';
  report: ReportId;
  /** Name in the ledger: the report, with `_sales_tracker` if goals are requested for tracked sales. */
  source: string;
  asked: ReportScope;
  to: string;
  path: string;
}
export interface ArchiveUnit {
  kind: 'archive';
  day: string;
  /** Path of the first page, without `page`; of list_archives its first question. */
  path: string;
  /** Which archive is asked; defaults to v2.0. */
  via?: ArchiveSource;
  /** The other archive feeds the facts; this one is only compared with them. */
  isCompared?: true;
}
export interface ListUnit {
  kind: 'list';
  list: ListId | 'status';
  path: string;
}
export type PullUnit = ReportUnit | ArchiveUnit;

/** Its name in the ledger. */
export const archiveName = ({ isCompared }: Pick<ArchiveUnit, 'isCompared'>): string =>
  isCompared ? 'archive_v3' : 'archive';

export const sourceName = (unit: PullUnit | ListUnit): string =>
  unit.kind === 'report' ? unit.source : unit.kind === 'archive' ? archiveName(unit) : unit.list;

/** Local days that a unit asks about. */
export const daysOf = (unit: PullUnit): string[] =>
  unit.kind === 'archive' ? [unit.day] : daysBetween(unit.asked.from, unit.to);

/** Local days that an answer may list: the hours of a weekday cover its last four occurrences, by the source's own clock. */
export const daysNamedBy = (unit: PullUnit): string[] =>
  unit.kind === 'report' && reports[unit.report].keyed === 'moment'
    ? daysBetween(addDays(unit.to, -34), unit.to)
    : daysOf(unit);
