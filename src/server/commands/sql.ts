// `chatledger sql`: one statement against the published snapshot, with everything but reading switched off.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#warehouse/engines/console.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { out, outJson, shown } from '../terminal.ts';

export async function sql(statement: string, options: { json?: boolean; limit: string }): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw new Stopped(`--limit ${options.limit} must be a whole number from 1`);
  const file = join(readConfig().folder, 'published', 'chatledger.duckdb');
  if (!existsSync(file))
    throw new Stopped(`${file} does not exist: run 'npx chatledger start' or 'npx chatledger pull' first`);
  const answer = await ask(file, statement, limit).catch((error: Error) => {
    throw new Stopped(error.message, exitCodes.failed);
  });
  if (options.json) {
    const rows = answer.rows.map((row) => Object.fromEntries(answer.columns.map((name, at) => [name, row[at]])));
    return outJson({ columns: answer.columns, rows, more: answer.more });
  }
  out(...tableOf(answer.columns, answer.rows));
  if (answer.more) out(`only the first ${limit} rows: ask for more with --limit`);
}

const widest = 60;

function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
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

/** One line a cell, shown here already: a column is as wide as what is seen of it. */
function cellOf(value: unknown): string {
  const text = shown(value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value));
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
