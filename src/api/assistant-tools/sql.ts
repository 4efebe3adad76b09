// Tools that put SQL to the published snapshot, for callers who may take the whole file.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { listSqlTables, SqlResult } from '../contract/sql.ts';
import {
  inputOf,
  readOnly,
  withRefusals,
  answerTo,
  firstRows,
  trustedAnswer,
  untrustedAnswer,
  type ToolSource,
} from './asking.ts';

const most_rows = 200;

export function addSqlTools(server: McpServer, { ask }: ToolSource): void {
  server.registerTool(
    'list_sql_tables',
    {
      title: 'List tables',
      description:
        'Tables and views of the published snapshot. With `table`: its columns with their comments. Views of the schema metrics agree with ask_metric.',
      inputSchema: inputOf({
        table: z.string().max(200).optional().describe('One table with its schema, as facts.chats'),
      }),
      annotations: readOnly,
    },
    ({ table }) =>
      withRefusals(async () => {
        const { tables } = await answerTo<AnswerOf<typeof listSqlTables>>(ask, '/sql/tables');
        const found = tables.filter(({ name }) => table === undefined || name === table);
        return trustedAnswer({
          tables: table === undefined ? found.map(({ name, comment }) => ({ name, comment })) : found,
        });
      }),
  );

  server.registerTool(
    'run_sql',
    {
      title: 'Run SQL',
      description:
        'One statement that asks the published snapshot, in the SQL of its file (select, from, with, describe, show, explain). Prefer ask_metric: it carries the definition and how final each number is.',
      inputSchema: inputOf({
        statement: z.string().min(1).max(20_000),
        parameters: z
          .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
          .default({})
          .describe('Values of $name in the statement, by name'),
      }),
      annotations: readOnly,
    },
    ({ statement, parameters }) =>
      withRefusals(async () => {
        const { rows: all, more, ...about } = await answerTo<SqlResult>(ask, '/sql', { statement, parameters });
        const { rows, rows_left_out } = firstRows(all, most_rows);
        return untrustedAnswer({
          ...{ ...about, rows },
          ...(rows_left_out || more
            ? { note: `only the first ${rows.length} rows are here: aggregate or filter` }
            : {}),
        });
      }),
  );
}
