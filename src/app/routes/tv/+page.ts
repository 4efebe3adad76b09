// Loads one slide of TV mode; the address says which, and for how long it is shown.
import { error } from '@sveltejs/kit';
import { queriesLeftOut, queriesOn } from '#dashboards/board-queries.ts';
import { addressPart } from '#lib/address-part.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { seesAgents, seesPart } from '#lib/sees-agents.ts';
import { boardAt } from '#lib/boards/load-board.ts';
import { boardWords } from '#lib/boards/words.ts';
import { defaultInterval, intervals, pageIds, slidesOf } from '#lib/frame/slides.ts';
import { forEverything } from '#lib/page-wait.ts';
import { askPanels, known, type AskedPanel } from '#lib/panels.ts';
import { words } from '#lib/words.ts';
import { askSlide, panelsOf, type SlideData } from './slide-data.ts';
import { tvWords } from './words.ts';
import type { PageLoad } from './$types.js';

/** What of the slides the address asks for and there is not. */
function unknownIn(query: URLSearchParams, count: number): string[] {
  const places = Array.from({ length: count }, (_, at) => String(at + 1));
  const choices = { page: pageIds, place: places, interval: intervals.map(String) };
  return Object.entries(choices).flatMap(([name, known]) =>
    query
      .getAll(name)
      .filter((it) => it !== '' && !known.includes(it))
      .map((it) => words.problems.choice(name, it, known)),
  );
}

export const load: PageLoad = async ({ fetch, url, parent }) => {
  const frame = await parent();
  const { account, metrics, me, targets, targetsProblem } = frame;
  const agents = seesAgents(me);
  const boards = await Promise.all(url.searchParams.getAll('board').map((id) => boardAt(fetch, id, agents)));
  const slides = slidesOf(
    url.searchParams.getAll('page'),
    agents,
    boards.map(({ board, page, unshown }) => ({
      page,
      unshown: [...unshown, ...queriesLeftOut(queriesOn(board), 'screen')],
    })),
  );
  if (slides.length === 0) error(404, boardWords.empty.nothing);
  const wanted = Number(url.searchParams.get('place') ?? '1') - 1;
  const place = slides[wanted] ? wanted : 0;
  const slide = slides[place];
  if (!slide) error(404, words.failure.notFound);
  const panels = slide.kind === 'panels' ? slide.panels : panelsOf(slide.name);
  const judging = targets.length ? await import('#lib/targets.ts') : undefined;
  const own = {
    passing: ['page', 'board', 'place', 'interval'],
    usualTarget: judging?.usualSeconds({ panels }, targets, url.searchParams, me),
  };
  const filters = filtersAt(url, frame, own);
  const interval = intervals.find((it) => String(it) === url.searchParams.get('interval')) ?? defaultInterval;
  const undated = filtersAt(
    addressPart(url, (name) => !['preset', 'from', 'to'].includes(name)),
    frame,
    own,
  ).problems;
  const hasOwnDates = slide.kind === 'round' && filters.problems.length > undated.length;
  const problems = [
    ...unknownIn(url.searchParams, slides.length),
    ...(hasOwnDates ? [...undated, tvWords.ownDates] : filters.problems),
  ];
  const about = { problems, filters, slide, place, count: slides.length, interval };
  const none = {
    asked: [] as AskedPanel[],
    judged: undefined,
    problem: targetsProblem,
    round: undefined as SlideData | undefined,
  };
  if (!account) return { ...about, ...none };
  const catalogue = new Map(metrics.map((metric) => [metric.id, metric]));
  if (slide.kind === 'round') {
    const asking = { fetch, account, filters, catalogue, locale: frame.locale, isPart: seesPart(frame.me) };
    return {
      ...about,
      ...none,
      round: await askSlide(slide.name, asking, frame.health, targetsProblem === undefined ? targets : undefined),
    };
  }
  const judged = judging?.readJudged(fetch, account.id, filters);
  const asked = await askPanels(fetch, slide.panels, account, filters, catalogue, forEverything);
  // The picture before stays until the next one is whole.
  const days = await judged;
  const problem = targetsProblem ?? days?.problem;
  return { ...about, asked: await known(asked, forEverything), judged: days?.judged, problem, round: none.round };
};
