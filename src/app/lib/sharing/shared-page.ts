// Loads the content of a shared link: its page, and the answers of its panels as they arrive.
import { boardNamed } from '#dashboards/board-names.ts';
import { pageOfBoard } from '#dashboards/boards.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { withoutAgents, type Dashboard, type Panel } from '#dashboards/panel.ts';
import type { SharedPage } from '#api/contract/shares.ts';
import { call } from '#lib/api.ts';
import type { Filters } from '#lib/filters.ts';
import { localHour } from '#lib/instants.ts';
import type { MetricOutcome } from '#lib/metric-question.ts';
import { asSplit, begun, type AskedPanel } from '#lib/panels.ts';

/** A link that opened. */
interface OpenPage {
  kind: 'open';
  shared: SharedPage;
  dashboard: Dashboard;
  /** One panel of it, and not all. */
  isPart: boolean;
  filters: Filters;
  asked: AskedPanel[];
  today: AskedPanel[];
}

/** `closed`: the link opens nothing, with the reason; `lost`: nobody knows, the server did not answer. */
export type Opened = OpenPage | { kind: 'closed' | 'lost'; message: string };

async function outcomesOf(key: string, panel: Panel, timezone: string): Promise<MetricOutcome[]> {
  const hour = localHour(new Date().toISOString(), timezone);
  const found = await call(fetch, 'GET /share/panels/{panel}', { params: { panel: panel.id }, key });
  if (found.kind !== 'answered') return [found];
  return found.answer.outcomes.map((it) =>
    begun(it.kind === 'answered' ? it : { ...it, status: 400, type: 'bad_request' }, hour),
  );
}

const filtersOf = ({ filters, account }: SharedPage): Filters => ({
  ...filters,
  account: account.id,
  isGrainChosen: true,
  problems: [],
});

/** Asks again for the panels only when they are others than those of `known`. */
export async function openShared(key: string, known?: SharedPage): Promise<Opened | { kind: 'same' }> {
  const found = await call(fetch, 'GET /share', { key });
  if (found.kind === 'failed') return { kind: 'lost', message: found.message };
  if (found.kind === 'refused') return { kind: 'closed', message: found.message };
  const { answer: shared } = found;
  if (JSON.stringify(shared) === JSON.stringify(known)) return { kind: 'same' };
  const { board } = shared;
  const dashboard = board
    ? pageOfBoard({ id: boardNamed(shared.dashboard) ?? '', ...board })
    : dashboards.find(({ id }) => id === shared.dashboard);
  if (!dashboard) return { kind: 'closed', message: `there is no page ${shared.dashboard}` };
  const filters = filtersOf(shared);
  const catalogue = new Map(shared.metrics.map((metric) => [metric.id, metric]));
  const ask = async (panels: readonly Panel[], ids: readonly string[]): Promise<AskedPanel[]> =>
    (await asSplit(panels, filters, catalogue, shared.account))
      .filter(({ panel }) => ids.includes(panel.id))
      .flatMap((it) => (shared.has_agents ? it : withoutAgents([it.panel]).map((panel) => ({ ...it, panel }))))
      .map((it) => ({ ...it, outcomes: outcomesOf(key, it.panel, shared.filters.timezone) }));
  return {
    ...{ kind: 'open', shared, dashboard, filters },
    isPart: shared.panels.length === 1 && (board !== null || dashboard.panels.length > 1),
    ...{ asked: await ask(dashboard.panels, shared.panels), today: await ask(dashboard.today ?? [], shared.today) },
  };
}
