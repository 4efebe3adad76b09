// The rows of a saved query as a table of a file: all that the document has, or why there are none.
import { slugOf } from '../channels/letter.ts';
import { plainText } from '../plain-text.ts';
import type { ShownQuery } from '../shown-queries.ts';
import { words } from '../words.ts';
import type { SheetValue } from './cells.ts';
import { resultCell } from './result-cells.ts';

interface QuerySheet {
  name: string;
  title: string;
  columns: string[];
  rows: SheetValue[][];
}

/** Days alone are dates: a moment would lose its fraction. */
function cellOf(type: string, value: unknown): SheetValue {
  const cell = resultCell(type, value, type === 'DATE');
  return typeof cell === 'boolean' ? String(cell) : cell;
}

/** Two columns of one name are told apart. */
function headsOf(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

export function querySheet({ title, result, nothing, rest }: ShownQuery): QuerySheet {
  const about = { name: `query-${slugOf(title)}`, title };
  if (!result) return { ...about, columns: [words.query.notGiven], rows: [[nothing ?? '']] };
  const { columns, rows } = result;
  return {
    ...about,
    columns: headsOf(columns.map(({ name }) => plainText(name))),
    rows: [
      ...rows.map((row) => columns.map(({ type }, at) => cellOf(type, row[at] ?? null))),
      // What is cut off must not look whole.
      ...(rest ? [[rest.text, ...columns.slice(1).map(() => null)]] : []),
    ],
  };
}
