// The tables that a statement may name, and the search over them.
import type { AnswerOf } from '#api/contract/endpoint.ts';
import type { listSqlTables } from '#api/contract/sql.ts';

export type SqlTable = AnswerOf<typeof listSqlTables>['tables'][number];

/** Those whose name, or a column of which, holds the text. */
export const found = (tables: readonly SqlTable[], text: string): SqlTable[] => {
  const wanted = text.trim().toLocaleLowerCase();
  return tables.filter(
    ({ name, columns }) =>
      name.toLocaleLowerCase().includes(wanted) || columns.some((it) => it.name.toLocaleLowerCase().includes(wanted)),
  );
};
