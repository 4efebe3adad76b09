// A workbook with one sheet of any length, written as its rows arrive: frozen header, filters, real dates and numbers.
import { TimeSlice } from '#warehouse/time-slice.ts';
import type { SheetValue } from './cells.ts';
import { formatCodes, type SheetColumn, type SheetFormat } from './number-formats.ts';
import { plainCell } from './xlsx.ts';
import { zipInPieces } from './zip-stream.ts';

/** Rows that are written without letting others have a turn. */
const rows_at_once = 256;

/** Rows below the head. */
export const most_rows = 1_048_575;

const formats = Object.keys(formatCodes) as (keyof typeof formatCodes)[];

export type SheetCell = SheetValue | boolean;

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const ofPackage = 'http://schemas.openxmlformats.org/package/2006';
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const widths: Readonly<Record<SheetFormat, number>> = {
  general: 24,
  moment: 20,
  whole: 12,
  fraction: 12,
  money: 14,
  share: 12,
  score: 12,
};
/** Ids of number formats: those below 164 every reader knows. */
const own_format = 164;
const numberFormats: Readonly<Record<keyof typeof formatCodes, number>> = {
  ...{ general: 0, head: 0, moment: own_format, whole: 3, fraction: own_format + 1, money: 4, share: own_format + 2 },
  score: own_format + 3,
};

/** TRICKY: a character that XML does not have spoils the whole sheet. */
const unwritable = /(?![\t\n\r])\p{Cc}/gu;
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  plainCell(text)
    .replaceAll(unwritable, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => named[character] ?? '')
    .replaceAll('\r', '&#13;');

/** 1 is A, 27 is AA. */
export function letters(place: number): string {
  const rest = (place - 1) % 26;
  const before = Math.floor((place - 1) / 26);
  return (before > 0 ? letters(before) : '') + String.fromCharCode(65 + rest);
}

const day_ms = 86_400_000;
/** Spreadsheets count days from here; a time is a fraction of one. */
const first_day = Date.UTC(1899, 11, 30);

function cellOf(cell: SheetCell, at: string, style: number): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'number') return `<c r="${at}" s="${style}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return textCell(cell, at, style);
  const [date = '', time = '00:00'] = cell.date.split(' ');
  return `<c r="${at}" s="${style}"><v>${(Date.parse(`${date}T${time}Z`) - first_day) / day_ms}</v></c>`;
}

const textCell = (text: string, at: string, style: number): string =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** Writes rows below the ones before, as XML. */
type WriteRows = (rows: readonly (readonly SheetCell[])[]) => string;

type RowsBy = (write: WriteRows) => AsyncIterable<string | Uint8Array>;

/** The XML of the sheet. */
async function* sheetXml(columns: readonly SheetColumn[], rowsBy: RowsBy): AsyncGenerator<string | Uint8Array> {
  const names = columns.map((_, index) => letters(index + 1));
  const styles = columns.map(({ format }) => formats.indexOf(format));
  const cols = columns.map(
    ({ title, format }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${Math.max(widths[format], title.length + 4)}" customWidth="1"/>`,
  );
  const head = columns.map(({ title }, index) => textCell(title, `${names[index]}1`, formats.indexOf('head')));
  yield (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${cols.join('')}</cols><sheetData><row r="1">${head.join('')}</row>`
  );
  let row = 1;
  const write: WriteRows = (rows) => {
    let text = '';
    for (const cells of rows) {
      row += 1;
      text += `<row r="${row}">`;
      for (const [index, cell] of cells.entries()) text += cellOf(cell, `${names[index]}${row}`, styles[index] ?? 0);
      text += '</row>';
    }
    return text;
  };
  yield* rowsBy(write);
  yield `</sheetData><autoFilter ref="A1:${names.at(-1)}${row}"/></worksheet>`;
}

const stylesXml = (): string => {
  const ownFormats = formats
    .filter((format) => numberFormats[format] >= own_format)
    .map((format) => `<numFmt numFmtId="${numberFormats[format]}" formatCode="${formatCodes[format]}"/>`);
  const xfs = formats.map(
    (format) =>
      `<xf numFmtId="${numberFormats[format]}" fontId="${format === 'head' ? 1 : 0}" fillId="0" borderId="0" xfId="0" ` +
      'applyNumberFormat="1" applyFont="1"/>',
  );
  return (
    `${declaration}<styleSheet xmlns="${main}"><numFmts count="${ownFormats.length}">${ownFormats.join('')}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs></styleSheet>`
  );
};

const relationship = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
const relationshipsXml = (...each: string[]): string =>
  `${declaration}<Relationships xmlns="${ofPackage}/relationships">${each.join('')}</Relationships>`;

/** `title` is the name of the sheet; `dated` is an ISO instant: the same rows give the same bytes. Errors: those of the pieces. */
export const workbookInPieces = (
  title: string,
  columns: readonly SheetColumn[],
  pieces: AsyncIterable<readonly (readonly SheetCell[])[]>,
  dated: string,
): AsyncGenerator<Uint8Array> =>
  workbookBy(
    title,
    columns,
    async function* (write) {
      const turn = new TimeSlice();
      for await (const rows of pieces)
        for (let from = 0; from < rows.length; from += rows_at_once) {
          yield write(rows.slice(from, from + rows_at_once));
          if (turn.isOver()) await turn.next();
        }
    },
    dated,
  );

/** The same of rows that are written elsewhere, all of them in their order, by the function that is handed on. */
export function workbookBy(
  title: string,
  columns: readonly SheetColumn[],
  rowsBy: RowsBy,
  dated: string,
): AsyncGenerator<Uint8Array> {
  const part = (name: string, type: string): string =>
    `<Override PartName="/${name}" ContentType="${kind}.${type}+xml"/>`;
  return zipInPieces(
    [
      [
        '[Content_Types].xml',
        [
          `${declaration}<Types xmlns="${ofPackage}/content-types">` +
            `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
            `${part('xl/workbook.xml', 'sheet.main')}${part('xl/worksheets/sheet1.xml', 'worksheet')}${part('xl/styles.xml', 'styles')}</Types>`,
        ],
      ],
      ['_rels/.rels', [relationshipsXml(relationship('rId1', 'officeDocument', 'xl/workbook.xml'))]],
      [
        'xl/workbook.xml',
        [
          `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
            `<sheet name="${escaped(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        ],
      ],
      [
        'xl/_rels/workbook.xml.rels',
        [
          relationshipsXml(
            relationship('rId1', 'worksheet', 'worksheets/sheet1.xml'),
            relationship('rId2', 'styles', 'styles.xml'),
          ),
        ],
      ],
      ['xl/styles.xml', [stylesXml()]],
      ['xl/worksheets/sheet1.xml', sheetXml(columns, rowsBy)],
    ],
    dated,
  );
}
