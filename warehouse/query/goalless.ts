// Chats from an archive without goals: the goals of their time cannot be recomputed, and are not zero.
import type { Ask } from './ask.ts';
import type { Engine } from '../engine.ts';
import type { MetricDefinition } from '../definitions/metric.ts';
import { memoized } from '../memoize.ts';
import { range } from '../periods.ts';

/** list_archives of v3.5 filters by goals and sales, and never lists them (decision 009). */
const goalless =
  'select account, min(started_second) as first, max(started_second) as last\n' +
  "from facts.chats\nwhere source = 'agent_v3'\ngroup by account";

export const goallessReason =
  'chats of this time came from list_archives (v3.5), which does not name goals and sales: pull with CHATLEDGER_ARCHIVE_SOURCE=both';

/** Measures with the reason, if a metric of goals or sales is asked for a time with such chats. */
export async function goallessIn(engine: Engine, metric: MetricDefinition, ask: Ask): Promise<Record<string, string>> {
  const { archived, measures } = metric;
  if (!archived || (archived.rows !== 'goals' && archived.sale === undefined)) return {};
  const spans = await memoized(engine, 'goalless', () => engine.query(goalless));
  const { from, until } = range(ask.timezone, ask.from, ask.to);
  const isIn = spans.some(
    ({ account, first, last }) => account === ask.account && Number(first) < until && Number(last) >= from,
  );
  if (!isIn) return {};
  const archivedOnes = Object.entries(measures).filter(([, { needs }]) => !needs || needs.includes('archived'));
  return Object.fromEntries(archivedOnes.map(([name]) => [name, goallessReason]));
}
