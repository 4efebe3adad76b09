// Every way in which two engines spell SQL differently, and nothing else.
import type { Value } from './engine.ts';
import type { ColumnType } from './tables/tables.ts';

/** A column of an open file; `type` as the engine names it. */
export interface FileColumn {
  name: string;
  type: string;
}

/** What a period is as long as. `total` is the whole range as one period. */
export type Grain = 'hour' | 'day' | 'week' | 'month' | 'total';

/** A part of local time by which chats can be split: `mon`…`sun`, `00`…`23`. */
export type LocalPart = 'weekday' | 'hour_of_day';

/**
 * Local time is an engine's own value for a wall-clock moment; it comes from whole quarter hours, so the engine's
 * time-zone rules are never asked (see zone.ts).
 */
export interface Dialect {
  readonly name: string;
  type(type: ColumnType, nullable: boolean): string;
  /** The same, as the engine names it when it tells of a column; `local`: a local time. */
  typeName(type: ColumnType | 'local'): string;
  /** A named parameter of a type. */
  param(name: string, type: ColumnType): string;
  /** A value written out, for views. */
  literal(value: Value, type: ColumnType): string;
  /** A table of one column `quarter` with every whole number from `first` up to, not including, `last`. */
  quarters(first: string, last: string): string;
  /** In a list of columns: the row again for every whole number from `first` up to, not including, `last`. */
  rowForEach(first: string, last: string): string;
  /** An aggregate that is another text when the values of the columns are others, in whatever order the rows lie. */
  fingerprint(columns: readonly string[]): string;
  /** A text that stands for another: always the same under one secret, and told by nobody who does not have that. */
  pseudonym(text: string, secret: string): string;
  /** A text that is another one where the text is, of the same length whatever that is. */
  digest(text: string): string;
  /** A text of as many of a character as another text has characters. */
  filled(character: string, text: string): string;
  /** How many times a number fits whole into another. */
  wholes(number: string, size: number): string;
  /** The Unix second of an instant, with its fraction. */
  second(instant: string): string;
  /** How many days a date lies after 1970-01-01. */
  dayNumber(date: string): string;
  /** The quarter hour that holds a Unix second. */
  quarterOf(second: string): string;
  /** Local wall-clock time of a local quarter hour (quarter + shift of the zone). */
  localTime(quarter: string): string;
  /** Local wall-clock time of a local Unix second (second + shift of the zone). */
  localMoment(second: string): string;
  /** Start of the period that holds a local time or a date. */
  period(local: string, grain: Exclude<Grain, 'total'>): string;
  /** The label of a period's start, as the API writes it. */
  label(period: string, grain: Exclude<Grain, 'total'>): string;
  /** 1 (Monday) to 7, or 0 to 23. */
  localPart(local: string, part: LocalPart): string;
  /** Writes rows to a file of their own. `from`: a table, and which of its rows. */
  writeRows(columns: readonly FileColumn[], from: string, file: string): string;
  /** A select of the rows in such files, each value of its type; without files of no row. */
  rowsOf(columns: readonly FileColumn[], files: readonly string[]): string;
  /**
   * Aggregates put to one text: those of all rows, or of rows that `where` says, with `; ` between them; null without a row.
   * The same text at the same place of the order stands once.
   */
  joined(text: string, order: string, where?: string): string;
  /** An aggregate: the value in the row that comes last by an order. */
  last(value: string, order: string): string;
  /** An aggregate of whole numbers: every bit that any of them has. */
  anyBits(column: string): string;
  /** A condition: two whole numbers have a bit in common. */
  shareBits(one: string, other: string): string;
  /** A join with the one row at most that fulfils `same` and whose `column` is the largest that is not above `value`. */
  joinLatest(table: string, same: string, column: string, value: string): string;
  quantile(expression: string, q: number): string;
  /** Several at once: a list, in the order asked. */
  quantiles(expression: string, qs: readonly number[]): string;
  /** The element of a list; the first is 1. */
  element(list: string, place: number): string;
}
