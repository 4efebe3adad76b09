// The receipt of one number.
import { z } from '@hono/zod-openapi';
import { reasons } from '#reports/reconciliation/cell.ts';
import { states } from '#warehouse/query/states.ts';
import { orders } from '#warehouse/receipts/sum.ts';
import { endpoint, unchanged, unpublished } from './endpoint.ts';
import { NoData, Notes, PooledQuestion } from './metrics.ts';

const value = z.union([z.string(), z.number()]);
const row = z.record(z.string(), value.nullable());

const ofSeveral = z.string().optional().openapi({ description: 'Of a receipt of several accounts' });

const ListedChat = z.object({
  account: ofSeveral,
  chat_id: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  visitor_name: z.string().nullable(),
  agents: z.array(z.string()),
  contribution: z.number().nullable(),
  unit: z.string(),
  words: z.string(),
  lines: z.array(z.object({ from: z.int(), to: z.int() })),
});
export type ListedChat = z.infer<typeof ListedChat>;

const Receipt = z
  .object({
    metric: z.string(),
    title: z.string(),
    version: z.int(),
    kind: z.string(),
    definition: z.string(),
    measure: z.string(),
    measure_title: z.string(),
    unit: z.string(),
    account: z.string().openapi({ description: 'Of several: their ids, comma-separated' }),
    accounts: z.array(z.string()).optional().openapi({ description: 'Of several accounts together: their ids' }),
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    grain: z.string(),
    period: z.string().nullable(),
    at: row.openapi({ description: 'Value of each split of the question; null for chats without one' }),
    variable: z.string().optional().openapi({ description: 'Which declared variable the split `variable` is' }),
    filters: z.record(z.string(), z.array(value)),
    target: z.int().optional().openapi({ description: 'Seconds, of a metric that is measured against a target' }),
    snapshot: z.string(),
    as_of: z.iso.datetime().optional().openapi({ description: 'The instant asked for' }),
    state: z.enum(states),
    value: z.number().nullable(),
    measures: z.record(z.string(), z.number().nullable()),
    not_given: z.record(z.string(), z.string()).optional(),
    sql: z.string().openapi({ description: 'One statement that gives the cell, for `npx chatledger sql`' }),
    adds_up: z.object({
      how: z.string(),
      from_chats: z.number().nullable().openapi({ description: 'Added up again from every contributing chat' }),
      agrees: z.boolean(),
    }),
    chats: z
      .object({ total: z.int(), rows: z.array(ListedChat) })
      .openapi({ description: 'None are listed to whom the right chats:read is missing' }),
    left_out: z.array(
      z.object({
        reason: z.string(),
        count: z.int(),
        chats: z.array(z.string()).openapi({ description: 'Up to 20' }),
        accounts: z
          .array(z.string())
          .optional()
          .openapi({ description: 'Of a receipt of several accounts: that of each of `chats`' }),
      }),
    ),
    reported: z
      .object({
        value: z.number().nullable(),
        recomputed: z.number().nullable(),
        difference: z.number().nullable(),
        reason: z.enum(reasons),
        measure: z.string(),
        split: z.string(),
        split_value: z.string(),
        timezone: z.string(),
        pulled_at: z.string().nullable(),
        pull_id: z.string().nullable(),
      })
      .nullable(),
    reported_why_not: z.string().optional(),
    stored: z.array(row).openapi({ description: "The source's own rows, for numbers that only it gives" }),
    pulls: z.array(
      z.object({
        account: ofSeveral,
        pull_id: z.string(),
        started_at: z.string().nullable(),
        ended_at: z.string().nullable(),
        chats: z.int(),
      }),
    ),
    no_data: NoData.optional(),
    notes: Notes.optional(),
  })
  .openapi('Receipt');
export type Receipt = z.infer<typeof Receipt>;

export const getReceipt = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/receipts/{id}',
  agents: 'asked',
  audit: 'receipt.read',
  summary: 'What one number is made of: the same question as /metrics/{id}, and which cell of the answer',
  query: PooledQuestion.extend({
    period: z.string().optional().openapi({ description: 'Label of the cell; required unless grain=total' }),
    'at.{split}': z.string().optional().openapi({
      description: 'For each split its value, as `at.agent=…`; `at.tag=` empty: chats without one',
    }),
    measure: z.string().optional().openapi({ description: 'Default the first of the metric' }),
    limit: z.string().optional().openapi({ description: 'Chats listed; default 100, at most 1000' }),
    offset: z.string().optional(),
    order: z.enum(orders).optional().openapi({
      description: 'Of the chats: as they started, which is the default, or by what they contribute',
    }),
  }),
  answers: { 200: 'The receipt', 304: unchanged },
  schema: Receipt,
  refusals: {
    400: 'There is no such cell; the choices say what there is',
    404: 'There is no such metric',
    503: unpublished,
  },
});
