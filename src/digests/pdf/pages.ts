// Turns a document into the template's input: one JSON value and the drawings. Every text is a value, never markup.
import type { Panel } from '#dashboards/panel.ts';
import { draw, type Draw } from '#dashboards/pictures/draw.ts';
import { drawSplit } from '#dashboards/pictures/draw-split.ts';
import { colour } from '#dashboards/pictures/telling.ts';
import type { KeyEntry, Picture, PictureTable } from '#dashboards/pictures/picture.ts';
import type { TileFigure } from '#dashboards/pictures/tile.ts';
import { shownTargets } from '#dashboards/pictures/target-line.ts';
import { light } from '#dashboards/theme.ts';
import { ownBrand } from '../brand.ts';
import { signed, type Contributions } from '../change.ts';
import { drawn } from '../charts.ts';
import { drawnOf, type DigestDocument, type KeyFigure, type Shown } from '../document.ts';
import type { Length } from '../digest.ts';
import { typesetAs } from '../language.ts';
import { breakableText, plainText } from '../plain-text.ts';
import { words as silences } from '#dashboards/words.ts';
import { say } from '#dashboards/numbers.ts';
import type { ShownQuery } from '../shown-queries.ts';
import { words } from '../words.ts';
import { printedBrand } from './brand.ts';
import { families } from './fonts.ts';
import { printedOf } from './print-selection.ts';
import { inRuns, pictureOfQuery } from './query-pages.ts';

/** Pixels that charts are drawn at; on paper they take the width of the text, or half of it. */
const widths = { whole: 720, half: 400 };

/** Files by absolute path, for the typesetter. */
export function pagesOf(document: DigestDocument, brand = ownBrand): Map<string, string> {
  const files = new Map<string, string>();
  const tables: object[] = [];
  const printed = printedOf(document);
  const sections = printed.sections.map((section) => ({
    title: section.title,
    sentence: section.sentence,
    keyFigures: section.keyFigures.map(figureOf),
    panels: section.panels.map((shown) => panelOf(shown, document, files, tables)),
    queries: inRuns(section.queries ?? [], document.language, (query) => queryOf(query, document, files, tables)),
  }));
  const { cover, change, restated, length } = document;
  const page = {
    title: document.title,
    ...typesetAs(document.language),
    paper: document.paper,
    dated: document.dated.slice(0, 19).split(/[-:T]/).map(Number),
    families,
    colours: { ink: light.text, muted: light.muted, hairline: light.hairline, good: light.good, bad: light.bad },
    words,
    brand: printedBrand(brand),
    cover,
    stamps: [...document.stamps, ...printed.stamps],
    length,
    keyFigures: printed.keyFigures.map(figureOf),
    clear: document.clear.map(({ text }) => text),
    contributions:
      change && length !== 'short'
        ? change.contributions
            .filter(({ listed, overlap }) => listed.length > 0 || overlap !== 0)
            .map((it) => contributionRows(it, document.language))
        : [],
    restated: restated ? shortened(restated, length) : null,
    sections,
    tables: length === 'full' ? tables : [],
    definitions: printed.definitions.map((it) => ({ ...it, version: words.version(it.version) })),
  };
  files.set(
    '/document.json',
    JSON.stringify(page, (_key, value: unknown) => (typeof value === 'string' ? breakableText(value) : value)),
  );
  return files;
}

/** Restated figures that a short document has room for. */
const most_restated = 5;

const shortened = ({ intro, lines }: NonNullable<DigestDocument['restated']>, length: Length) => ({
  intro,
  lines: length === 'short' ? lines.slice(0, most_restated) : lines,
  more: length === 'short' && lines.length > most_restated ? words.restated.more(lines.length - most_restated) : null,
});

function contributionRows({ by, listed, others, rest, overlap }: Contributions, locale: string) {
  const rows = [
    ...listed.map(({ name, change }) => [name, signed(change, locale)]),
    ...(others > 0 ? [[words.change.others(others, by), signed(rest, locale)]] : []),
    ...(overlap === 0 ? [] : [[words.change.overlap(by), signed(overlap, locale)]]),
  ];
  const whole = listed.reduce((sum, { change }) => sum + change, rest + overlap);
  return { by, rows, whole: [words.change.whole_row, signed(whole, locale)] };
}

const figureOf = ({ title, sentence, figures, basis, note, target }: KeyFigure) => ({
  title,
  sentence,
  note: note ?? null,
  basis: basis ?? null,
  target: target ?? null,
  figures: figures.map(({ text, kind, reason, change }: TileFigure) => ({
    text,
    isNumber: kind === 'number',
    reason: reason ?? null,
    change: change ? { text: change.text, verdict: change.verdict } : null,
  })),
});

function queryOf(query: ShownQuery, document: DigestDocument, files: Map<string, string>, tables: object[]) {
  const { title, sentence, isHalf, nothing, result, chart } = query;
  const shown = { title, sentence, isHalf };
  if (nothing !== undefined || !result || !chart) return withoutPicture(shown, nothing ?? words.nothingYet);
  return drawnPanel(shown, pictureOfQuery(query, result, chart, document.language), document, files, tables);
}

function panelOf(
  { panel, answers, nothing }: Shown,
  document: DigestDocument,
  files: Map<string, string>,
  tables: object[],
) {
  const { language: locale, names, targets } = document;
  const seconds = answers[0]?.target;
  const within = seconds === undefined ? '' : silences.inTimeMeans(say(seconds, 'seconds', locale));
  const sentence = [panel.sentence, within].filter(Boolean).join(' ');
  const shown = { title: panel.title, sentence, isHalf: panel.half ?? false };
  const picture =
    nothing === undefined
      ? drawAs(panel)(drawnOf(panel), answers, { theme: light, locale, names, targets: shownTargets(targets) })
      : undefined;
  if (!picture || picture.table.rows.length === 0) return withoutPicture(shown, nothing ?? words.nothingYet);
  return drawnPanel(shown, picture, document, files, tables);
}

interface PanelHead {
  title: string;
  sentence: string;
  isHalf: boolean;
}

const withoutPicture = (shown: PanelHead, nothing: string) => ({
  ...shown,
  ...{ nothing, isPaired: false, charts: [], key: [], summary: '', table: null },
});

function drawnPanel(
  shown: PanelHead,
  picture: Picture,
  { language: locale, length }: DigestDocument,
  files: Map<string, string>,
  tables: object[],
) {
  const number = tables.length + 1;
  tables.push({ number, title: shown.title, ...tableOf(picture.table) });
  const setting = { theme: light, locale };
  // Several of a wide panel stand side by side, as on its page.
  const isPaired = !shown.isHalf && picture.charts.length > 1;
  const width = shown.isHalf || isPaired ? widths.half : widths.whole;
  return {
    ...shown,
    nothing: null,
    isPaired,
    charts: picture.charts.map((chart, at) => {
      const path = `/charts/${number}-${at}.svg`;
      files.set(path, plainDrawing(drawn(chart, width)));
      return { path, title: chart.title ?? null, alt: plainText(`${shown.title}. ${picture.summary}`) };
    }),
    key: picture.key.map((entry: KeyEntry) => ({
      label: entry.label,
      mark: entry.mark,
      colour: colour(entry.token, setting),
    })),
    summary: picture.summary,
    table: length === 'full' ? number : null,
  };
}

const drawAs = (panel: Panel): Draw => drawSplit(panel) ?? draw;

/** TRICKY: a drawing with a character that XML does not have is refused as a whole. */
const plainDrawing = (svg: string): string => svg.replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '');

/** Longer names would squeeze the numbers next to them. */
const most_in_name = 26;

/** More rows are pages that nobody reads, and typesetting them takes minutes: the files have them all. */
const most_rows = 1000;

const tableOf = ({ columns, rows }: PictureTable) => ({
  rest: rows.length > most_rows ? words.rest(rows.length - most_rows) : null,
  isLong: rows.some(([name]) => (name?.text.length ?? 0) > most_in_name),
  columns: columns.map(({ title, numeric }) => ({ title, isNumeric: numeric })),
  rows: rows
    .slice(0, most_rows)
    .map((row) => row.map(({ text, kind, unsettled }) => ({ text, kind, isUnsettled: unsettled ?? false }))),
});
