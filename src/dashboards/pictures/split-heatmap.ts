// A heatmap split by its reader: one for each of the largest values, all on one scale; the table lists every value.
import { figure, numberOf, type Answer, type AnswerRow } from '../answer.ts';
import type { Panel } from '../panel.ts';
import { splitTitle } from '../split-panel.ts';
import { columnOf } from '../variables.ts';
import { words } from '../words.ts';
import {
  answerOf,
  chartOf,
  columnsOf,
  extremesOf,
  fewWords,
  hourOf,
  HOURS,
  keyOf,
  nameOf,
  scaleIn,
  weekOf,
  type Week,
} from './heatmap.ts';
import { shades } from './heatmap-shades.ts';
import type { Picture, Setting, TableCell } from './picture.ts';
import { nameIn } from './ranking.ts';
import { splitWords } from './split-words.ts';
import { capital } from './telling.ts';

/** More of them are not compared by eye. */
const MOST = 4;

interface WeekOfValue extends Week {
  name: string;
  /** The count that ranks it: chats behind its hours, or what the hours count. */
  size: number;
}

/** Draws the first measure; for panels with several, the reader chooses the measure. */
export function splitHeatmap(panel: Panel, answers: Answer[], setting: Setting): Picture {
  const weeks = weeksOf(panel, answerOf(panel, answers), setting);
  const known = weeks.filter(({ numbers }) => numbers.some((value) => value !== null));
  const shown = known.slice(0, MOST);
  const steps = shades(scaleIn(shown));
  return {
    charts: shown.map((week) => ({ title: week.name, ...chartOf(panel, week, steps, setting) })),
    key: keyOf(
      panel,
      steps,
      shown.flatMap(({ numbers }) => numbers),
      setting,
    ),
    table: {
      columns: [
        { title: capital(splitTitle(panel.split?.[0] ?? '', setting.names?.['variable'])), numeric: false },
        { title: words.hour, numeric: false },
        ...columnsOf(shown[0] ?? weekOf(panel, answerOf(panel, answers)), setting),
      ],
      rows: known.flatMap((week) =>
        HOURS.map((hour) => [head(week.name), head(`${hour}:00`), ...hourOf(panel, week, hour, setting)]),
      ),
    },
    summary: [
      ...(shown.length > 0
        ? shown.map((week) => `${extremesOf(`${week.name}, ${nameOf(panel)}`, panel, week, setting)}.`)
        : [words.nothing]),
      ...fewWords(panel, shown),
      ...(known.length > shown.length ? [splitWords.more(known.length - shown.length)] : []),
    ].join(' '),
  };
}

const head = (text: string): TableCell => ({ text, kind: 'head' });

function weeksOf(panel: Panel, answer: Answer | undefined, setting: Setting): WeekOfValue[] {
  const [split = ''] = panel.split ?? [];
  const by = columnOf(split);
  const keyOf = (row: AnswerRow) => (row[by] == null ? null : String(row[by]));
  const counted = panel.basis?.measure ?? panel.measures[0]?.measure ?? '';
  const weeks = [...Map.groupBy(answer?.rows ?? [], keyOf)].map(([key, rows]) => ({
    ...weekOf(panel, answer && { ...answer, rows }),
    name: nameIn(split, { state: 'complete', [by]: key }, setting),
    size: rows.reduce((sum, row) => sum + (numberOf(figure({}, row, counted)) ?? 0), 0),
  }));
  const { compare } = new Intl.Collator(setting.locale);
  return weeks.sort((one, other) => (panel.byName ? compare(one.name, other.name) : other.size - one.size));
}
