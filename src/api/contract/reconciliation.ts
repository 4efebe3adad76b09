// Reported against recomputed, and numbers of the past that changed.
import { z } from '@hono/zod-openapi';
import { reasons } from '#reports/reconciliation/cell.ts';
import { AsOf, endpoint, unchanged, unpublished } from './endpoint.ts';

const counts = z.partialRecord(z.enum(reasons), z.int());
/** Cells by reason. */
export type CellCounts = z.infer<typeof counts>;

const ComparedCell = z
  .object({
    metric: z.string(),
    timezone: z.string(),
    grain: z.enum(['day', 'hour']),
    split: z.enum(['account', 'group', 'agent']),
    split_value: z.string(),
    period: z.string(),
    measure: z.string().openapi({ description: 'A currency or an agent stands behind a colon' }),
    reported: z.number().nullable(),
    recomputed: z.number().nullable(),
    difference: z.number().nullable(),
    reason: z.enum(reasons),
    checked_at: z.string(),
  })
  .openapi('ComparedCell');
export type ComparedCell = z.infer<typeof ComparedCell>;

const Reconciliation = z
  .object({
    snapshot: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    cells: z.int(),
    by_reason: counts,
    by_metric: z.record(z.string(), counts),
    by_day: z.array(z.object({ day: z.iso.date() }).catchall(z.union([z.string(), z.int()]))),
    rows: z.array(ComparedCell),
    unexplained: z.array(ComparedCell),
    confirmed: z
      .record(z.string(), z.array(z.string()))
      .openapi({ description: 'Measures that the comparison covers, by metric' }),
  })
  .openapi('Reconciliation');
export type Reconciliation = z.infer<typeof Reconciliation>;

export const getReconciliation = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/reconciliation',
  agents: 'always',
  summary: 'What the source reported against what its archive gives, cell by cell',
  query: z.object({
    from: z.iso.date().optional().openapi({ description: 'First local day; default 30 days up to `to`' }),
    to: z.iso.date().optional(),
    metric: z.array(z.string()).optional(),
    reason: z.array(z.enum(reasons)).optional(),
    split: z.array(z.enum(['account', 'group', 'agent'])).optional(),
    grain: z.array(z.enum(['day', 'hour'])).optional(),
    limit: z.string().optional().openapi({ description: 'Cells listed; default 100, at most 1000' }),
    offset: z.string().optional(),
    account: z.string().optional(),
    as_of: AsOf,
  }),
  answers: { 200: 'Cells by reason', 304: unchanged },
  schema: Reconciliation,
  refusals: { 400: 'What is wrong with the question; the choices say what may be asked', 503: unpublished },
});

const Which = z.object({ id: z.string(), published_at: z.iso.datetime() });

const Restatement = z.object({
  metric: z.string(),
  period: z.string(),
  split: z.string().openapi({ description: 'account, or what the cell is a part by' }),
  split_value: z.string(),
  measure: z.string(),
  was: z.number().nullable(),
  is: z.number().nullable(),
  difference: z.number().nullable(),
  chats: z.array(
    z.object({
      chat_id: z.string(),
      what: z.array(z.string()).openapi({
        description:
          'new, gone, times, rating, tags, goals, messages, agents, groups, queue, engagement, visitor, other',
      }),
    }),
  ),
  more_chats: z.int().openapi({ description: 'Changed chats that are not listed' }),
});
export type Restatement = z.infer<typeof Restatement>;

const Restatements = z
  .object({
    from_snapshot: Which.nullable().openapi({ description: 'null when there is none to compare with' }),
    to_snapshot: Which,
    not_compared: z.string().nullable().openapi({ description: 'Why there is none; null when there is' }),
    account: z.string(),
    timezone: z.string(),
    restatements: z.array(Restatement),
  })
  .openapi('Restatements');
export type Restatements = z.infer<typeof Restatements>;

export const listRestatements = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/restatements',
  agents: 'always',
  summary: 'Past numbers that changed between two snapshots, by how much and because of which chats',
  query: z.object({
    from_snapshot: z.string().optional().openapi({
      description: 'Default: the oldest of the last 7 days that already had every day since the first one to pull',
    }),
    to_snapshot: z.string().optional().openapi({ description: 'Default: the current one' }),
    metric: z.string().optional().openapi({ description: 'Default: every metric' }),
    account: z.string().optional(),
  }),
  answers: { 200: 'One row per changed measure of a cell', 304: unchanged },
  schema: Restatements,
  refusals: { 400: 'There is no such snapshot', 404: 'There is no such metric', 503: unpublished },
});
