// What may excuse a difference: capped days, chats that changed after the report, removed agents, chats over a border.
import type { QueryContext } from '#warehouse/query/context.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { removedAgents } from '#warehouse/read/account-lists.ts';
import { archivedDays, shortDays, type DayRange } from '#warehouse/read/pulled-days.ts';
import { receivedChats } from '#warehouse/read/received-chats.ts';
import type { ReconciledRange, ReportedSplit } from './sides.ts';

export interface Explanations {
  /** Local days whose archive reports more chats than could be reached. */
  capped: ReadonlySet<string>;
  /** For each local day, the newest moment (Unix seconds) at which a changed chat of that day was received. */
  changed: ReadonlyMap<string, number>;
  removed: ReadonlySet<string>;
  /** Local days with a chat that ran over the end of a quarter hour, and the days that it ran into. */
  bordered: ReadonlySet<string>;
  /** Local days with a chat from an archive without goals: their reached goals cannot be recomputed. */
  goalless: ReadonlySet<string>;
  /** Local days with sales that may belong to chats of a day that is not pulled (yet). */
  late_sales: ReadonlySet<string>;
}

/** A sale belongs to a chat when it comes within so many days after its end (`ecommerce.has_indirect_sale` of the chat API). */
const longest_sale_days = 30;
/** Days after the start of a chat on which a sale may still belong to it: it ends a day later if it runs over midnight. */
const days_of_sales = longest_sale_days + 1;

export async function explanationsOf(
  context: QueryContext,
  { timezone, from, to }: ReconciledRange,
): Promise<Explanations> {
  const capped = await shortDays(context, { from, to });
  const removed = await removedAgents(context);
  const chats = await receivedChats(context, { from: roughly(from, -2), until: roughly(to, 3) });
  const changed = new Map<string, number>();
  const bordered = new Set<string>();
  const goalless = new Set<string>();
  // Days of every zone begin on a quarter hour.
  const dayOf = memo((quarter: number) => localDate(timezone, quarter * 900));
  for (const { started, ended, isGoalless, received } of chats) {
    const days = [dayOf(started), dayOf(ended)] as const;
    changed.set(days[0], Math.max(changed.get(days[0]) ?? 0, received));
    if (isGoalless) for (const day of days) goalless.add(day);
    if (started !== ended) for (const day of days) bordered.add(day);
  }
  return { capped, removed, changed, bordered, goalless, late_sales: await lateSales(context, { from, to }) };
}

/** Also during a first pull, which goes back in time: sales are there before the chats of the days before them. */
async function lateSales(context: QueryContext, { from, to }: DayRange): Promise<Set<string>> {
  const earliest = dayNumber(from) - days_of_sales;
  const pulled = await archivedDays(context, { from: dateOf(earliest), to });
  const found = new Set<string>();
  let gap = -Infinity;
  for (let day = earliest; day <= dayNumber(to); day += 1) {
    if (!pulled.has(dateOf(day))) gap = day;
    if (day - gap <= days_of_sales) found.add(dateOf(day));
  }
  return found;
}

export const isRemoved = (explanations: Explanations, split: ReportedSplit, value: string): boolean =>
  split === 'agent' ? explanations.removed.has(value) : false;

/** Midnight in UTC, some days off: wide enough for every zone. */
const roughly = (day: string, days: number): number =>
  Math.floor(Date.parse(`${day}T00:00:00Z`) / 1000) + days * 86_400;

function memo<T>(compute: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
