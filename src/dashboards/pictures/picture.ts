// A picture: charts, plus a table and a sentence for accessibility, and tooltips as values, so that text never becomes markup.
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
  /** Names of the keys of a split, such as logins: `names.agent['ann@example.com']`. */
  names?: NamesBySplit;
  /** Notes on local days, drawn as flags on every time axis. */
  notes?: { day: string; text: string }[];
  /** Targets of its numbers; undefined without targets. */
  targets?: ShownTargets | undefined;
  /** The colleagues of the agent shown. */
  team?: ShownTeam | undefined;
}

export interface TipLine {
  token?: ThemeToken;
  name: string;
  value: string;
  /** Identifies its receipt. */
  cell?: Cell | undefined;
}

/** The tooltip of one point; `note` names the state. */
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
  /** What a pointer hits: a position on the horizontal axis, one on the vertical axis, a cell of both, row by row, or a single mark. */
  hits: 'column' | 'row' | 'cell' | 'mark';
  height: number;
}

export interface KeyEntry {
  token: ThemeToken;
  label: string;
  mark: 'line' | 'dash' | 'fill' | 'band' | 'hatch' | 'cross';
}

/** A cell of the equivalent table; `kind` distinguishes zero, no data, not pulled and not given. */
export interface TableCell {
  text: string;
  kind: 'head' | 'text' | 'number' | 'no_data' | 'not_pulled' | 'not_given' | 'too_few' | 'withheld';
  unsettled?: boolean;
  /** Identifies its receipt; in a header, the filter that it applies. */
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
