// The catalogue of metrics, and questions about one of them.
import { z } from '@hono/zod-openapi';
import { states } from '#warehouse/query/states.ts';
import { AsOf, endpoint, unchanged, unpublished } from './endpoint.ts';

export const Metric = z
  .object({
    id: z.string(),
    title: z.string(),
    also_called: z.string().optional().openapi({ description: 'Other words by which people look for it' }),
    definition: z.string(),
    version: z.int(),
    kind: z.string().openapi({ description: 'A: recomputed from chats; R: only reported by the source; A+R: both' }),
    measures: z.record(z.string(), z.object({ title: z.string(), unit: z.string() })),
    splits: z.array(z.string()).readonly(),
    filters: z.array(z.string()).readonly(),
    grains: z.array(z.string()).readonly(),
    adds_up_by: z
      .array(z.string())
      .readonly()
      .openapi({ description: 'Splits over whose values counts add up: nothing stands under two of them' }),
    always: z
      .array(z.string())
      .readonly()
      .optional()
      .openapi({ description: 'Splits that every answer has, asked or not' }),
    compared_as: z.record(z.string(), z.string()).optional().openapi({
      description:
        'Where numbers are compared with those of the source: measures that the compared cells call otherwise, and their names here',
    }),
    target: z.int().optional().openapi({ description: 'Seconds; where `target` can be asked, the usual one' }),
    settling_days: z.object({ days: z.int(), measured: z.boolean() }).openapi({
      description:
        'Days after its end during which a period may still change: measured from the ledger, or as somebody has set it',
    }),
  })
  .openapi('Metric');
export type Metric = z.infer<typeof Metric>;

const Row = z
  .object({
    period: z.string().optional().openapi({ description: 'Missing where grain=total' }),
    state: z.enum(states).openapi({ description: 'Whether the period may still change' }),
    accounts_missing: z.int().optional().openapi({
      description: 'Of several accounts together: how many of them the cell does not hold whole',
    }),
  })
  .catchall(z.union([z.string(), z.number(), z.null()]))
  .openapi('Row', { description: 'period, the splits, the measures, and state' });

const grain = z.enum(['hour', 'day', 'week', 'month', 'total']);

export const NoData = z.array(z.object({ account: z.string(), from: z.iso.date(), to: z.iso.date() })).openapi({
  description: 'Of several accounts: who has no data in part of the range, in days of their own zone',
});
export const Notes = z.array(z.string()).openapi({
  description: 'Of several accounts: whom the numbers do not hold, and whose days they count by, in sentences',
});

export const MetricAnswer = z
  .object({
    metric: z.string(),
    version: z.int(),
    account: z.string().openapi({ description: 'Of several: their ids, comma-separated' }),
    accounts: z.array(z.string()).optional().openapi({ description: 'Of a question about several: their ids' }),
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    grain,
    split: z.array(z.string()),
    variable: z.string().optional().openapi({ description: 'Which declared variable the split `variable` is' }),
    target: z.int().optional().openapi({ description: 'Seconds, of a metric that is measured against a target' }),
    snapshot: z.string(),
    as_of: z.iso.datetime().optional().openapi({ description: 'The instant asked for: the answer as known then' }),
    rows: z.array(Row),
    state: z.enum(states).optional().openapi({
      description: 'State of the range, where there is no row: nothing to split, or not pulled',
    }),
    not_given: z.record(z.string(), z.string()).optional().openapi({ description: 'Measure and why it is null' }),
    compare: z
      .object({
        from: z.iso.date(),
        to: z.iso.date(),
        until: z.iso.datetime().optional().openapi({
          description: 'Where the range is not over: chats of `to` count up to the same clock time, to a quarter hour',
        }),
        rows: z.array(Row),
        state: z.enum(states).optional().openapi({ description: 'As of the range asked for, where there is no row' }),
        no_data: NoData.optional(),
        notes: Notes.optional(),
      })
      .optional(),
    no_data: NoData.optional(),
    notes: Notes.optional(),
  })
  .openapi('Answer');
export type MetricAnswer = z.infer<typeof MetricAnswer>;

/** A question about a metric. */
export const Question = z.object({
  from: z.iso.date().optional().openapi({ description: 'First local day; default 30 days up to `to`' }),
  to: z.iso.date().optional().openapi({ description: 'Last local day, included; default today' }),
  timezone: z.string().optional().openapi({
    description: "IANA zone; default the account's own, of several accounts the one that they share, else UTC",
  }),
  grain: grain.optional().openapi({ description: 'Default day' }),
  split: z
    .string()
    .optional()
    .openapi({ description: 'Comma-separated, of the splits of the metric; a declared variable as `variable:plan`' }),
  group: z.array(z.string()).optional().openapi({ description: 'Repeatable; one that matches is enough' }),
  agent: z.array(z.string()).optional().openapi({ description: 'Repeatable; one that matches is enough' }),
  tag: z
    .array(z.string())
    .optional()
    .openapi({ description: 'Repeatable; one that matches is enough; case sensitive' }),
  country: z.array(z.string()).optional(),
  variable: z.array(z.string()).optional().openapi({
    description: 'Repeatable, a declared variable and a value, as `plan:pro`: any value of each, all of the variables',
  }),
  goal: z.array(z.string()).optional(),
  currency: z.array(z.string()).optional(),
  target: z.string().optional().openapi({ description: 'Seconds, where the metric has one' }),
  compare: z.enum(['previous', 'year']).optional().openapi({
    description:
      'Also the same weekdays whole weeks earlier, or of the same ISO week a year earlier; by month as many months before, or the same ones',
  }),
  account: z.string().optional(),
  as_of: AsOf,
  version: z.string().optional().openapi({ description: 'Of the definition' }),
});

/** The same of several accounts as well. */
export const PooledQuestion = Question.extend({
  account: z.array(z.string()).optional().openapi({
    description:
      'Needed where you see several. Repeatable, or `*` for all that you see: their numbers together, with `split=account` those of each',
  }),
});

export const listMetrics = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/metrics',
  summary: 'Every metric: what it means, its measures, and how it can be asked',
  answers: { 200: 'Every metric' },
  schema: z.object({ metrics: z.array(Metric) }),
  refusals: {},
});

export const askMetric = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/metrics/{id}',
  agents: 'asked',
  summary: 'The numbers of one metric',
  query: PooledQuestion,
  answers: { 200: 'One row per period and split', 304: unchanged },
  schema: MetricAnswer,
  refusals: {
    400: 'The question has no answer; the choices say what has',
    404: 'There is no such metric',
    503: unpublished,
  },
});

export const exportMetric = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/metrics/{id}.csv',
  agents: 'asked',
  audit: 'export.read',
  summary: 'The cells of one metric in which something happened, as a file of any size',
  description:
    'The same question as /metrics/{id}, without `compare`. Cells in which nothing happened are left out, and so may be those ' +
    'that were not pulled: /metrics/{id} has the state of every cell.',
  query: PooledQuestion.omit({ compare: true }),
  answers: { 200: 'period, splits, measures, state' },
  media: ['text/csv'],
  refusals: {
    400: 'The question has no answer; the choices say what has',
    404: 'There is no such metric',
    503: 'Nothing is published yet, or too many files are being read',
  },
});

const ofAgents = {
  needs: 'agents:read',
  method: 'get',
  agents: 'always',
  audit: 'export.read',
  description: 'The table of the page Agents: each column, and with `compare` beside it what it is compared with.',
  query: Question.pick({
    ...{ from: true, to: true, timezone: true, group: true, agent: true, tag: true, variable: true, compare: true },
    account: true,
    as_of: true,
  }),
  answers: { 200: 'One row per agent, by name' },
  refusals: { 400: 'The question has no answer; the choices say what has', 503: unpublished },
} as const;

export const exportAgentsCsv = endpoint({
  ...ofAgents,
  path: '/agents.csv',
  summary: 'Agents and their numbers as CSV',
  media: ['text/csv'],
});

export const exportAgentsPdf = endpoint({
  ...ofAgents,
  path: '/agents.pdf',
  summary: 'Agents and their numbers as a PDF, below them the whole team',
  media: ['application/pdf'],
  refusals: { ...ofAgents.refusals, 503: 'Nothing is published yet, or too many files are being made' },
});

export const exportAgentsXlsx = endpoint({
  ...ofAgents,
  path: '/agents.xlsx',
  summary: 'Agents and their numbers as a workbook',
  media: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
});

const ofAccounts = {
  needs: 'numbers:read',
  method: 'get',
  audit: 'export.read',
  description: 'The table of the page Accounts: each column, and with `compare` beside it what it is compared with.',
  query: PooledQuestion.pick({ from: true, to: true, timezone: true, compare: true, account: true, as_of: true }),
  answers: { 200: 'One row per account, and one of all together' },
  refusals: { 400: 'The question has no answer; the choices say what has', 503: unpublished },
} as const;

export const exportAccountsCsv = endpoint({
  ...ofAccounts,
  path: '/accounts.csv',
  summary: 'Accounts and their numbers as CSV',
  media: ['text/csv'],
});

export const exportAccountsXlsx = endpoint({
  ...ofAccounts,
  path: '/accounts.xlsx',
  summary: 'Accounts and their numbers as a workbook',
  media: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
});

const ofPanels = {
  from: true,
  to: true,
  timezone: true,
  grain: true,
  group: true,
  agent: true,
  tag: true,
  variable: true,
} as const;

export const downloadPanel = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/panels/{dashboard}/{file}',
  agents: 'by_panel',
  audit: 'export.read',
  summary: 'The numbers of a panel, unrounded, as a file',
  params: z.object({
    dashboard: z.string().openapi({ description: 'Its page, such as `overview`' }),
    file: z.string().openapi({ description: 'Its id with `.csv` or `.xlsx`, such as `volume.csv`' }),
  }),
  query: Question.pick({ ...ofPanels, split: true, compare: true, target: true, account: true, as_of: true }).extend({
    hours: z.enum(['business']).optional().openapi({ description: 'Waits count in business hours only' }),
  }),
  answers: { 200: 'One row per period and split' },
  media: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  refusals: {
    400: 'There is no such panel, or the question has no answer; the choices say what has',
    503: unpublished,
  },
});
