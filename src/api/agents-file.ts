// The table of agents to open elsewhere: CSV, a workbook with formats, or pages to print.
import type { Hono } from 'hono';
import { fileName } from '#dashboards/file-name.ts';
import { agentsDocument } from '#digests/agents-document.ts';
import { agentsTable, type AgentsTable } from '#digests/agents-file.ts';
import { ownBrand } from '#digests/brand.ts';
import { rendered } from '#digests/render/renderer.ts';
import { csvInPieces } from '#digests/tables/csv.ts';
import { workbookInPieces } from '#digests/tables/sheet-stream.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import type { AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { contextOf } from './context.ts';
import { exportAgentsCsv, exportAgentsPdf, exportAgentsXlsx } from './contract/metrics.ts';
import type { ApiDeps } from './deps.ts';
import type { Download, Downloads } from './downloads.ts';
import { assertNamed, questionIn, wantedOf } from './question.ts';

/** A file and the days that it is about. */
interface AgentsFile extends Omit<Download, 'name'> {
  from: string;
  to: string;
}

type MakeFile = (wanted: AskInput, context: QueryContext) => Promise<AgentsFile>;

/** All of it in one piece: there are only as many rows as agents. */
async function* atOnce<Piece>(piece: Piece): AsyncGenerator<Piece> {
  yield await Promise.resolve(piece);
}

const ofTable =
  (write: (table: AgentsTable, dated: string) => Omit<Download, 'name'>): MakeFile =>
  async (wanted, context) => {
    const table = await agentsTable(wanted, context);
    return { from: table.from, to: table.to, ...write(table, context.snapshot.published_at) };
  };

export const csvOf = ({ columns, rows }: AgentsTable): Omit<Download, 'name'> => ({
  type: 'text/csv; charset=utf-8',
  parts: csvInPieces(
    columns.map(({ title }) => title),
    atOnce(rows),
    (row) => row,
  ),
});

export const workbookOf = (title: string, { columns, rows }: AgentsTable, dated: string): Omit<Download, 'name'> => ({
  type: exportAgentsXlsx.media[0],
  parts: workbookInPieces(title, columns, atOnce(rows), dated),
});

const csv = ofTable(csvOf);
const workbook = ofTable((table, dated) => workbookOf('Agents', table, dated));

const pdfIn =
  ({ brand }: ApiDeps): MakeFile =>
  async (wanted, context) => {
    const document = await agentsDocument(wanted, context);
    const bytes = await rendered({ format: 'agents.pdf', document, brand: brand?.() ?? ownBrand });
    return { from: document.from, to: document.to, type: exportAgentsPdf.media[0], parts: atOnce(bytes) };
  };

const names = Object.keys(exportAgentsCsv.query.shape);

export function addAgentsFile(app: Hono, deps: ApiDeps, downloads: Downloads): void {
  for (const [path, make] of [
    [exportAgentsCsv.path, csv],
    [exportAgentsXlsx.path, workbook],
    [exportAgentsPdf.path, pdfIn(deps)],
  ] as const)
    app.get(path, async (c) => {
      const parameters = questionIn(new URL(c.req.url).searchParams);
      assertNamed(parameters, names);
      const wanted = wantedOf(everyChat, { ...parameters, split: 'agent', grain: 'total' });
      const { account, open } = await contextOf(deps, c, parameters);
      return downloads.answer(c, async () => {
        const { from, to, ...file } = await make(wanted, await open());
        return { name: fileName(account.id, 'agents', from, to, path.slice(path.indexOf('.') + 1)), ...file };
      });
    });
}
