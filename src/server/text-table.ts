// Rows as a table of plain text.
import { shown } from './terminal.ts';

const widest = 60;

export function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = [columns, ...rows].map((row) => row.map(cellOf));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines;
}

/** One line per cell, with hidden characters made visible first: the column width is that of the displayed text. */
function cellOf(value: unknown): string {
  const text = shown(value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
