// Tools about numbers: which metrics there are, what they are, what one is made of, what the source says, and what has changed since.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { reasons } from '#reports/reconciliation/cell.ts';
import { orders } from '#warehouse/receipts/sum.ts';
import type { Account } from '../contract/accounts.ts';
import type { Metric, MetricAnswer } from '../contract/metrics.ts';
import type { Receipt } from '../contract/receipts.ts';
import type { Reconciliation, Restatements } from '../contract/reconciliation.ts';
import {
  inputOf,
  readOnly,
  withRefusals,
  answerTo,
  firstRows,
  queryOf,
  trustedAnswer,
  untrustedAnswer,
  type ToolSource,
} from './asking.ts';
import { cellQuery, cellShape, questionQuery, questionShape } from './questions.ts';

const most_rows = 300;
/** Rows up to which each has the link to its receipt. */
const most_linked = 25;
const most_restated = 100;

/** What the state of a row means for whoever reads it. */
const states: Readonly<Record<MetricAnswer['rows'][number]['state'], string>> = {
  complete: 'the number is final unless the source changes the past',
  settling: 'the period is over, but late changes of the source may still change it',
  open: 'the period is not over, or was pulled before it was',
  not_pulled: 'nothing is known of the period yet: this is no zero',
  not_given: 'the source does not give this number',
  too_few: 'hidden, because too few chats of one person stand behind it',
  withheld: 'hidden, because a number of one person could be worked out from it',
};

type Definition = Pick<Metric, 'title' | 'definition' | 'version' | 'measures'>;

async function definitionOf({ ask }: ToolSource, id: string): Promise<Definition | undefined> {
  const { metrics } = await answerTo<{ metrics: Metric[] }>(ask, '/metrics');
  const found = metrics.find((metric) => metric.id === id);
  if (!found) return undefined;
  const { title, definition, version, measures } = found;
  return { title, definition, version, measures };
}

export function addMetricTools(server: McpServer, source: ToolSource): void {
  addCatalogue(server, source);
  addAnswers(server, source);
  addReconciliation(server, source);
}

function addCatalogue(server: McpServer, { ask }: ToolSource): void {
  server.registerTool(
    'list_metrics',
    {
      title: 'List metrics',
      description:
        'Every metric that can be asked: what exactly it counts, its measures with units, and by what it can be split and filtered. Ask this first.',
      inputSchema: inputOf({
        find: z.string().max(100).optional().describe('Only metrics whose name or definition has all of these words'),
      }),
      annotations: readOnly,
    },
    ({ find }) =>
      withRefusals(async () => {
        const { metrics } = await answerTo<{ metrics: Metric[] }>(ask, '/metrics');
        const words = find?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
        const found = metrics.filter(({ id, title, also_called = '', definition }) => {
          const text = `${id} ${title} ${also_called} ${definition}`.toLowerCase();
          return words.every((word) => text.includes(word));
        });
        return trustedAnswer({ metrics: found.map(({ adds_up_by: _, compared_as: __, ...metric }) => metric) });
      }),
  );

  server.registerTool(
    'list_choices',
    {
      title: 'List accounts, groups, agents and tags',
      description:
        'The names and ids by which questions are narrowed, and the time zone and first day of each account.',
      inputSchema: inputOf({
        account: z.string().max(200).optional(),
        find_tags: z.string().max(100).optional().describe('Only tags that hold this text'),
      }),
      annotations: readOnly,
    },
    ({ account, find_tags }) =>
      withRefusals(async () => {
        const { accounts } = await answerTo<{ accounts: Account[] }>(
          ask,
          `/accounts${queryOf({ account, find: find_tags, tags: 100 })}`,
        );
        return untrustedAnswer({ accounts });
      }),
  );
}

function addAnswers(server: McpServer, source: ToolSource): void {
  const { ask, origin } = source;

  server.registerTool(
    'ask_metric',
    {
      title: 'Ask a metric',
      description:
        'The numbers of one metric, one row per period and split. Each row says how final it is; say so to the reader when a row is not complete. ' +
        'Give the link of a receipt beside a number that you quote.',
      inputSchema: inputOf({
        ...questionShape,
        compare: z.enum(['previous', 'year']).optional().describe('Also the same weekdays before, or a year before'),
      }),
      annotations: readOnly,
    },
    (asked) =>
      withRefusals(async () => {
        const { metric } = asked;
        const answer = await answerTo<MetricAnswer>(
          ask,
          `/metrics/${encodeURIComponent(metric)}${questionQuery(asked)}`,
        );
        const { rows, compare, ...about } = answer;
        const linkOf = (row: MetricAnswer['rows'][number]): string => {
          const at = Object.fromEntries(about.split.map((split) => [split, String(row[split] ?? '')]));
          const { from, to, grain, timezone, account, as_of } = about;
          const exact = {
            ...asked,
            compare: undefined,
            from,
            to,
            grain,
            timezone,
            account,
            ...(as_of ? { as_of } : {}),
          };
          return `${origin}/receipt/${metric}${cellQuery(exact, { period: row.period, at })}`;
        };
        const isLinked = rows.length <= most_linked;
        const kept = firstRows(rows, most_rows);
        const there = new Set(kept.rows.map(({ state }) => state));
        return untrustedAnswer({
          ...(await definitionOf(source, metric)),
          ...about,
          states: Object.fromEntries([...there].map((state) => [state, states[state]])),
          ...kept,
          rows: isLinked ? kept.rows.map((row) => ({ ...row, receipt: linkOf(row) })) : kept.rows,
          ...(isLinked ? {} : { receipts: 'ask get_receipt with the period and the splits of a row' }),
          ...(kept.rows_left_out
            ? { note: 'ask for fewer days, a coarser grain or fewer splits to see all rows' }
            : {}),
          ...(compare ? { compare: { ...compare, ...firstRows(compare.rows, most_rows) } } : {}),
        });
      }),
  );

  server.registerTool(
    'get_receipt',
    {
      title: 'Get the receipt of a number',
      description:
        'What one number is made of: its definition, how it adds up from single chats, which chats are left out and why, what the source reported, and the SQL that gives it.',
      inputSchema: inputOf({
        ...{ ...questionShape, ...cellShape },
        limit: z.int().min(1).max(100).optional().describe('Chats listed; default 10'),
        offset: z.int().min(0).optional(),
        order: z.enum(orders).optional(),
      }),
      annotations: readOnly,
    },
    ({ period, at, measure, limit = 10, offset, order, ...asked }) =>
      withRefusals(async () => {
        const cell = { period, at, measure };
        const path = encodeURIComponent(asked.metric);
        const receipt = await answerTo<Receipt>(
          ask,
          `/receipts/${path}${cellQuery(asked, cell, { limit, offset, order })}`,
        );
        return untrustedAnswer({ link: `${origin}/receipt/${path}${cellQuery(asked, cell)}`, ...receipt });
      }),
  );
}

function addReconciliation(server: McpServer, { ask, origin }: ToolSource): void {
  server.registerTool(
    'get_reconciliation',
    {
      title: 'Compare with the source',
      description:
        "The source's own reports against the numbers recomputed from its chats, cell by cell, with the reason of every difference.",
      inputSchema: inputOf({
        from: questionShape.from,
        to: questionShape.to,
        metric: z.array(z.string().max(100)).max(50).optional(),
        reason: z.array(z.enum(reasons)).optional(),
        limit: z.int().min(1).max(200).optional().describe('Cells listed; default 20'),
        account: questionShape.account,
        as_of: questionShape.as_of,
      }),
      annotations: readOnly,
    },
    ({ limit = 20, ...asked }) =>
      withRefusals(async () => {
        const { by_day: _, ...answer } = await answerTo<Reconciliation>(
          ask,
          `/reconciliation${queryOf({ ...asked, limit })}`,
        );
        const { from, to } = answer;
        return untrustedAnswer({ link: `${origin}/reconciliation${queryOf({ from, to })}`, ...answer });
      }),
  );

  server.registerTool(
    'list_restatements',
    {
      title: 'List restated numbers',
      description:
        'Numbers of the past that changed between two published snapshots, by how much and because of which chats.',
      inputSchema: inputOf({
        metric: z.string().max(100).optional(),
        from_snapshot: z.string().max(60).optional().describe('Default: the oldest of the last 7 days'),
        to_snapshot: z.string().max(60).optional().describe('Default: the current one'),
        account: questionShape.account,
      }),
      annotations: readOnly,
    },
    (asked) =>
      withRefusals(async () => {
        const answer = await answerTo<Restatements>(ask, `/restatements${queryOf(asked)}`);
        const { restatements, ...about } = answer;
        const { rows, rows_left_out } = firstRows(restatements, most_restated);
        return untrustedAnswer({
          ...about,
          restatements: rows,
          ...(rows_left_out ? { restatements_left_out: rows_left_out } : {}),
        });
      }),
  );
}
