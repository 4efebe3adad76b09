// Asks the questions of panels, each address once.
import { browser } from '$app/env';
import { filtersFor } from '#dashboards/asked.ts';
import type { Panel } from '#dashboards/panel.ts';
import { questions } from '#dashboards/questions.ts';
import { withoutFuture } from '#dashboards/answer.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { ask, questionAddress, type MetricOutcome } from './metric-question.ts';
import type { Filters } from './filters.ts';
import { localHour } from './instants.ts';
import { rowsOf } from './panel-size.ts';

/** A panel and what came of its questions; on the server and at first paint all of it is known, but for long answers. */
export interface AskedPanel {
  panel: Panel;
  outcomes: MetricOutcome[] | Promise<MetricOutcome[]>;
}

interface Asking {
  panel: Panel;
  outcomes: Promise<MetricOutcome[]>;
  isLong: boolean;
}

/** Answers of more rows come after the page: they would be most of it, and everybody waits while it is drawn. */
const MOST_ROWS = 1500;
/** Of a page all in all; its last panels come after it first. */
const MOST_ON_PAGE = 8000;

export function askPanels(
  fetch: typeof globalThis.fetch,
  panels: Panel[],
  account: Account,
  filters: Filters,
  catalogue: Map<string, Metric>,
): Asking[] {
  const asked = new Map<string, Promise<MetricOutcome>>();
  const hour = localHour(new Date().toISOString(), filters.timezone);
  const once = (address: string) => {
    const known = asked.get(address) ?? ask(fetch, address).then((it) => begun(it, hour));
    asked.set(address, known);
    return known;
  };
  let left = MOST_ON_PAGE;
  return panels.map((panel) => {
    const shown = filtersFor(panel, filters);
    const asked = questions(panel);
    const addresses = asked.map((it) => questionAddress(it, account.id, shown, catalogue.get(it.metric)));
    const rows = asked.reduce((sum, it) => sum + rowsOf(it, account, shown, catalogue.get(it.metric)), 0);
    const isLate = rows > Math.min(MOST_ROWS, left);
    if (!isLate) left -= rows;
    return {
      panel,
      // The server does not begin what it would not wait for.
      outcomes: isLate && !browser ? new Promise<never>(() => undefined) : Promise.all(addresses.map(once)),
      isLong: isLate,
    };
  });
}

/** Without what has not begun in the local hour. */
export function begun(outcome: MetricOutcome, hour: string): MetricOutcome {
  return outcome.kind === 'answered' ? { ...outcome, answer: withoutFuture(outcome.answer, hour) } : outcome;
}

/** The same once everything but the long answers is there. */
export function known(asked: Asking[]): Promise<AskedPanel[]> {
  return Promise.all(
    asked.map(async ({ panel, outcomes, isLong }) => ({ panel, outcomes: isLong ? outcomes : await outcomes })),
  );
}
