// How workbooks show numbers: as pages do, while a cell keeps all digits.
import type { Unit } from '#dashboards/panel.ts';
import { unitOf, type MeasureColumn } from './measure-columns.ts';

/** By the name that a column says; `head` is the first row. */
export const formatCodes = {
  general: 'General',
  head: 'General',
  moment: 'yyyy\\-mm\\-dd\\ hh:mm:ss',
  whole: '#,##0',
  fraction: '#,##0.0',
  score: '0.000',
  money: '#,##0.00',
  share: '0.0%',
} as const;

export type SheetFormat = Exclude<keyof typeof formatCodes, 'head'>;

export interface SheetColumn {
  title: string;
  format: SheetFormat;
}

export const sheetFormats: Readonly<Record<Unit, SheetFormat>> = {
  ...{ count: 'whole', seconds: 'fraction', hours: 'fraction', share: 'share', score: 'score', money: 'money' },
};

const measured: readonly string[] = ['seconds', 'hours', 'share', 'score', 'money'] satisfies Unit[];

/** Of a measure's unit. Counts may be means (“chats” of concurrent chats), so they are shown as they are. */
export const formatOf = (unit: string): SheetFormat =>
  measured.includes(unit) ? sheetFormats[unit as Unit] : 'general';

/** A column of texts or dates. */
export const general = (title: string): SheetColumn => ({ title, format: 'general' });

export const shownAs = ({ metric, measure }: MeasureColumn): SheetFormat => formatOf(unitOf(metric, measure));
