// What a picture is: charts for the eye, a table and a sentence for everyone, and tips as values, so text never becomes markup.
import type { NamesBySplit } from '../names.ts';
import type { EChartsCoreOption } from 'echarts/core';
import type { Cell } from '../cell.ts';
import type { Theme, ThemeToken } from '../theme.ts';
import type { ShownTargets } from './target-line.ts';
import type { ShownTeam } from './team-band.ts';

/** How a picture is to be drawn and read. */
export interface Setting {
  theme: Theme;
  locale: string;
  /** Names for keys of a split, such as logins: `names.agent['ann@example.com']`. */
  names?: NamesBySplit;
  /** What is noted on local days; drawn as flags on every time axis. */
  notes?: { day: string; text: string }[];
  /** What is wanted of its numbers; nothing where there are no targets. */
  targets?: ShownTargets | undefined;
  /** The colleagues of the agent whose numbers they are. */
  team?: ShownTeam | undefined;
}

export interface TipLine {
  token?: ThemeToken;
  name: string;
  value: string;
  /** What its receipt is asked by. */
  cell?: Cell | undefined;
}

/** What a tooltip says for one point; `note` names the state. */
export interface Tip {
  title: string;
  lines: TipLine[];
  note?: string;
}

export interface Chart {
  title?: string;
  option: EChartsCoreOption;
  /** By data index. */
  tips: Tip[];
  /** What a point hits: a place on the horizontal axis, one on the vertical axis, a cell of both, row by row, or a mark alone. */
  hits: 'column' | 'row' | 'cell' | 'mark';
  height: number;
}

export interface KeyEntry {
  token: ThemeToken;
  label: string;
  mark: 'line' | 'dash' | 'fill' | 'band' | 'hatch' | 'cross';
}

/** A cell of the table twin; `kind` lets zero, no data, not pulled and not given look different. */
export interface TableCell {
  text: string;
  kind: 'head' | 'text' | 'number' | 'no_data' | 'not_pulled' | 'not_given' | 'too_few' | 'withheld';
  unsettled?: boolean;
  /** What its receipt is asked by; of a head what the page can be narrowed to. */
  cell?: Cell | undefined;
}

export interface PictureTable {
  columns: { title: string; numeric: boolean }[];
  rows: TableCell[][];
}

export interface Picture {
  charts: Chart[];
  key: KeyEntry[];
  table: PictureTable;
  summary: string;
}
