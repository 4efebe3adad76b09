// What a table is: columns in neutral types, key and comment; and the columns that many tables share.
// No engine word stands here; how a type is spelled is the dialect's business.

/** Neutral column types: `instant` is a UTC moment, `date` a local calendar day, `label` a period label as the API writes it. */
export type ColumnType = 'text' | 'int' | 'bigint' | 'double' | 'decimal' | 'bool' | 'date' | 'instant';

/**
 * `pseudonym`: another id, the same wherever the visitor's was. `name`: that a name was there. `visitors_name`: the same where
 * a visitor is the author. `dots`: as many as there were characters.
 */
type ErasedAs = 'pseudonym' | 'name' | 'visitors_name' | 'dots';

/** What somebody wrote, who a visitor is, or both: then it goes with whichever goes first. Fields of records say it too (`etl/erased/record.ts`). */
export type Tells = 'texts' | 'names' | 'both';

export interface Column {
  type: ColumnType;
  comment: string;
  /** True when the source may not say it. */
  nullable?: boolean;
  /** True when it says who a visitor is, or holds words that somebody wrote. */
  personal?: boolean;
  /** What takes its place when the visitor is erased; without it nothing does, and a personal column is emptied. */
  erased?: ErasedAs;
  /** Of a personal column: what it tells, and so with what of an old chat it goes; by default `names`. */
  tells?: Tells;
  /** True when it says which agent. */
  namesAgent?: boolean;
}

export interface Table {
  schema: 'facts' | 'reports' | 'account' | 'ledger' | 'raw';
  name: string;
  comment: string;
  columns: Readonly<Record<string, Column>>;
  /** The columns that make a row the same row when it is loaded again. */
  key: readonly string[];
  /** Columns in which rows are kept sorted when a file is written anew. */
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
export const ofAgent = (column: Column): Column => ({ ...column, namesAgent: true });

export const account = text('account id, the only one by default is "default"');
export const chatId = text('chat id as the archive gives it (a thread id of the v3 APIs)');
export const startedAt = instant('when the chat started (UTC)');
export const startedQuarter = int(
  'quarter hours since 1970-01-01 UTC in which the chat started: floor(epoch seconds / 900)',
);

export const pulledAt = instant('when the answer was received (UTC)');
