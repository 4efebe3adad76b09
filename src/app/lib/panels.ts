// Asks the questions of all panels of a dashboard, each address once.
import type { Dashboard, Panel } from '#dashboards/panel.ts';
import { questions } from '#dashboards/questions.ts';
import { addressOf, ask, type Metric, type Outcome } from './api.ts';
import type { Filters } from './filters.ts';

/** A panel and what came of its questions; on the server and at first paint all of it is known. */
export interface Asked {
  panel: Panel;
  outcomes: Outcome[] | Promise<Outcome[]>;
}

export function askPanels(
  fetch: typeof globalThis.fetch,
  dashboard: Dashboard,
  account: string,
  filters: Filters,
  catalogue: Map<string, Metric>,
): { panel: Panel; outcomes: Promise<Outcome[]> }[] {
  const asked = new Map<string, Promise<Outcome>>();
  const once = (address: string) => {
    const known = asked.get(address) ?? ask(fetch, address);
    asked.set(address, known);
    return known;
  };
  return dashboard.panels.map((panel) => ({
    panel,
    outcomes: Promise.all(
      questions(panel).map((it) => once(addressOf(it, account, filters, catalogue.get(it.metric)))),
    ),
  }));
}
