// What a saved query is run with, and what it gives, as values: of a page, a board or a document.

export type QueryValues = Record<string, string | number | boolean | null>;

/** Values of cells in order of the columns; large integers, decimals and times are texts. */
export interface ResultTable {
  /** Types as the engine names them. */
  columns: { name: string; type: string }[];
  rows: unknown[][];
}
