// Asks the questions of panels, each address once.
import type { Panel } from '#dashboards/panel.ts';
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
  panels: Panel[],
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
  return panels.map((panel) => ({
    panel,
    outcomes: Promise.all(
      questions(panel).map((it) => once(addressOf(it, account, filters, catalogue.get(it.metric)))),
    ),
  }));
}

/** The same once everything has been answered. */
export function known(asked: { panel: Panel; outcomes: Promise<Outcome[]> }[]): Promise<Asked[]> {
  return Promise.all(asked.map(async ({ panel, outcomes }) => ({ panel, outcomes: await outcomes })));
}
