// The tables that a statement may name, since when they are there, and the search over them.
import type { AnswerOf } from '#api/contract/endpoint.ts';
import type { listSqlTables } from '#api/contract/sql.ts';

export type SqlTable = AnswerOf<typeof listSqlTables>['tables'][number];
export type Since = NonNullable<SqlTable['columns'][number]['since']>;

/** Since when a table is there: as its oldest column. */
export const firstOf = (columns: SqlTable['columns']): Since | undefined =>
  columns.flatMap(({ since }) => since ?? []).toSorted((one, other) => one.version - other.version)[0];

/** Those whose name, or a column of which, holds the text. */
export const found = (tables: readonly SqlTable[], text: string): SqlTable[] => {
  const wanted = text.trim().toLocaleLowerCase();
  return tables.filter(
    ({ name, columns }) =>
      name.toLocaleLowerCase().includes(wanted) || columns.some((it) => it.name.toLocaleLowerCase().includes(wanted)),
  );
};
