// A context in a few words, and questions put with it.
import { wantedOf, type QueryTexts } from '#api/question.ts';
import { askOf as askIn, type Ask } from '#warehouse/query/ask.ts';
import { ownContext, type WarehouseAccount, type QueryContext } from '#warehouse/query/context.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { exported } from '#warehouse/query/export.ts';
import { run as runIn, type QueryAnswer } from '#warehouse/query/run.ts';

export interface Asked {
  account: string;
  zone: string;
  /** The account's first day; by default the first that `account` marks as pulled. */
  since?: string;
  /** Unix seconds. */
  now: number;
  settlingDays?: number;
}

export const accountOf = ({
  account,
  zone,
  since = '2025-12-28',
}: Pick<Asked, 'account' | 'zone' | 'since'>): WarehouseAccount => ({ id: account, timezone: zone, since });

export function contextOf(engine: Store, asked: Asked): QueryContext {
  const context = ownContext(engine, accountOf(asked), asked.now);
  const { settlingDays: days } = asked;
  if (days === undefined) return context;
  return { ...context, settling: new Map(metrics.map(({ id }) => [id, { days, measured: true }])) };
}

export const run = (engine: Store, id: string, question: QueryTexts, asked: Asked): Promise<QueryAnswer> =>
  runIn(id, wantedOf(metricOf(id), question), contextOf(engine, asked));

/** What a file of any size holds. */
export async function fileOf(engine: Store, id: string, question: QueryTexts, asked: Asked): Promise<Row[]> {
  const { pieces } = await exported(id, wantedOf(metricOf(id), question), contextOf(engine, asked));
  return (await Array.fromAsync(pieces)).flat();
}

/** A question as an address writes it. */
export const askOf = (metric: MetricDefinition, question: QueryTexts, context: Parameters<typeof askIn>[2]): Ask =>
  askIn(metric, wantedOf(metric, question), context);
