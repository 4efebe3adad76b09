// The table of agents to open elsewhere: CSV, or a workbook with formats.
import type { Hono } from 'hono';
import { fileName } from '#dashboards/file-name.ts';
import { agentsTable, type AgentsTable } from '#digests/agents-file.ts';
import { csvInPieces } from '#digests/tables/csv.ts';
import { workbookInPieces } from '#digests/tables/sheet-stream.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import { contextOf } from './context.ts';
import { exportAgentsCsv, exportAgentsXlsx } from './contract/metrics.ts';
import type { ApiDeps } from './deps.ts';
import type { Download, Downloads } from './downloads.ts';
import { questionIn, wantedOf } from './question.ts';

type MakeDownload = (table: AgentsTable, dated: string) => Omit<Download, 'name'>;

/** All rows at once: there are only as many as agents. */
async function* atOnce<Rows>(rows: Rows): AsyncGenerator<Rows> {
  yield await Promise.resolve(rows);
}

const csvOf: MakeDownload = ({ columns, rows }) => ({
  type: 'text/csv; charset=utf-8',
  parts: csvInPieces(
    columns.map(({ title }) => title),
    atOnce(rows),
    (row) => row,
  ),
});

const workbookOf: MakeDownload = ({ columns, rows }, dated) => ({
  type: exportAgentsXlsx.media[0],
  parts: workbookInPieces('Agents', columns, atOnce(rows), dated),
});

export function addAgentsFile(app: Hono, deps: ApiDeps, downloads: Downloads): void {
  for (const [path, write] of [
    [exportAgentsCsv.path, csvOf],
    [exportAgentsXlsx.path, workbookOf],
  ] as const)
    app.get(path, async (c) => {
      const parameters = questionIn(new URL(c.req.url).searchParams);
      const wanted = wantedOf(everyChat, { ...parameters, split: 'agent', grain: 'total' });
      const { account, open } = await contextOf(deps, c, parameters);
      return downloads.answer(c, async () => {
        const context = await open();
        const table = await agentsTable(wanted, context);
        const name = fileName(account.id, 'agents', table.from, table.to, path.slice(path.indexOf('.') + 1));
        return { name, ...write(table, context.snapshot.published_at) };
      });
    });
}
