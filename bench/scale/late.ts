// The requests of a browser for a page that came without its slow answers.
import { agentQuestions } from '#dashboards/agent-columns.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { filtersFor } from '#dashboards/panel-queries.ts';
import { questions } from '#dashboards/questions.ts';
import { askExpected } from '#lib/expected.ts';
import { readFilters, type Filters } from '#lib/filters.ts';
import { questionAddress } from '#lib/metric-question.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { zone } from '../generate.ts';

const account = 'default';

/** Panels of the page that still load, by id. */
const loading = (html: string): string[] =>
  [...html.matchAll(/<section[^>]*>/g)].flatMap(([head]) => {
    const [, id] = /\sid="([^"]+)"/.exec(head) ?? [];
    return id !== undefined && head.includes('aria-busy="true"') ? [id] : [];
  });

/**
 * Addresses that the page asks for, without duplicates: all of a list at once, and a list when the one before it is answered.
 * `address` is that of the page.
 */
export async function lateQuestions(
  html: string,
  address: string,
  metrics: readonly Metric[],
  since: string,
): Promise<string[][]> {
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  const filters = readFilters(searchParams, zone, since, new Date());
  const catalogue = new Map(metrics.map((metric) => [metric.id, metric]));
  if (pathname === '/agents') return lateOfAgents(html, filters, catalogue);
  const dashboard = dashboards.find(({ path }) => `/${path}` === pathname);
  if (!dashboard) return [];
  const late = new Set(loading(html));
  const asked = [...dashboard.panels, ...(dashboard.today ?? [])]
    .filter(({ id }) => late.has(id))
    .flatMap((panel) =>
      questions(panel).map((question) =>
        questionAddress(question, account, filtersFor(panel, filters), catalogue.get(question.metric)),
      ),
    );
  return [[...new Set(asked)]];
}

/** The table of agents as a whole, and after it what is expected of them; the bench's account has many agents, with trends by week. */
async function lateOfAgents(
  html: string,
  filters: Filters,
  catalogue: ReadonlyMap<string, Metric>,
): Promise<string[][]> {
  if (!loading(html).includes('expected')) return [];
  const expected = await expectedAddress(filters);
  if (!/<div class="skeleton[^>]*aria-busy="true"/.test(html)) return [[expected]];
  const trend = filters.grain === 'day' ? { ...filters, grain: 'week' as const } : filters;
  const table = agentQuestions().map((question) =>
    questionAddress(question, account, question.grain === 'asked' ? trend : filters, catalogue.get(question.metric)),
  );
  return [[...new Set(table)], [expected]];
}

/** Where the page asks for it. */
async function expectedAddress(filters: Filters): Promise<string> {
  let asked = '';
  const noted = (address: string | URL | Request): Promise<Response> => {
    asked = address instanceof Request ? address.url : String(address);
    return Promise.resolve(Response.json({}));
  };
  await askExpected(noted, account, filters);
  return asked;
}
