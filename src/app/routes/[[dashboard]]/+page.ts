// Reads the filters from the address and requests the data of the dashboard's panels.
import { browser } from '$app/env';
import { error } from '@sveltejs/kit';
import { narrowings } from '#dashboards/panel-queries.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { panelsFor, type Dashboard, type Panel } from '#dashboards/panel.ts';
import type { Right } from '#api/contract/rights.ts';
import { seesAgents } from '#lib/sees-agents.ts';
import { filtersAt } from '#lib/page-filters.ts';
import type { Filters } from '#lib/filters.ts';
import { chatsAddress, readChats } from '#lib/drill/chats.ts';
import { readAgreement, type Agreement } from '#lib/drill/agreement.ts';
import { firstPaint } from '#lib/first-paint.ts';
import { inTime, pageWait, type PageWait } from '#lib/page-wait.ts';
import { askPanels, known, type AskedPanel } from '#lib/panels.ts';
import { words } from '#lib/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = ({ params, ...event }) => {
  const dashboard = dashboards.find((it) => it.path === (params.dashboard ?? ''));
  if (!dashboard) error(404, words.failure.notFound);
  return _pageOf(dashboard, event);
};

/** The content of a page under the filters of its address; boards are pages too. */
export async function _pageOf(
  dashboard: Dashboard,
  { fetch, url, parent }: Pick<Parameters<PageLoad>[0], 'fetch' | 'url' | 'parent'>,
) {
  const frame = await parent();
  const { account, metrics, me, targets, targetsProblem } = frame;
  const judging = targets.length ? await import('#lib/targets.ts') : undefined;
  const read = filtersAt(url, frame, {
    usualTarget: judging?.usualSeconds(dashboard, targets, url.searchParams, me),
  });
  const filters = targetsProblem === undefined ? read : { ...read, problems: [...read.problems, targetsProblem] };
  if (!account)
    return {
      dashboard,
      filters,
      asked: [] as AskedPanel[],
      today: [] as AskedPanel[],
      agreement: null,
      judged: undefined,
      Today: null,
      ShareButton: null,
      comments: null,
      isWhole: true,
    };
  const wait = pageWait(frame.page_wait_ms, url);
  const catalogue = new Map(metrics.map((metric) => [metric.id, metric]));
  const agreement: Promise<Agreement | null> = readAgreement(fetch, account.id, filters);
  const isFor = (right: Right) => me.rights.includes(right);
  const ask = (panels: Panel[]) =>
    askPanels(fetch, panelsFor(panels, seesAgents(me)), account, filters, catalogue, wait);
  const hasToday = filters.from <= filters.today && filters.today <= filters.to;
  const ofToday = hasToday ? dashboard.today : undefined;
  const [asked, today, wanted] = await Promise.all([
    ask(dashboard.panels),
    ask(ofToday ?? []),
    judging?.readJudged(fetch, account.id, filters),
  ]);
  const own = { comments: (dashboard.comments ?? false) && isFor('names:read'), today: ofToday };
  const problems = [...filters.problems, ...(wanted?.problem === undefined ? [] : [wanted.problem])];
  const judged = wanted?.judged;
  const parts = {
    dashboard,
    filters: { ...filters, problems },
    judged,
    ...(await partsOf(own, fetch, account.id, filters, me.can_share, wait)),
  };
  if (browser && firstPaint.isOver)
    return { ...parts, asked: asked as AskedPanel[], today: today as AskedPanel[], agreement, isWhole: true };
  const [tiles, strip, agreed] = await Promise.all([known(asked, wait), known(today, wait), inTime(agreement, wait)]);
  return {
    ...{ ...parts, asked: tiles, today: strip, agreement: 'value' in agreed ? agreed.value : agreed.late },
    isWhole: ![...tiles, ...strip].some(({ isLate }) => isLate),
  };
}

const NEWEST = 10;

/** What only some dashboards show: its code is loaded with them only. */
async function partsOf(
  { comments, today }: { comments: boolean; today: Dashboard['today'] },
  fetch: typeof globalThis.fetch,
  account: string,
  filters: Filters,
  canShare: boolean,
  wait: PageWait,
) {
  return {
    Today: today ? (await import('#lib/panel/Today.svelte')).default : null,
    ShareButton: canShare ? (await import('#lib/sharing/ShareButton.svelte')).default : null,
    comments: comments ? await readComments(fetch, account, filters, wait) : null,
  };
}

async function readComments(fetch: typeof globalThis.fetch, account: string, filters: Filters, wait: PageWait) {
  const { from, to, timezone } = filters;
  const query = new URLSearchParams({ from, to, timezone, survey: 'comment' });
  for (const kind of narrowings) for (const value of filters[kind]) query.append(kind, value);
  const asked = [account, query, NEWEST] as const;
  const outcome = readChats(fetch, ...asked);
  const known = wait.isAnswered(chatsAddress(...asked)) ? await inTime(outcome, wait) : { late: outcome };
  return {
    Comments: (await import('./Comments.svelte')).default,
    outcome: 'value' in known ? known.value : known.late,
  };
}
