// One workbook with a sheet of each panel: numbers are numbers, dates are dates, text is text and never a formula.
import { unzipSync } from 'fflate';
import writeWorkbook, { type Row, type SheetData } from 'write-excel-file/node';
import type { SheetValue } from './cells.ts';
import { formatCodes, type SheetFormat } from './number-formats.ts';
import { sheetsOf, type Sheet, type Tabled } from './sheets.ts';
import { zipOf } from './zip.ts';

/** A sheet's name has at most 31 characters, and not every one. */
const most_name = 31;
const most_text = 32_767;

/** TRICKY: workbooks decode `_x0041_` as a character, and a single character invalid in XML corrupts the file. */
export const plainCell = (text: string): string =>
  text
    .replaceAll(/[\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .slice(0, most_text)
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');

function written(cell: SheetValue, format: SheetFormat): Row[number] {
  if (cell === null) return null;
  if (typeof cell === 'number')
    return { value: cell, type: Number, ...(format === 'general' ? {} : { format: formatCodes[format] }) };
  if (typeof cell === 'string') return { value: plainCell(cell), type: String };
  const [date = '', time] = cell.date.split(' ');
  const value = new Date(`${date}T${time ?? '00:00'}:00Z`);
  return { value, type: Date, format: time === undefined ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm' };
}

function rowsOf({ columns, formats = [], rowFormats = [], rows }: Sheet): SheetData {
  const head = columns.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const body = rows.map((row, at) =>
    row.map((cell, place) => {
      const format = formats[place] ?? 'general';
      return written(cell, format === 'row' ? (rowFormats[at] ?? 'general') : format);
    }),
  );
  return [head, ...body];
}

const widthOf = ({ columns, rows }: Sheet): { width: number }[] =>
  columns.map((title, at) => {
    const texts = rows.slice(0, 200).map((row) => row[at]);
    const longest = Math.max(title.length, ...texts.map((cell) => (typeof cell === 'string' ? cell.length : 10)));
    return { width: Math.min(40, longest + 2) };
  });

/** The same document gives the same bytes. */
export async function xlsxOf(document: Tabled): Promise<Uint8Array> {
  const sheets = sheetsOf(document).map((sheet) => ({
    data: rowsOf(sheet),
    sheet: sheet.name.slice(0, most_name),
    columns: widthOf(sheet),
    stickyRowsCount: 1,
  }));
  const workbook = await writeWorkbook(sheets).toBuffer();
  // The writer puts the present into the archive: the files are packed again with the time of the snapshot.
  return zipOf(new Map(Object.entries(unzipSync(workbook))), document.dated);
}
