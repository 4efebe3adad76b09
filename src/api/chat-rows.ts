// Chats as rows to take away: some of them for a page, all of them as CSV, as a workbook, or as a file of columns.
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Hono } from 'hono';
import { fileName } from '#dashboards/file-name.ts';
import { csvLines, csvOfLines } from '#digests/tables/csv.ts';
import { most_rows, workbookBy, type SheetCell } from '#digests/tables/sheet-stream.ts';
import type { SheetFormat } from '#digests/tables/number-formats.ts';
import { chatRows, type ChatRowSet } from '#reports/chat-rows.ts';
import type { Row, Value } from '#warehouse/engine.ts';
import { Refused } from '#warehouse/errors.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { chatColumn, type ChatColumnId, type ChatColumnType } from '#warehouse/read/chat-columns.ts';
import type { AnswerCache } from './answers.ts';
import { contextOf } from './context.ts';
import {
  exportChatRowsCsv,
  exportChatRowsParquet,
  exportChatRowsXlsx,
  listChatRows,
  type ChatRows,
} from './contract/chat-rows.ts';
import type { ApiDeps } from './deps.ts';
import { bytesOf, type Download, type Downloads } from './downloads.ts';
import { questionIn, wantedChatRowsOf, wantedChatRowsOnPageOf } from './question.ts';

/** `2026-05-05 12:00:00`, from an instant or from a local time that the engine returns as one. */
const momentOf = (value: Value): string => String(value).slice(0, 19).replace('T', ' ');

function listed(id: ChatColumnId, value: Value): Value {
  return chatColumn(id).type === 'local' && value !== null ? momentOf(value) : value;
}

function addList(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(listChatRows.path, async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedChatRowsOnPageOf(parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<ChatRows>(c, asked, `chat rows ${search}`, async (context) => {
      const { ask, columns, choices, total, page } = await chatRows(wanted, context);
      const rows = await page(wanted.page);
      return {
        ...{ timezone: ask.timezone, from: ask.from, to: ask.to, total, snapshot: asked.snapshot },
        columns: choices.map((id) => {
          const { title, description, type, unit } = chatColumn(id);
          return { id, title, description, type, ...(unit ? { unit } : {}), is_chosen: columns.includes(id) };
        }),
        rows: rows.map((row) => Object.fromEntries(columns.map((id) => [id, listed(id, row[id] ?? null)]))),
      };
    });
  });
}

/** The value of a cell in a file. An instant is written as such, or in a spreadsheet as its UTC time. */
function cellOf(type: ChatColumnType, value: Value, hasInstants: boolean): SheetCell {
  if (value === null) return null;
  if (type === 'local' || (type === 'instant' && !hasInstants)) return { date: momentOf(value) };
  return value;
}

/** As files of text have it. */
function csvCell(type: ChatColumnType, value: Value): Exclude<SheetCell, boolean> {
  const cell = cellOf(type, value, true);
  return typeof cell === 'boolean' ? String(cell) : cell;
}

const sheetFormats: Readonly<Record<ChatColumnType, SheetFormat>> = {
  ...{ text: 'general', bool: 'general', local: 'moment', instant: 'moment' },
  ...{ int: 'whole', bigint: 'whole', double: 'fraction', decimal: 'money' },
};

/** The request as the file writer needs it. */
interface AskedFile {
  rows: ChatRowSet;
  context: QueryContext;
}

/** The bytes of a file, and how its content is called. */
type UnnamedDownload = Omit<Download, 'name'>;

function csvOf({ rows }: AskedFile): UnnamedDownload {
  const { columns } = rows;
  const cells = (row: Row) => columns.map((id) => csvCell(chatColumn(id).type, row[id] ?? null));
  const lines = rows.pieces((some) => Buffer.from(csvLines(some.map(cells))));
  return { type: 'text/csv; charset=utf-8', parts: csvOfLines(columns, lines) };
}

/** Errors: Refused, if there are more rows than a sheet holds. */
function workbookOf({ rows, context }: AskedFile): UnnamedDownload {
  const { columns } = rows;
  if (rows.total > most_rows)
    throw new Refused(
      'format',
      `${rows.total} chats are more than a sheet holds, at most ${most_rows}: ask for fewer days, or take CSV or Parquet`,
      [exportChatRowsCsv.path, exportChatRowsParquet.path],
    );
  const heads = columns.map((id) => {
    const { title, unit, type } = chatColumn(id);
    return { title: unit === 'seconds' ? `${title} (seconds)` : title, format: sheetFormats[type] };
  });
  const cells = (row: Row) => columns.map((id) => cellOf(chatColumn(id).type, row[id] ?? null, false));
  const [type = ''] = exportChatRowsXlsx.media;
  const parts = workbookBy(
    'Chats',
    heads,
    (write) => rows.pieces((some) => Buffer.from(write(some.map(cells)))),
    context.snapshot.published_at,
  );
  return { type, parts };
}

/** The engine writes to a temporary folder that is removed before the first byte is sent: only the open file remains. */
async function columnsOf({ rows }: AskedFile, files: string): Promise<UnnamedDownload> {
  await mkdir(files, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(files, 'rows-'));
  try {
    const handle = await open(await rows.fileIn(folder));
    const [type = ''] = exportChatRowsParquet.media;
    return { type, parts: bytesOf(handle) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function addFile(
  app: Hono,
  deps: ApiDeps,
  downloads: Downloads,
  path: string,
  write: (asked: AskedFile) => UnnamedDownload | Promise<UnnamedDownload>,
): void {
  app.get(path, async (c: Context) => {
    const parameters = questionIn(new URL(c.req.url).searchParams);
    const wanted = wantedChatRowsOf(parameters);
    const { account, open } = await contextOf(deps, c, parameters);
    return downloads.answer(c, async () => {
      const context = await open({ ofFile: path === exportChatRowsParquet.path });
      const rows = await chatRows(wanted, context);
      const name = fileName(account.id, 'chats', rows.ask.from, rows.ask.to, path.slice(path.indexOf('.') + 1));
      return { name, ...(await write({ rows, context })) };
    });
  });
}

export function addChatRows(app: Hono, deps: ApiDeps, answers: AnswerCache, downloads: Downloads): void {
  addList(app, deps, answers);
  addFile(app, deps, downloads, exportChatRowsCsv.path, csvOf);
  addFile(app, deps, downloads, exportChatRowsXlsx.path, workbookOf);
  addFile(app, deps, downloads, exportChatRowsParquet.path, (asked) => columnsOf(asked, deps.files));
}
