// The 21 reports in the vendor's own shape.
import { z } from '@hono/zod-openapi';
import { groupings, reportIds, reports, weekdays, type ReportId } from '#contract/reports.ts';
import { endpoint, unchanged, type Endpoint } from './endpoint.ts';

const described = (words: string) => z.string().optional().openapi({ description: words });
const several = (words: string) => z.array(z.string()).optional().openapi({ description: words });

function queryFor(id: ReportId) {
  const { keyed, takes } = reports[id];
  const always = {
    timezone: described("IANA zone; default the account's own"),
    callback: described('JSONP'),
    as_of: described('Not of the vendor: an instant; the answer as known then, from the newest snapshot until then'),
  };
  if (keyed === 'moment') return z.object({ weekday: z.enum(weekdays), ...always });
  return z.object({
    date_from: described('First local day; default the first day pulled'),
    date_to: described('Last local day, included; default today'),
    ...(keyed === 'period' ? { group_by: z.enum(groupings).optional() } : {}),
    ...(takes.includes('group') ? { group: several('Any of these groups') } : {}),
    ...(takes.includes('agent') ? { agent: several('Any of these agents') } : {}),
    ...(takes.includes('tag') ? { 'tag[]': several('Any of these tags') } : {}),
    ...(id === 'goals' ? { goal: described('Goal id'), currency: described('Of the values') } : {}),
    ...(id === 'goals' ? { sales_tracker: z.enum(['0', '1']).optional() } : {}),
    ...always,
  });
}

/** A sentence for each argument that is wrong, or one for everything else. */
const ReportErrors = z
  .union([z.object({ errors: z.array(z.string()) }), z.object({ error: z.string() })])
  .openapi('ReportErrors');

const AsTheVendor = z.record(z.string(), z.unknown());

export const reportEndpoints: readonly Endpoint[] = reportIds.map((id) =>
  endpoint({
    method: 'get',
    path: reports[id].path,
    needs: 'numbers:read',
    agents: /agents|ranking/.test(reports[id].path) ? 'always' : 'asked',
    summary: `The report ${id} in the shape of the Reports API v2.0; days before the first one to be pulled are zero`,
    query: queryFor(id),
    answers: { 200: 'As the vendor answers', 304: unchanged },
    schema: AsTheVendor,
    refusals: { 400: 'A sentence for each argument', 503: 'A past period is not pulled yet' },
    refusal: ReportErrors,
  }),
);
