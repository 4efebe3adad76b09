// The requests of a browser for a page that came without its slow answers.
import { dashboards } from '#dashboards/dashboards.ts';
import { filtersFor } from '#dashboards/panel-queries.ts';
import { questions } from '#dashboards/questions.ts';
import { readFilters } from '#lib/filters.ts';
import { questionAddress } from '#lib/metric-question.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { zone } from '../generate.ts';

/** Panels of the page that still load, by id. */
const loading = (html: string): string[] =>
  [...html.matchAll(/<section[^>]*>/g)].flatMap(([head]) => {
    const [, id] = /\sid="([^"]+)"/.exec(head) ?? [];
    return id !== undefined && head.includes('aria-busy="true"') ? [id] : [];
  });

/** Addresses of the questions of panels that are still loading, without duplicates; `address` is that of the page. */
export function lateQuestions(html: string, address: string, metrics: readonly Metric[], since: string): string[] {
  const { pathname, searchParams } = new URL(address, 'http://127.0.0.1');
  const dashboard = dashboards.find(({ path }) => `/${path}` === pathname);
  if (!dashboard) return [];
  const catalogue = new Map(metrics.map((metric) => [metric.id, metric]));
  const late = new Set(loading(html));
  const filters = readFilters(searchParams, zone, since, new Date());
  const asked = [...dashboard.panels, ...(dashboard.today ?? [])]
    .filter(({ id }) => late.has(id))
    .flatMap((panel) =>
      questions(panel).map((question) =>
        questionAddress(question, 'default', filtersFor(panel, filters), catalogue.get(question.metric)),
      ),
    );
  return [...new Set(asked)];
}
