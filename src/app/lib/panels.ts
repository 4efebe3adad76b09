// Asks the questions of panels, each address once.
import { browser } from '$app/env';
import { filtersFor } from '#dashboards/panel-queries.ts';
import { underHours } from '#dashboards/business-hours.ts';
import type { Panel } from '#dashboards/panel.ts';
import type { Draw } from '#dashboards/pictures/draw.ts';
import { questions } from '#dashboards/questions.ts';
import { splitOf } from '#dashboards/splits.ts';
import { withoutFuture } from '#dashboards/answer.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { ask, questionAddress, type MetricOutcome } from './metric-question.ts';
import type { Filters } from './filters.ts';
import { localHour } from './instants.ts';
import { inTime, type PageWait } from './page-wait.ts';
import { rowsOf } from './panel-size.ts';
import { variableTitles } from './variable-titles.ts';

/** A panel and the outcomes of its questions; on the server and at first paint all are known, except for long and late answers. */
export interface AskedPanel {
  panel: Panel;
  outcomes: MetricOutcome[] | Promise<MetricOutcome[]>;
  /** Draws a split panel; loaded with the first of them. */
  draw?: Draw;
  /** The page did not wait for it any longer. */
  isLate?: boolean;
}

interface PanelRequest {
  panel: Panel;
  draw?: Draw;
  outcomes: Promise<MetricOutcome[]>;
  isLong: boolean;
  isLate: boolean;
}

/** Answers with more rows follow after the page: they would dominate it, and everybody would wait for its rendering. */
const MOST_ROWS = 1500;
/** Maximum for the whole page; its last panels are deferred first. */
const MOST_ON_PAGE = 8000;

type Catalogue = Map<string, Metric>;

/** The panels as their reader has split them, and in the hours that count. */
export async function asSplit(
  all: readonly Panel[],
  filters: Filters,
  catalogue: Catalogue,
  account: Pick<Account, 'variables'>,
): Promise<Pick<AskedPanel, 'panel' | 'draw'>[]> {
  const panels = underHours(all, filters.hours);
  const chosen = panels.map((panel) => splitOf(panel, filters, catalogue.get(panel.metric)));
  if (!chosen.some(Boolean)) return panels.map((panel) => ({ panel }));
  const [{ splitPanel }, { drawSplit }] = await Promise.all([
    import('#dashboards/split-panel.ts'),
    import('#dashboards/pictures/draw-split.ts'),
  ]);
  return panels.map((whole, at) => {
    const by = chosen[at];
    const panel = by ? splitPanel(whole, by, catalogue.get(whole.metric), variableTitles(account)) : whole;
    const draw = drawSplit(panel);
    return draw ? { panel, draw } : { panel };
  });
}

export async function askPanels(
  fetch: typeof globalThis.fetch,
  panels: Panel[],
  account: Account,
  filters: Filters,
  catalogue: Catalogue,
  wait: PageWait,
): Promise<PanelRequest[]> {
  const asked = new Map<string, Promise<MetricOutcome>>();
  const hour = localHour(new Date().toISOString(), filters.timezone);
  const once = (address: string) => {
    const known = asked.get(address) ?? ask(fetch, address).then((it) => begun(it, hour));
    asked.set(address, known);
    return known;
  };
  let left = MOST_ON_PAGE;
  return (await asSplit(panels, filters, catalogue, account)).map(({ panel, draw }) => {
    const shown = filtersFor(panel, filters);
    const asked = questions(panel);
    const addresses = asked.map((it) => questionAddress(it, account.id, shown, catalogue.get(it.metric)));
    const rows = asked.reduce((sum, it) => sum + rowsOf(it, account, shown, catalogue.get(it.metric)), 0);
    const isLong = rows > Math.min(MOST_ROWS, left);
    if (!isLong) left -= rows;
    return {
      ...{ panel, ...(draw ? { draw } : {}) },
      // The server does not start what it would not wait for.
      outcomes: isLong && !browser ? new Promise<never>(() => undefined) : Promise.all(addresses.map(once)),
      isLong,
      isLate: !isLong && !addresses.every((address) => wait.isAnswered(address)),
    };
  });
}

/** Drops periods that have not begun in the local hour. */
export function begun(outcome: MetricOutcome, hour: string): MetricOutcome {
  return outcome.kind === 'answered' ? { ...outcome, answer: withoutFuture(outcome.answer, hour) } : outcome;
}

/** The same once everything is there that the page waits for. */
export function known(asked: PanelRequest[], wait: PageWait): Promise<AskedPanel[]> {
  return Promise.all(
    asked.map(async ({ isLong, isLate, outcomes, ...rest }) => {
      if (isLong || isLate) return { ...rest, outcomes, isLate };
      const found = await inTime(outcomes, wait);
      return 'value' in found ? { ...rest, outcomes: found.value } : { ...rest, outcomes: found.late, isLate: true };
    }),
  );
}
