// What a question about a metric takes, as tools describe it to assistants; the API checks it again and names the choices.
import { z } from 'zod';
import { queryOf } from './asking.ts';

const day = z.iso.date();
const texts = z.array(z.string().max(300)).max(100).optional();

/** Parameters that every question about a metric has. */
export const questionShape = {
  metric: z.string().max(100).describe('Id of a metric, as list_metrics gives it'),
  from: day.optional().describe('First local day, YYYY-MM-DD; default 30 days up to `to`'),
  to: day.optional().describe('Last local day, included; default today'),
  grain: z.enum(['hour', 'day', 'week', 'month', 'total']).optional().describe('Default day; total: the whole range'),
  split: z.array(z.string().max(100)).max(5).optional().describe('Splits of the metric; a variable as `variable:plan`'),
  group: z.array(z.int()).max(100).optional().describe('Ids of groups; one that matches is enough'),
  agent: texts.describe('Logins of agents; one that matches is enough'),
  tag: texts.describe('Tags; one that matches is enough; case sensitive'),
  country: texts.describe('Countries; one that matches is enough'),
  variable: texts.describe('A declared variable and a value, as `plan:pro`'),
  goal: z.array(z.int()).max(100).optional().describe('Ids of goals; one that matches is enough'),
  currency: texts.describe('Currencies, as `EUR`; one that matches is enough'),
  target: z.int().optional().describe('Seconds, where the metric has a target'),
  timezone: z.string().max(60).optional().describe("IANA zone; default the account's own"),
  account: z.string().max(200).optional().describe('Id of an account, as list_choices gives it; default the first'),
  as_of: z.iso.datetime({ offset: true }).optional().describe('As it was known on this instant'),
};

/** Which cell of an answer. */
export const cellShape = {
  period: z.string().max(40).optional().describe('`period` of the row; left out with grain=total'),
  at: z.record(z.string(), z.string().max(300)).optional().describe('For each split its value in the row, as text'),
  measure: z.string().max(100).optional().describe('Default the first of the metric'),
};

type Asked = Partial<z.infer<z.ZodObject<typeof questionShape>>>;
type AskedCell = Partial<z.infer<z.ZodObject<typeof cellShape>>>;

/** The query of `/metrics/{id}`. */
export function questionQuery({ metric: _, split, ...rest }: Asked): string {
  return queryOf({ ...rest, ...(split?.length ? { split: split.join(',') } : {}) });
}

/** The query of `/receipts/{id}` and of the page of the receipt. */
export function cellQuery(
  { metric: _, split, ...rest }: Asked,
  { period, at = {}, measure }: AskedCell,
  listing: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const places = Object.entries(at).map(([name, value]) => [`at.${name}`, value]);
  return queryOf({
    ...{ ...rest, ...(split?.length ? { split: split.join(',') } : {}) },
    ...{ period, measure, ...Object.fromEntries(places) },
    ...listing,
  });
}
