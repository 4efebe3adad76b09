// Asks for the panels of one picture of TV mode; the address says which, and how long it stays.
import { error } from '@sveltejs/kit';
import { filtersAt } from '#lib/filtered.ts';
import { seesAgents } from '#lib/frame/sidebar.ts';
import { boardAt } from '#lib/boards/at.ts';
import { boardWords } from '#lib/boards/words.ts';
import { defaultInterval, intervals, slidesOf } from '#lib/frame/slides.ts';
import { askPanels, known, type AskedPanel } from '#lib/panels.ts';
import { words } from '#lib/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const { account, metrics, me, targets } = frame;
  const agents = seesAgents(me);
  const boards = await Promise.all(url.searchParams.getAll('board').map((id) => boardAt(fetch, id, agents)));
  const slides = slidesOf(
    url.searchParams.getAll('page'),
    agents,
    boards.map(({ page }) => page),
  );
  if (slides.length === 0) error(404, boardWords.empty.nothing);
  const wanted = Number(url.searchParams.get('place') ?? '1') || 1;
  const place = (((wanted - 1) % slides.length) + slides.length) % slides.length;
  const slide = slides[place];
  if (!slide) error(404, words.failure.notFound);
  const judging = targets.length ? await import('#lib/targets.ts') : undefined;
  const filters = filtersAt(url, frame, [], judging?.usualSeconds(slide, targets, url.searchParams, me));
  const interval = intervals.find((it) => String(it) === url.searchParams.get('interval')) ?? defaultInterval;
  const about = { filters, slide, place, count: slides.length, interval };
  if (!account) return { ...about, asked: [] as AskedPanel[], judged: undefined };
  const catalogue = new Map(metrics.map((metric) => [metric.id, metric]));
  const judged = judging?.readJudged(fetch, account.id, filters);
  const asked = await askPanels(fetch, slide.panels, account, filters, catalogue);
  // The picture before stays until the next one is whole.
  return { ...about, asked: await known(asked), judged: await judged };
};
