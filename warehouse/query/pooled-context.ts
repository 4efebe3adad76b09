// The context of a question about several accounts, and the question: days of one zone, keys that tell the accounts apart.
import type { MetricDefinition } from '../definitions/metric.ts';
import { isSameZone } from '../zone.ts';
import { askOf, type Ask, type AskInput } from './ask.ts';
import { contextIn, type QueryContext, type Snapshot, type WarehouseAccount } from './context.ts';
import type { Reader } from './reader.ts';

export interface PooledContext extends Pick<QueryContext, 'reader' | 'snapshot' | 'now'> {
  /** Those of each account, at least one; all of the same snapshot. */
  members: readonly QueryContext[];
}

export async function pooledContextIn(
  reader: Reader,
  snapshot: Snapshot,
  accounts: readonly WarehouseAccount[],
  now: number,
): Promise<PooledContext> {
  const members = await Promise.all(accounts.map((account) => contextIn(reader, snapshot, account, now)));
  return { reader, now, members, snapshot: members[0]?.snapshot ?? snapshot };
}

/** Zones of the accounts, each once. */
export function zonesOf({ members }: PooledContext): string[] {
  const zones: string[] = [];
  for (const { account } of members)
    if (!zones.some((zone) => isSameZone(zone, account.timezone))) zones.push(account.timezone);
  return zones;
}

/** The zone of all accounts, or UTC where they have several. */
function usualZone(context: PooledContext): string {
  const [zone, ...others] = zonesOf(context);
  return zone === undefined || others.length > 0 ? 'UTC' : zone;
}

/** Errors: Refused. */
export function pooledAskOf(metric: MetricDefinition, wanted: AskInput, context: PooledContext): Ask {
  const { reader, now, members } = context;
  const pool = members.map(({ account }) => account.id);
  const account = { id: '', since: '', timezone: usualZone(context) };
  return askOf(metric, wanted, { account, now, reader, pool });
}
