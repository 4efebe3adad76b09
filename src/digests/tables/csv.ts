// Comma-separated tables as RFC 4180 writes them, in UTF-8, one file of each panel in a zip.
import { stringify } from 'csv-stringify/sync';
import type { DigestDocument } from '../document.ts';
import type { SheetValue } from './cells.ts';
import { sheetsOf, type Sheet, type Tabled } from './sheets.ts';
import { zipOf } from './zip.ts';

/** Texts that a spreadsheet would execute. Numbers are never text here, so their minus sign stays. */
const running = /^(?:["'\s]*[=+\-@＝＋－＠]|[\t\r])/u;
/** The same where a cell begins for a spreadsheet that separates by something else than a comma, as in half of Europe. */
const runningInside = /([;|\t\r\n]["'\s]*)(?=[=+\-@＝＋－＠])/gu;
const separators = /[;|\t\r\n]/;

/** Text that a spreadsheet would take for a formula gets a quote in front of it, which it shows as text. */
const harmless = (text: string): string =>
  `${running.test(text) ? "'" : ''}${text.replaceAll(runningInside, (_all, before: string) => `${before}'`)}`;

function written(cell: SheetValue): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'string' ? harmless(cell) : cell.date;
}

/** Rows as lines, without a head. */
export const csvLines = (rows: readonly (readonly SheetValue[])[]): string =>
  stringify(
    rows.map((row) => row.map(written)),
    { record_delimiter: 'windows', quoted_match: separators },
  );

export const csvOf = ({ columns, rows }: Sheet): string => csvLines([columns, ...rows]);

/** TRICKY: the byte order mark tells spreadsheets that it is UTF-8; every CSV reader knows it. */
export const mark = '\ufeff';

/** A file of any size: the header comes with the first rows, so that errors in them are known before anything is sent. */
export async function* csvInPieces<Row>(
  columns: readonly string[],
  pieces: AsyncIterable<readonly Row[]>,
  cells: (row: Row) => readonly SheetValue[],
): AsyncGenerator<string | Uint8Array> {
  async function* lines(): AsyncGenerator<string> {
    for await (const rows of pieces) yield csvLines(rows.map(cells));
  }
  yield* csvOfLines(columns, lines());
}

/** The same of rows that are lines already. */
export async function* csvOfLines(
  columns: readonly string[],
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  let head = mark + csvLines([columns]);
  for await (const lines of pieces) {
    if (head) yield head;
    head = '';
    yield lines;
  }
  if (head) yield head;
}

/** The first table alone, as a file. */
export const csvFileOf = (about: Tabled): Uint8Array =>
  Buffer.from(mark + sheetsOf(about).slice(0, 1).map(csvOf).join(''));

/** A zip with one file per panel, dated like the snapshot: the same document gives the same bytes. */
export const csvZipOf = (document: DigestDocument): Uint8Array =>
  zipOf(
    new Map(sheetsOf(document).map((sheet) => [`${sheet.name}.csv`, Buffer.from(mark + csvOf(sheet))])),
    document.dated,
  );
