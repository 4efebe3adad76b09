// One issue of a digest for one reader, as values: the basis of the document, the tables and the mail.
import type { NamesBySplit } from '#dashboards/names.ts';
import { isNotPulled, isSilent, lacksPulled, toldFrom, type Answer } from '#dashboards/answer.ts';
import { underHours } from '#dashboards/business-hours.ts';
import { boardNamed } from '#dashboards/board-names.ts';
import { queriesLeftOut, queriesOn } from '#dashboards/board-queries.ts';
import { boardFor, pageOfBoard, type BoardLayout } from '#dashboards/boards.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { isOneAtATime, panelsFor, type Dashboard, type Panel, type SeesAgents } from '#dashboards/panel.ts';
import { tile, type TileFigure } from '#dashboards/pictures/tile.ts';
import { questions } from '#dashboards/questions.ts';
import { splitUnder } from '#dashboards/split-panel.ts';
import { silence, words as silences } from '#dashboards/words.ts';
import { shownTargets } from '#dashboards/pictures/target-line.ts';
import type { TargetResult } from '#dashboards/targets.ts';
import { catalogue, described, everyChat, metricOf } from '#warehouse/definitions/metrics.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import type { DigestQuestions, QuestionResult } from './digest-questions.ts';
import { changeOf, type Change } from './change.ts';
import { clearChanges, type ClearChange } from './clear-changes.ts';
import { coverOf, type Cover } from './cover.ts';
import type { Length, PaperSize } from './digest.ts';
import { businessHoursText } from './business-hours-text.ts';
import { namesIn } from './names.ts';
import type { AnsweredQuery } from './query-answers.ts';
import type { Restated } from './restated.ts';
import { shownQueries, type ShownQuery } from './shown-queries.ts';
import { words } from './words.ts';

export interface KeyFigure {
  title: string;
  sentence: string;
  /** One, or one for each currency. */
  figures: TileFigure[];
  basis?: string;
  /** Set while the number may still change. */
  note?: string;
  /** The target, and how many days met it. */
  target?: string;
  panel: Panel;
  answer?: Answer;
}

export interface Shown {
  panel: Panel;
  /** The page of the panel, or the board. */
  dashboard: string;
  answers: Answer[];
  /** Why nothing is drawn. */
  nothing?: string;
}

export interface Section {
  title: string;
  sentence: string;
  keyFigures: KeyFigure[];
  panels: Shown[];
  /** Of a board, below its panels. */
  queries?: ShownQuery[];
}

export interface DigestDocument {
  title: string;
  language: string;
  paper: PaperSize;
  /** The moment of the snapshot, ISO: the only date in the document's own data. */
  dated: string;
  cover: Cover;
  /** Sentences that must be seen before the numbers. */
  stamps: string[];
  /** How much of it is printed; files contain everything. */
  length: Length;
  keyFigures: KeyFigure[];
  /** What changed beyond chance, in sentences, at least one. */
  clear: ClearChange[];
  change?: Change;
  restated?: Restated;
  sections: Section[];
  definitions: { id: string; title: string; version: number; definition: string }[];
  names: NamesBySplit;
  targets: readonly TargetResult[];
}

/** What to produce, apart from the questions. */
export interface DocumentOrder {
  title: string;
  reader?: string;
  language: string;
  paper: PaperSize;
  /** Dashboards, panels as `overview/volume`, or boards as `board/…`. */
  content: readonly string[];
  /** Those that are named. */
  boards?: readonly BoardLayout[] | undefined;
  stamps: readonly string[];
  restated?: Restated | undefined;
  /** By default everything. */
  length?: Length;
  /** Panels that are split: `volume.group`. */
  split?: readonly string[];
  /** Several groups, agents, tags or values of a variable are one number, as digests have them. */
  isTogether?: boolean;
  /** Saved queries of the boards; missing: they are left out, which the document says. */
  queries?: readonly AnsweredQuery[] | undefined;
}

/** The dashboards of a digest with their selected panels, in the order of the pages, followed by its boards. */
export function wantedOf({ content, boards = [] }: Pick<DocumentOrder, 'content' | 'boards'>): Dashboard[] {
  const pages = dashboards.flatMap((dashboard) => {
    if (content.includes(dashboard.id)) return [dashboard];
    const panels = dashboard.panels.filter(({ id }) => content.includes(`${dashboard.id}/${id}`));
    return panels.length > 0 ? [{ ...dashboard, panels }] : [];
  });
  return [...pages, ...boards.map(pageOfBoard).filter(({ id }) => content.includes(id))];
}

/** What the document omits of the named boards, as sentences. */
function unshownIn({ content, boards = [], queries }: DocumentOrder, agents: SeesAgents): string[] {
  const lost = content.filter((name) => boardNamed(name) && !boards.some(({ id }) => id === boardNamed(name)));
  const left = boards.flatMap((board) => [
    ...boardFor(board, agents).unshown,
    ...(queries ? [] : queriesLeftOut(queriesOn(board), 'document')),
  ]);
  return [...left, ...(lost.length ? [words.boardGone] : [])];
}

/** What the reader of a document may see of single agents. */
const seesAgents = ({ rows = {} }: Reader): SeesAgents => ({
  isShown: !rows.hides_agents && !rows.own_figures,
  isRanked: rows.agents_from === undefined,
});

/** The panels in the hours that count, as the order splits them, of the groups that the reader may see. */
const asSplit = (
  panels: Panel[],
  { scope, groups }: DigestQuestions,
  { split = [], isTogether = true }: DocumentOrder,
  names: NamesBySplit,
): Panel[] => {
  const { agent, tag, variable, hours } = scope.filters;
  const chosen = { group: groups.map(String), agent: [...agent], tag: [...tag], variable: [...variable] };
  const choice = { ...chosen, split: [...split], isTogether };
  return underHours(panels, hours).map((panel) =>
    splitUnder(panel, choice, described(metricOf(panel.metric)), names['variable']),
  );
};

const keyOf = ({ picture, metric, measures, split = [] }: Panel): string =>
  [picture, metric, measures[0]?.measure, ...split].join(' ');

/** Whether each day of the period is there. */
async function isPulled(asking: DigestQuestions): Promise<boolean> {
  const chats = await asking.ask({ metric: everyChat.id, grain: 'asked' });
  return chats.kind === 'answered' && !lacksPulled([chats.answer]);
}

export async function digestDocument(asking: DigestQuestions, order: DocumentOrder): Promise<DigestDocument> {
  const { title, language, paper } = order;
  const names = await namesIn(asking.context);
  const wanted = wantedOf(order);
  const agents = seesAgents(asking.context.reader);
  const queries = shownQueries(order.queries ?? [], { names, locale: language });
  const sections: Section[] = [];
  // The overview shows panels of other pages too: each is shown once.
  const seen = new Set<string>();
  const isNew = (panel: Panel): boolean => {
    const key = keyOf(panel);
    return !seen.has(key) && seen.add(key).size > 0;
  };
  for (const dashboard of wanted) {
    // A digest covers a past period: panels about the current day are for the screen. Changes are already on the first page; their panel
    // is drawn only if selected explicitly.
    const own = panelsFor(asSplit(dashboard.panels, asking, order, names), agents).filter(
      (panel) =>
        panel.span !== 'today' &&
        panel.span !== 'week_ago' &&
        (panel.picture !== 'changes' ||
          panel.home !== undefined ||
          order.content.includes(`${dashboard.id}/${panel.id}`)) &&
        // Panels placed on a board by hand are shown there, even if they appear elsewhere.
        (isNew(panel) || panel.home !== undefined),
    );
    const tiles = own.filter(({ picture }) => picture === 'tile');
    const charts = own.filter(({ picture }) => picture !== 'tile');
    sections.push({
      title: dashboard.title,
      sentence: dashboard.sentence,
      keyFigures: await Promise.all(tiles.map((panel) => keyFigure(asking, panel, language))),
      panels: await Promise.all(charts.map((panel) => shown(asking, dashboard, panel))),
      queries: queries.filter(({ board }) => board === dashboard.id),
    });
  }
  const told = sections.flatMap((section) => section.keyFigures);
  const clear = await clearChanges(asking, told, { names, locale: language, agents });
  const change = await changeOf(asking, names);
  const metrics = new Set([
    everyChat.id,
    ...wanted.flatMap(({ panels }) => underHours(panels, asking.scope.filters.hours).flatMap(metricsOf)),
  ]);
  const definitions = catalogue().filter(({ id }) => metrics.has(id));
  const [first, ...others] = sections;
  return {
    title,
    language,
    paper,
    dated: asking.context.snapshot.published_at,
    cover: coverOf(asking, order, {
      names,
      count: definitions.length,
      hours: await businessHoursText(asking, names, language),
      isPulled: await isPulled(asking),
    }),
    stamps: [...order.stamps, ...unshownIn(order, agents)],
    length: order.length ?? 'full',
    keyFigures: first?.keyFigures ?? [],
    clear,
    ...(change ? { change } : {}),
    ...(order.restated ? { restated: order.restated } : {}),
    sections: first ? [{ ...first, keyFigures: [] }, ...others] : [],
    definitions: definitions.map(({ id, title, version, definition }) => ({ id, title, version, definition })),
    names,
    targets: asking.judged,
  };
}

export const metricsOf = (panel: Panel): string[] => [
  panel.metric,
  ...panel.measures.flatMap(({ metric }) => metric ?? []),
];

async function keyFigure(asking: DigestQuestions, panel: Panel, locale: string): Promise<KeyFigure> {
  // The daily line is needed to judge the change, as on the pages.
  const [outcome, ...rest] = await Promise.all(
    questions(panel).map((question) => asking.ask({ ...question, of: panel })),
  );
  const { title, sentence } = panel;
  if (outcome?.kind !== 'answered')
    return {
      title,
      sentence,
      panel,
      figures: [{ text: silence({ kind: 'not_given' }), kind: 'not_given', reason: outcome?.message ?? '' }],
    };
  const { figures, basis, note, target } = tile(panel, [outcome.answer, ...rest.flatMap(answered)], {
    ...{ locale, targets: shownTargets(asking.judged) },
  });
  return {
    ...{ title, sentence, panel, figures, answer: outcome.answer },
    ...(basis === undefined ? {} : { basis }),
    ...(note === undefined ? {} : { note }),
    ...(target === undefined ? {} : { target }),
  };
}

const answered = (outcome: QuestionResult): Answer[] => (outcome.kind === 'answered' ? [outcome.answer] : []);

async function shown(asking: DigestQuestions, { id: dashboard }: Dashboard, panel: Panel): Promise<Shown> {
  const outcomes = await Promise.all(questions(panel).map((question) => asking.ask({ ...question, of: panel })));
  const refused = outcomes.find((outcome) => outcome.kind === 'refused');
  const answers = outcomes.flatMap(answered);
  if (refused) return { panel, dashboard, answers, nothing: words.nothing(refused.message) };
  const measures = drawnOf(panel).measures.map(({ measure }) => measure);
  if (isSilent(answers, measures)) {
    const why = measures.map((measure) => answers[0]?.not_given?.[measure]).find(Boolean);
    const least = toldFrom(answers);
    const none = isNotPulled(answers) ? words.notPulled : words.nothingYet;
    const told = least === undefined ? none : silences.toldFrom(least);
    return { panel, dashboard, answers, nothing: why ? words.nothing(why) : told };
  }
  return { panel, dashboard, answers };
}

/** The panel as drawn: some pictures show one measure at a time. */
export const drawnOf = (panel: Panel): Panel =>
  isOneAtATime(panel) ? { ...panel, measures: panel.measures.slice(0, 1) } : panel;
