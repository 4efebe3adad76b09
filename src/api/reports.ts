// The 21 reports in the vendor's own shape: a client of the Reports API v2.0 works with this address as its base URL.
import type { Context, Hono } from 'hono';
import type { AnswerCache } from './answers.ts';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { JsonpRefused, vendorAnswer } from './errors.ts';
import { callbackName, complaints, queryOf } from '#contract/query.ts';
import { reportIds, reports, type ReportArgs, type ReportId } from '#contract/reports.ts';
import { answersOf } from '#reports/answers.ts';
import { BadArguments } from '#reports/errors.ts';

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

export function addReports(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  for (const id of reportIds) {
    const { path } = reports[id];
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
