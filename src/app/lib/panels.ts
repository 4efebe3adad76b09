// Asks the questions of panels, each address once.
import { browser } from '$app/env';
import type { Panel } from '#dashboards/panel.ts';
import { questions, type Question } from '#dashboards/questions.ts';
import { withoutFuture } from '#dashboards/answer.ts';
import { addressOf, ask, grainFor, type Metric, type Outcome } from './api.ts';
import { daysBetween } from './dates.ts';
import type { Filters } from './filters.ts';
import { localHour } from './instants.ts';

/** A panel and what came of its questions; on the server and at first paint all of it is known, but for long answers. */
export interface Asked {
  panel: Panel;
  outcomes: Outcome[] | Promise<Outcome[]>;
}

interface Asking {
  panel: Panel;
  outcomes: Promise<Outcome[]>;
  isLong: boolean;
}

/** Hours of more days than this come after the page: a year of them would be most of it, and keep the rest waiting. */
const DAYS_OF_HOURS = 31;

export function askPanels(
  fetch: typeof globalThis.fetch,
  panels: Panel[],
  account: string,
  filters: Filters,
  catalogue: Map<string, Metric>,
): Asking[] {
  const asked = new Map<string, Promise<Outcome>>();
  const hour = localHour(new Date().toISOString(), filters.timezone);
  const once = (address: string) => {
    const known = asked.get(address) ?? ask(fetch, address).then((it) => begun(it, hour));
    asked.set(address, known);
    return known;
  };
  const isLongByHour = filters.grain === 'hour' && daysBetween(filters.from, filters.to) > DAYS_OF_HOURS;
  const isLong = (it: Question) =>
    isLongByHour && it.grain === 'asked' && !it.span && grainFor(catalogue.get(it.metric), 'hour') === 'hour';
  return panels.map((panel) => {
    // A spark is no wider than some hundred points.
    const isSpark = panel.picture === 'tile';
    const shown = isSpark && isLongByHour ? { ...filters, grain: 'day' as const } : filters;
    const asked = questions(panel);
    const addresses = asked.map((it) => addressOf(it, account, shown, catalogue.get(it.metric)));
    const isLate = !isSpark && asked.some(isLong);
    return {
      panel,
      // The server does not begin what it would not wait for.
      outcomes: isLate && !browser ? new Promise<never>(() => undefined) : Promise.all(addresses.map(once)),
      isLong: isLate,
    };
  });
}

function begun(outcome: Outcome, hour: string): Outcome {
  return outcome.kind === 'answered' ? { ...outcome, answer: withoutFuture(outcome.answer, hour) } : outcome;
}

/** The same once everything but the long answers is there. */
export function known(asked: Asking[]): Promise<Asked[]> {
  return Promise.all(
    asked.map(async ({ panel, outcomes, isLong }) => ({ panel, outcomes: isLong ? outcomes : await outcomes })),
  );
}
