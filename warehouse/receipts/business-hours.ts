// The business hours behind one cell, for its receipt.
import { clockWords, openForChat, within, type BusinessHours } from '../business-hours.ts';
import type { MetricDefinition } from '../definitions/metric.ts';
import type { OpenHours } from '../definitions/recipe.ts';
import type { Engine } from '../engine.ts';
import type { Piece } from '../periods.ts';
import { accountsIn } from '../query/asked-accounts.ts';
import { businessHoursIn } from '../query/file-hours.ts';
import type { ReceiptCell } from './cell.ts';
import { bounds } from './members.ts';

/** Most waits lie near the cell; the few that reach further are looked up individually. */
const around = 31 * 86_400;

function openHours(written: BusinessHours, zone: string, cell: Piece): OpenHours {
  const [first, last] = [cell.from - around, cell.until + around];
  const kept = new Map<string, Piece[]>();
  const near = (groups: readonly number[]): readonly Piece[] => {
    const key = groups.join(' ');
    const found = kept.get(key) ?? openForChat(written, groups, first, last);
    kept.set(key, found);
    return found;
  };
  return {
    open(groups, from, until) {
      if (from < first || until > last) return openForChat(written, groups, from, until);
      const pieces = near(groups);
      let [low, high] = [0, pieces.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((pieces[middle]?.until ?? 0) <= from) low = middle + 1;
        else high = middle;
      }
      let end = low;
      while ((pieces[end]?.from ?? until) < until) end += 1;
      return within(pieces.slice(low, end), from, until);
    },
    clock: (second) => clockWords(zone, second),
  };
}

/** By account; none for a metric that is not measured in them. */
export async function hoursBehind(
  engine: Engine,
  metric: MetricDefinition,
  cell: ReceiptCell,
): Promise<Map<string, OpenHours>> {
  const hours = new Map<string, OpenHours>();
  if (!metric.archived?.businessHours) return hours;
  const { ask } = cell.sources;
  for (const account of accountsIn(ask))
    hours.set(account, openHours(await businessHoursIn(engine, account), ask.timezone, bounds(cell)));
  return hours;
}
