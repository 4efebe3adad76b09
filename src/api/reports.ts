// The 21 reports in the vendor's own shape: a client of the Reports API v2.0 works with this address as its base URL.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Answers } from './answers.ts';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { JsonpRefused, vendorAnswer } from './errors.ts';
import { callbackName, complaints, queryOf } from '#contract/query.ts';
import { groupings, reportIds, reports, weekdays, type ReportArgs, type ReportId } from '#contract/reports.ts';
import { answersOf } from '#reports/answers.ts';
import { BadArguments } from '#reports/errors.ts';

const described = (words: string) => z.string().optional().openapi({ description: words });
const several = (words: string) => z.array(z.string()).optional().openapi({ description: words });

function parametersOf(id: ReportId) {
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

/** Arguments as the contract reads them. */
function argumentsOf(id: ReportId, search: URLSearchParams): ReportArgs {
  const parsed = reports[id].args.safeParse(queryOf(search));
  if (!parsed.success) throw new BadArguments(complaints(parsed.error));
  return parsed.data;
}

function assertHeaders(c: Context, search: URLSearchParams): void {
  const version = c.req.header('x-api-version');
  if (version !== undefined && version !== '2' && version !== '2.0')
    throw new BadArguments([`X-API-Version: must be 2, not ${version.slice(0, 20)}`]);
  const callback = search.getAll('callback').at(-1);
  if (callback === undefined) return;
  if (c.req.header('authorization') === undefined) throw new JsonpRefused();
  if (!callbackName.test(callback)) throw new BadArguments(['callback: must be the name of a function']);
}

export function addReports(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  const content = { 'application/json': { schema: z.record(z.string(), z.unknown()) } };
  const refused = z.object({ errors: z.array(z.string()) }).openapi('ReportErrors');
  for (const id of reportIds) {
    const { path } = reports[id];
    app.openAPIRegistry.registerPath({
      method: 'get',
      path,
      summary: `The report ${id} in the shape of the Reports API v2.0; days before the first one to be pulled are zero`,
      request: { query: parametersOf(id) },
      responses: {
        200: { description: 'As the vendor answers', content },
        304: { description: 'What you have is still right' },
        400: { description: 'A sentence for each argument', content: { 'application/json': { schema: refused } } },
        503: { description: 'A past period is not pulled yet' },
      },
    });
    for (const at of [path, `/v2${path}`] as const) {
      app.get(at, async (c) => {
        const { search, searchParams } = new URL(c.req.url);
        assertHeaders(c, searchParams);
        const args = argumentsOf(id, searchParams);
        const [account, as_of] = [searchParams.get('account') ?? undefined, searchParams.getAll('as_of').at(-1)];
        const asked = await contextOf(deps, c, { account, as_of });
        const answer = await answers.answer(c, asked, `report ${id} ${search}`, async (context) =>
          answersOf(context)[id](args),
        );
        return answer.status === 200 && searchParams.has('callback') ? vendorAnswer(c, await answer.text()) : answer;
      });
      app.all(at, (c) => {
        c.header('allow', 'GET, HEAD');
        return vendorAnswer(c, JSON.stringify({ error: `${c.req.method} is not supported here` }), 405);
      });
    }
  }
}
