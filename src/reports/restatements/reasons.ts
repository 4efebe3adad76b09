// Which changed chats can be the reason that a cell of a metric has another value.
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import type { ChatChange, ChangedChat } from './chats.ts';

/** A change of participants moves a chat between cells of that split only. */
const moves: Readonly<Record<string, readonly ChatChange[]>> = {
  agent: ['agents'],
  group: ['groups'],
  tag: ['tags'],
  country: ['visitor'],
  currency: ['goals'],
};

const always: readonly ChatChange[] = ['new', 'gone', 'times'];

export interface ChangedPlace {
  /** Local day. */
  period: string;
  /** `account`, or the split of the cell. */
  split: string;
  split_value: string;
}

export function reasonsFor(
  { archived, changedBy }: MetricDefinition,
  { period, split, split_value }: ChangedPlace,
  chats: readonly ChangedChat[],
): ChangedChat[] {
  if (!archived) return [];
  const relevant = changedBy && new Set<ChatChange>([...always, ...changedBy, ...(moves[split] ?? [])]);
  return chats.filter(
    ({ what, versions }) =>
      (!relevant || what.some((change) => relevant.has(change))) &&
      versions.some((version) => version.days.has(period) && isOf(version, split, split_value)),
  );
}

function isOf(version: ChangedChat['versions'][number], split: string, value: string): boolean {
  const values = { agent: version.agents, group: version.groups, tag: version.tags, currency: version.currencies }[
    split
  ];
  return values === undefined || values.includes(value) || (split === 'tag' && value === '' && values.length === 0);
}
