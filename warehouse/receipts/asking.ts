// Whose chats a receipt is about: those of one account, or of several together.
import type { MetricDefinition } from '../definitions/metric.ts';
import type { Engine, Row } from '../engine.ts';
import type { Asking } from '../query/answer.ts';
import { askOf, type Ask, type AskInput } from '../query/ask.ts';
import type { QueryContext } from '../query/context.ts';
import { assertMeasuredTogether, notesOf, streamedOf, type PooledNotes } from '../query/pooled.ts';
import { pooledAskOf, type PooledContext } from '../query/pooled-context.ts';
import { assertMeasured } from '../query/run.ts';
import { sourcesFor, type Sources } from '../query/sources.ts';

export interface ReceiptAsking {
  engine: Engine;
  /** Errors: Refused. */
  ask(metric: MetricDefinition, question: AskInput): Ask;
  /** Errors: Refused, when no source can answer. */
  sources(metric: MetricDefinition, ask: Ask): Promise<{ sources: Sources; asking: Asking }>;
  /** Errors: Refused, where the cell is a figure of single agents that rests on too few chats. */
  assertMeasured(ask: Ask, row: Row): Promise<void>;
  /** Sentences about whom the number of several accounts holds. */
  notes(cell: { sources: Sources }): PooledNotes;
}

export const askingOne = (context: QueryContext): ReceiptAsking => ({
  engine: context.snapshot.engine,
  ask: (metric, question) => askOf(metric, question, context),
  sources: async (metric, ask) => ({ sources: await sourcesFor(metric, ask, context), asking: context }),
  assertMeasured: (ask, row) => assertMeasured(ask, row, context),
  notes: () => ({}),
});

/** Of a question that does not tell the accounts apart. */
export const askingTogether = (context: PooledContext): ReceiptAsking => ({
  engine: context.snapshot.engine,
  ask: (metric, question) => pooledAskOf(metric, question, context),
  async sources(metric, ask) {
    const found = await streamedOf(metric, ask, context);
    if (!found) throw new Error('each account answers for itself where a question is split by account');
    return found;
  },
  assertMeasured: (ask, row) => assertMeasuredTogether(ask, row, context),
  notes: ({ sources }) => (sources.pool ? notesOf(sources.ask, sources.pool, context) : {}),
});
