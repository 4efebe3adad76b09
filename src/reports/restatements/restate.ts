// Restatements: past cells that two snapshots know differently, by how much and because of which chats. Only assembles.
import type { Context } from '#warehouse/ask.ts';
import type { Engine } from '#warehouse/engine.ts';
import type { Metric } from '#warehouse/metric.ts';
import { metrics } from '#warehouse/metrics.ts';
import { dateOf, dayNumber, localDate } from '#warehouse/periods.ts';
import { settlingOf } from '#warehouse/settling.ts';
import { answerOf, changedCells, shapesOf, type Asked, type ChangedCell } from './cells.ts';
import { changedChats, type Change, type ChangedChat } from './chats.ts';
import { changedDays } from './days.ts';
import { reasonsFor } from './reasons.ts';

/** One of the two snapshots. */
export interface Side {
  engine: Engine;
  /** ISO instant. */
  published_at: string;
}

export interface Whose {
  account: string;
  /** The account's own zone: days are its days. */
  timezone: string;
}

export interface Restatement extends ChangedCell {
  metric: string;
  chats: { chat_id: string; what: readonly Change[] }[];
  /** Chats that changed too and are not listed. */
  more_chats: number;
}

const most_chats = 50;
/** A repeated contact looks a week ahead: a chat of one day can change cells of the seven days before it. */
const reach_days = 7;

/** Compares every metric, or those given, over the days that are in both snapshots. */
export async function restatements(
  older: Side,
  newer: Side,
  whose: Whose,
  wanted: readonly Metric[] = metrics,
): Promise<Restatement[]> {
  const changed = await changedDays(older, newer, whose);
  const affected = wanted.filter((metric) => sourcesOf(metric).some((source) => changed.has(source)));
  const first = [...changed.values()].flatMap((days) => days.slice(0, 1)).sort()[0];
  if (first === undefined || affected.length === 0) return [];
  const to = localDate(whose.timezone, secondOf(older));
  const days = { from: dateOf(dayNumber(first) - reach_days), to: to < first ? first : to };
  const [was, is] = await Promise.all([asked(older, whose, days), asked(newer, whose, days)]);
  const chats = await changedChats(older, newer, whose, changed.get('archive') ?? []);
  const found: Restatement[] = [];
  for (const metric of affected) {
    for (const split of shapesOf(metric)) {
      const cells = await changedCells(metric, split, await settled(was, metric), await settled(is, metric), days);
      for (const cell of cells) found.push(because(metric, cell, chats));
    }
  }
  return found;
}

const sourcesOf = ({ archived, reported }: Metric): string[] =>
  [archived && 'archive', reported?.table, reported?.beside].filter((source) => source !== undefined);

const secondOf = ({ published_at }: Side): number => Math.floor(Date.parse(published_at) / 1000);

async function asked(
  side: Side,
  { account, timezone: zone }: Whose,
  days: { from: string; to: string },
): Promise<Asked> {
  const context: Context = { account, zone, now: secondOf(side) };
  const rows = (await answerOf({ engine: side.engine, context }, 'total_chats', [], days))?.rows ?? [];
  return { engine: side.engine, context, states: new Map(rows.map((row) => [String(row.period), String(row.state)])) };
}

async function settled(asked: Asked, { id }: Metric): Promise<Asked> {
  const settling = (await settlingOf(asked.engine, asked.context.account)).get(id);
  return settling ? { ...asked, context: { ...asked.context, settlingDays: settling.days } } : asked;
}

function because(metric: Metric, cell: ChangedCell, changed: readonly ChangedChat[]): Restatement {
  const chats = reasonsFor(metric, cell, changed).map(({ chat_id, what }) => ({ chat_id, what }));
  const more_chats = Math.max(0, chats.length - most_chats);
  return { metric: metric.id, ...cell, chats: chats.slice(0, most_chats), more_chats };
}
