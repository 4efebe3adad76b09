// Every way in which two engines spell SQL differently, and nothing else.
import type { Value } from './engine.ts';
import type { ColumnType } from './tables/tables.ts';

/** A column of an open file; `type` as the engine names it. */
export interface FileColumn {
  name: string;
  type: string;
}

/** A column as every engine knows it; `huge`: a whole number of 128 bits. */
export interface CheckedColumn {
  name: string;
  type: ColumnType | 'huge';
}

/** The length of a period. `total` is the whole range as one period. */
export type Grain = 'hour' | 'day' | 'week' | 'month' | 'total';

/** A part of local time by which chats can be split: `mon`…`sun`, `00`…`23`. */
export type LocalPart = 'weekday' | 'hour_of_day';

/**
 * Local time is the engine's own type for a wall-clock time; it is derived from whole quarter hours, so that the engine's time-zone rules
 * are never used (see zone.ts).
 */
export interface Dialect {
  readonly name: string;
  type(type: ColumnType, nullable: boolean): string;
  /** The engine's name for the type in descriptions of columns; `local`: a local time. */
  typeName(type: ColumnType | 'local'): string;
  /** A named parameter of a type. */
  param(name: string, type: ColumnType): string;
  /** A value written out, for views. */
  literal(value: Value, type: ColumnType): string;
  /** A table of one column `quarter` with every whole number from `first` up to, not including, `last`. */
  quarters(first: string, last: string): string;
  /** In a list of columns: the row again for every whole number from `first` up to, not including, `last`. */
  rowForEach(first: string, last: string): string;
  /** An aggregate that changes when values of the columns change, independent of the order of rows. */
  fingerprint(columns: readonly string[]): string;
  /** An aggregate, a text, that every engine makes the same of the same rows, in whatever order. */
  checksum(columns: readonly CheckedColumn[]): string;
  /** A pseudonym of a text: stable under one secret, and not invertible without it. */
  pseudonym(text: string, secret: string): string;
  /** A text that is another one where the text is, of the same length whatever that is. */
  digest(text: string): string;
  /** A text of as many of a character as another text has characters. */
  filled(character: string, text: string): string;
  /** The whole number that a text of a row writes; rows that a statement leaves out may have other texts there. */
  numberIn(text: string): string;
  /** How many characters a text has. */
  characters(text: string): string;
  /** As many characters of a text as `length`, from `first` on; the first one is 1. */
  slice(text: string, first: string, length: number): string;
  /** A text without the spaces around it. */
  trimmed(text: string): string;
  /** The place at which a text holds another in whatever case, in characters from 1; 0: nowhere. */
  placeOf(words: string, text: string): string;
  /** A number rounded to a whole one, halves away from zero. */
  rounded(number: string): string;
  /** A window function: a value of the row before, null at the beginning. `window`: `order by …`. */
  before(value: string, window: string): string;
  /** The same of the row after. */
  after(value: string, window: string): string;
  /** How many times a number fits whole into another. */
  wholes(number: string, size: number): string;
  /** The Unix second of an instant, with its fraction. */
  second(instant: string): string;
  /** Number of days since 1970-01-01. */
  dayNumber(date: string): string;
  /** The quarter hour that holds a Unix second. */
  quarterOf(second: string): string;
  /** Local wall-clock time of a local quarter hour (quarter + shift of the zone). */
  localTime(quarter: string): string;
  /** Local wall-clock time that a text writes as the API does, or at which a date begins. */
  localOf(text: string): string;
  /** Local wall-clock time of a local Unix second (second + shift of the zone). */
  localMoment(second: string): string;
  /** Start of the period that holds a local time or a date. */
  period(local: string, grain: Exclude<Grain, 'total'>): string;
  /** The label of a period's start, as the API writes it. */
  label(period: string, grain: Exclude<Grain, 'total'>): string;
  /** 1 (Monday) to 7, or 0 to 23. */
  localPart(local: string, part: LocalPart): string;
  /** Writes rows to a file. `from`: a table and a condition on its rows. */
  writeRows(columns: readonly FileColumn[], from: string, file: string): string;
  /** A select over the rows of such files, with typed values; without files, it has no rows. */
  rowsOf(columns: readonly FileColumn[], files: readonly string[]): string;
  /**
   * Aggregates a text over all rows, or rows that match `where`, separated by `; `; null without rows. Duplicates at the same place of
   * the order are dropped.
   */
  joined(text: string, order: string, where?: string): string;
  /** An aggregate: texts in an order, with a text between them; null without rows. */
  inOrder(text: string, order: string, between: string): string;
  /** An aggregate: the value of the last row by an order. */
  last(value: string, order: string): string;
  /** An aggregate of whole numbers: every bit that any of them has. */
  anyBits(column: string): string;
  /** A condition: two whole numbers have a bit in common. */
  shareBits(one: string, other: string): string;
  /** Joins at most one row: the one that meets `same` with the largest `column` not above `value`. */
  joinLatest(table: string, same: string, column: string, value: string): string;
  /** Of conditions on a joined table that follow from its join, those that a statement has to write: the engine works out the others. */
  impliedByJoin(conditions: readonly string[]): readonly string[];
  quantile(expression: string, q: number): string;
  /** Several at once: a list, in the order asked. */
  quantiles(expression: string, qs: readonly number[]): string;
  /** The element of a list; the first is 1. */
  element(list: string, place: number): string;
}
