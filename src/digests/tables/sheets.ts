// The numbers of a document as typed tables, unrounded: one of the key figures, then one of each panel.
import { comparedDays } from '#dashboards/comparison.ts';
import { figure, numberOf, type Answer, type AnswerRow } from '#dashboards/answer.ts';
import { inAllHours } from '#dashboards/all-hours.ts';
import type { Panel } from '#dashboards/panel.ts';
import { soldRow } from '#dashboards/sold.ts';
import { splitTitle } from '#dashboards/split-panel.ts';
import { columnOf } from '#dashboards/variables.ts';
import { shownDays, targetOf, type TargetDay } from '#dashboards/targets.ts';
import { periodCell, type SheetValue } from './cells.ts';
import { querySheet } from './query-sheet.ts';
import { columnsOf, ownColumns, unitOf } from './measure-columns.ts';
import { comparedColumns } from './compared-columns.ts';
import { formatOf, general, shownAs, type SheetColumn, type SheetFormat } from './number-formats.ts';
import type { DigestDocument, KeyFigure, Shown } from '../document.ts';
import { silence, words as spoken } from '#dashboards/words.ts';
import { whyNone } from '#dashboards/pictures/telling.ts';
import { plainText } from '../plain-text.ts';

export interface Sheet {
  /** Its position and panel, such as `3-overview-volume`. */
  name: string;
  title: string;
  columns: string[];
  /** How the numbers of each column are shown in a workbook; `row`: as `rowFormats` says. Without it, as they are. */
  formats?: readonly (SheetFormat | 'row')[];
  rowFormats?: readonly SheetFormat[];
  rows: SheetValue[][];
}

/** The source of tables: a document, or one panel of a page. */
export type Tabled = Pick<DigestDocument, 'dated' | 'keyFigures' | 'sections' | 'names' | 'targets'> & {
  cover: { label: string };
};

export function sheetsOf(document: Tabled): Sheet[] {
  const tiles = [...document.keyFigures, ...document.sections.flatMap((section) => section.keyFigures)];
  const below = document.sections.map(({ panels, queries = [] }) => [
    ...panels.map((shown) => panelSheet(shown, document)),
    ...queries.map(querySheet),
  ]);
  const sheets = [...(tiles.length > 0 ? [keyFigureSheet(tiles, document)] : []), ...below.flat()];
  const digits = String(sheets.length).length;
  return sheets.map((sheet, at) => ({ ...sheet, name: `${String(at + 1).padStart(digits, '0')}-${sheet.name}` }));
}

/** Where a value is missing, the last column says why. */
function keyFigureSheet(tiles: readonly KeyFigure[], { cover, targets }: Tabled): Sheet {
  const hasTargets = tiles.some(({ panel }) => targetOf(panel, targets) !== undefined);
  const figures = tiles.flatMap((tile): { cells: SheetValue[]; why: string | null; format: SheetFormat }[] => {
    const { title, panel, answer } = tile;
    const measure = panel.measures[0]?.measure ?? '';
    const unit = unitOf(panel.metric, measure);
    const format = formatOf(unit);
    const rows = panel.split?.[0]
      ? (answer?.rows ?? []).filter((row) => row['currency'])
      : (answer?.rows ?? []).slice(0, 1);
    const judged = targetOf(panel, targets);
    const wanted = judged ? [judged.days.at(-1)?.share ?? null, judged.met, judged.met + judged.missed] : [];
    const judgedCells = hasTargets ? (judged ? wanted : [null, null, null]) : [];
    if (rows.length === 0)
      return [{ cells: [title, null, unit, null, null, ...judgedCells], why: whyBlank(tile), format }];
    return rows.map((row) => {
      const currency = row['currency'] == null ? null : plainText(String(row['currency']));
      const same = answer?.compare?.rows.find((it) => currency === null || it['currency'] === currency);
      const before = currency === null ? same : soldRow(answer?.compare, same, measure);
      const now = figure(answer ?? {}, row, measure);
      const cells = [title, numberOf(now), currency ?? unit, numberOf(figure({}, before, measure)), row.state];
      return { cells: [...cells, ...judgedCells], why: now.kind === 'number' ? null : plainText(whyNone(now)), format };
    });
  });
  const hasBlanks = figures.some(({ why }) => why !== null);
  const columns = [
    'key figure',
    `value (${cover.label})`,
    'unit',
    `value (${comparedDays(tiles.map(({ answer }) => answer))})`,
    'state',
    ...(hasTargets ? ['target', 'days met', 'days judged'] : []),
    ...(hasBlanks ? ['why there is no value'] : []),
  ];
  const rows = figures.map(({ cells, why }) => (hasBlanks ? [...cells, why] : cells));
  const formats = [
    ...(['general', 'row', 'general', 'row', 'general'] as const),
    ...(hasTargets ? (['share', 'whole', 'whole'] as const) : []),
  ];
  return {
    ...{ name: 'key-figures', title: 'Key figures', columns, rows },
    ...{ formats, rowFormats: figures.map(({ format }) => format) },
  };
}

/** As on the page of the key figure. */
const whyBlank = ({ figures: [shown] }: KeyFigure): string =>
  shown ? plainText(shown.reason ? `${shown.text}: ${shown.reason}` : shown.text) : silence({ kind: 'no_data' });

/** Splits whose values are keys unknown to readers. */
const named: readonly string[] = ['agent', 'group', 'goal'];

/** On a board a panel's id names its page too. */
const nameOf = (dashboard: string, { id, home, metric }: Panel): string =>
  (home === undefined ? `${dashboard}-${id}` : id) + (inAllHours(metric) === metric ? '' : '-business-hours');

const hasPeriods = ({ rows }: Answer): boolean => rows.some(({ period }) => period !== undefined);

/** A change divided by several splits: one row of each value of each split, now and before. */
function dividedSheet({ panel, dashboard, answers: asked }: Shown, document: Tabled): Sheet {
  // Its periods are those of another panel.
  const answers = asked.filter((it) => !hasPeriods(it));
  const measures = ownColumns(panel);
  const columns = measures.flatMap(({ head }) => [head, `${head}, ${comparedDays(answers)}`]);
  const rows = answers.flatMap(({ metric, split = [], rows: own, compare, not_given }) =>
    own.map((row): SheetValue[] => {
      const [by = ''] = split;
      const key = row[by] == null ? null : plainText(String(row[by]));
      const before = compare?.rows.find((it) => (it[by] ?? null) === (row[by] ?? null));
      const numbers = measures.flatMap((it): SheetValue[] =>
        it.metric === metric
          ? [
              numberOf(figure({ ...(not_given ? { not_given } : {}) }, row, it.measure)),
              numberOf(figure({}, before, it.measure)),
            ]
          : [null, null],
      );
      return [
        by || 'all',
        key,
        key === null ? null : plainText(document.names[by]?.[key] ?? key),
        ...numbers,
        row.state,
      ];
    }),
  );
  return {
    name: nameOf(dashboard, panel),
    title: panel.title,
    columns: ['by', 'value', 'name', ...columns, 'state'],
    formats: ['general', 'general', 'general', ...measures.map(shownAs).flatMap((format) => [format, format])],
    rows,
  };
}

function panelSheet(shown: Shown, document: Tabled): Sheet {
  const { panel, dashboard } = shown;
  if (panel.by) return dividedSheet(shown, document);
  const measures = columnsOf(panel);
  const splits = panel.split ?? [];
  const hasPeriod = shown.answers.some(hasPeriods);
  // A split panel asks for the whole range as well.
  const answers = hasPeriod ? shown.answers.filter(hasPeriods) : shown.answers;
  const before = comparedColumns(measures, splits.map(columnOf), answers);
  const judged = hasPeriod ? judgedIn(panel, answers[0], document) : undefined;
  const keyOf = (row: AnswerRow): string =>
    JSON.stringify([row.period ?? null, ...splits.map((split) => row[columnOf(split)] ?? null)]);
  const byMetric = new Map(
    answers.map((answer): [string, [Answer, Map<string, AnswerRow>]] => [
      answer.metric,
      [answer, new Map(answer.rows.map((row) => [keyOf(row), row]))],
    ]),
  );
  const keys = new Map(
    answers.flatMap(({ rows }) => rows.map((row): [string, AnswerRow] => [keyOf(row), row])).reverse(),
  );
  const ordered = [...keys].reverse();
  const name = (split: string, row: AnswerRow): SheetValue[] => {
    const of = row[columnOf(split)];
    const key = of == null ? null : plainText(String(of));
    if (!named.includes(split)) return [key];
    return [key, key === null ? null : plainText(document.names[split]?.[key] ?? key)];
  };
  const columns: SheetColumn[] = [
    ...(hasPeriod ? [general('period')] : []),
    ...splits.flatMap((split) =>
      named.includes(split)
        ? [general(split), general(`${split} name`)]
        : [general(plainText(spoken.splits[split] ?? splitTitle(split, document.names['variable'])))],
    ),
    ...measures.map((it) => ({ title: it.head, format: shownAs(it) })),
    ...before.columns,
    general('state'),
    ...(judged ? [{ title: 'target (share)', format: 'share' as const }, general('target met')] : []),
  ];
  const rows = ordered.map(([key, row]): SheetValue[] => [
    ...(hasPeriod ? [periodCell(String(row.period ?? ''))] : []),
    ...splits.flatMap((split) => name(split, row)),
    ...measures.map(({ metric, measure }) => {
      const [answer, own] = byMetric.get(metric) ?? [];
      return answer ? numberOf(figure(answer, own?.get(key), measure)) : null;
    }),
    ...before.cells(row),
    row.state,
    ...(judged ? targetCells(judged.get(String(row.period ?? ''))) : []),
  ]);
  return {
    ...{ name: nameOf(dashboard, panel), title: panel.title, rows },
    ...{ columns: columns.map(({ title }) => title), formats: columns.map(({ format }) => format) },
  };
}

/** By day, where a target was in force on some of them, as the answer counts. */
function judgedIn(panel: Panel, answer: Answer | undefined, { targets }: Tabled): Map<string, TargetDay> | undefined {
  const found = answer?.grain === 'day' ? targetOf(panel, targets) : undefined;
  const days = found ? shownDays(found, answer?.target) : [];
  return days.length > 0 ? new Map(days.map((it) => [it.day, it])) : undefined;
}

const metWords = { met: 'yes', missed: 'no', too_few: 'too few', open: 'open', unknown: null } as const;
const targetCells = (it: TargetDay | undefined): SheetValue[] => (it ? [it.share, metWords[it.verdict]] : [null, null]);
