// Assembles restatements: past cells that differ between two snapshots, by how much and because of which chats.
import type { QueryContext } from '#warehouse/query/context.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import { everyChat, metrics } from '#warehouse/definitions/metrics.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { sameHours } from '#warehouse/business-hours.ts';
import { businessHoursIn } from '#warehouse/query/file-hours.ts';
import { daysChangedSince } from '#warehouse/read/pulled-days.ts';
import { answerOf, changedCells, shapesOf, type AsPublished, type ChangedCell } from './cells.ts';
import { changedChats, type ChatChange, type ChangedChat } from './chats.ts';
import { reasonsFor } from './reasons.ts';

export interface RestatedCell extends ChangedCell {
  metric: string;
  chats: { chat_id: string; what: readonly ChatChange[] }[];
  /** Chats that changed too and are not listed. */
  more_chats: number;
}

const most_chats = 50;
/** A repeated contact looks a week ahead: a chat of one day can change cells of the seven days before it. */
const reach_days = 7;

/**
 * Compares every metric, or the given ones, over the days in both snapshots. Both are queried for the same account, each as of its
 * publication.
 */
export async function restatements(
  older: QueryContext,
  newer: QueryContext,
  wanted: readonly MetricDefinition[] = metrics,
): Promise<RestatedCell[]> {
  // Days that both have: they were received before the older snapshot was published, and changed since.
  const changed = await daysChangedSince(newer, Math.floor(Date.parse(older.snapshot.published_at) / 1000));
  // Under other hours a number is another without any chat having changed.
  const [hours, hoursNow] = await Promise.all(
    [older, newer].map(({ snapshot, account }) => businessHoursIn(snapshot.engine, account.id)),
  );
  const isSame = hours !== undefined && hoursNow !== undefined && sameHours(hours, hoursNow);
  const affected = wanted
    .filter(({ archived }) => isSame || !archived?.businessHours)
    .filter((metric) => sourcesOf(metric).some((source) => changed.has(source)));
  const first = [...changed.values()].flatMap((days) => days.slice(0, 1)).sort()[0];
  if (first === undefined || affected.length === 0) return [];
  const to = localDate(older.account.timezone, older.now);
  const days = { from: dateOf(dayNumber(first) - reach_days), to: to < first ? first : to };
  const [was, is] = await Promise.all([asked(older, days), asked(newer, days)]);
  const chats = await changedChats(older, newer, changed.get('archive') ?? []);
  const found: RestatedCell[] = [];
  for (const metric of affected) {
    for (const split of shapesOf(metric)) {
      const cells = await changedCells(metric, split, was, is, days);
      for (const cell of cells) found.push(because(metric, cell, chats));
    }
  }
  return found;
}

const sourcesOf = ({ archived, reported }: MetricDefinition): string[] =>
  [archived && 'archive', reported?.table, reported?.beside].filter((source) => source !== undefined);

async function asked(context: QueryContext, days: { from: string; to: string }): Promise<AsPublished> {
  const rows = (await answerOf(context, everyChat.id, [], days))?.rows ?? [];
  return { context, states: new Map(rows.map((row) => [String(row.period), String(row.state)])) };
}

function because(metric: MetricDefinition, cell: ChangedCell, changed: readonly ChangedChat[]): RestatedCell {
  const chats = reasonsFor(metric, cell, changed).map(({ chat_id, what }) => ({ chat_id, what }));
  const more_chats = Math.max(0, chats.length - most_chats);
  return { metric: metric.id, ...cell, chats: chats.slice(0, most_chats), more_chats };
}
