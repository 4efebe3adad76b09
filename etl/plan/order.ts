// In which order the days of chats and the reports of a chapter are asked.
import type { ArchiveUnit, PullUnit, ReportUnit } from '../unit.ts';

/** With these the newest day is asked at the same moment, so that no other comes before it. */
const reports_ahead = 7;
/** Of the others so many go with each day of chats: there is always something to load, and few days keep reports waiting. */
const reports_a_day = 3;

/**
 * The newest day of chats comes first, then what few questions bring for all days: of a large account a day of chats takes a minute, and
 * is published before the rest is there.
 */
export function inOrder([newest, ...days]: readonly ArchiveUnit[], asked: readonly ReportUnit[]): PullUnit[] {
  const isEarly = ({ asked: { grain, split } }: ReportUnit): boolean => grain === 'day' && split === 'account';
  const { early = [], later = [] } = Object.groupBy(asked, (unit) => (isEarly(unit) ? 'early' : 'later'));
  const ahead = early.slice(0, reports_ahead);
  const beside = (at: number): ReportUnit[] => early.slice(reports_ahead).slice(at * reports_a_day);
  const between = days.flatMap((day, at) => [day, ...beside(at).slice(0, reports_a_day)]);
  return [...(newest ? [newest] : []), ...ahead, ...between, ...beside(days.length), ...later];
}
