// Definition of a table: columns with neutral types, key and comment, plus the columns that many tables share. Contains no engine's
// words; the dialect knows how types are spelled.

/** Neutral column types: `instant` is a UTC moment, `date` a local calendar day, `label` a period label as the API writes it. */
export type ColumnType = 'text' | 'int' | 'bigint' | 'double' | 'decimal' | 'bool' | 'date' | 'instant';

/**
 * `pseudonym`: another id, the same wherever the visitor's occurred. `name`: a placeholder for a name. `visitors_name`: the same where
 * the author is a visitor. `dots`: one dot per character.
 */
type ErasedAs = 'pseudonym' | 'name' | 'visitors_name' | 'dots';

/**
 * What a column reveals: written text, a visitor's identity, or both, which expires with whichever comes first. Fields of records use it
 * too (`etl/erased/record.ts`).
 */
export type Tells = 'texts' | 'names' | 'both';

export interface Column {
  type: ColumnType;
  comment: string;
  /** True when the source may not say it. */
  nullable?: boolean;
  /** True if it identifies a visitor, or contains written words. */
  personal?: boolean;
  /** What takes its place when the visitor is erased; without it nothing does, and a personal column is emptied. */
  erased?: ErasedAs;
  /** For personal columns: what they reveal, and thus which retention period applies; by default `names`. */
  tells?: Tells;
  /** True if it identifies an agent. */
  namesAgent?: boolean;
  /** Of a report: the fields of the answer that it is made of. */
  fields?: readonly string[];
}

export interface Table {
  schema: 'facts' | 'reports' | 'account' | 'ledger' | 'raw';
  name: string;
  comment: string;
  columns: Readonly<Record<string, Column>>;
  /** Of a report: what the source is asked. */
  request?: string;
  /** The columns that identify a row when it is loaded again. */
  key: readonly string[];
  /** The sort order of rows when a file is rewritten. */
  order: readonly string[];
}

export const text = (comment: string): Column => ({ type: 'text', comment });
export const int = (comment: string): Column => ({ type: 'int', comment });
export const double = (comment: string): Column => ({ type: 'double', comment });
export const decimal = (comment: string): Column => ({ type: 'decimal', comment });
export const bool = (comment: string): Column => ({ type: 'bool', comment });
export const instant = (comment: string): Column => ({ type: 'instant', comment });
export const maybe = (column: Column): Column => ({ ...column, nullable: true });
export const personal = (column: Column): Column => ({ ...column, personal: true });
export const erasedAs = (erased: ErasedAs, column: Column): Column => ({ ...column, erased });
export const telling = (tells: Tells, column: Column): Column => ({ ...column, tells });
export const madeOf = (fields: readonly string[], column: Column): Column => ({ ...column, fields });
export const ofAgent = (column: Column): Column => ({ ...column, namesAgent: true });

export const account = text('account id, the only one by default is "default"');
export const chatId = text('chat id as the archive gives it (a thread id of the v3 APIs)');
export const startedAt = instant('when the chat started (UTC)');
export const startedQuarter = int(
  'quarter hours since 1970-01-01 UTC in which the chat started: floor(epoch seconds / 900)',
);

export const pulledAt = instant('when the answer was received (UTC)');
