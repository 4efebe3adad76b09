// `chatledger sql`: one statement against the published snapshot, with everything but reading switched off.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#warehouse/engines/console.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';

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
    return void process.stdout.write(`${JSON.stringify({ columns: answer.columns, rows, more: answer.more })}\n`);
  }
  process.stdout.write(`${tableOf(answer.columns, answer.rows)}\n`);
  if (answer.more) process.stdout.write(`only the first ${limit} rows: ask for more with --limit\n`);
}

const widest = 60;

function tableOf(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map(cellOf));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return lines.join('\n');
}

/** One line a cell: control characters of chat texts must not reach the terminal. */
function cellOf(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  // eslint-disable-next-line no-control-regex -- control characters are what is taken out
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return clean.length > widest ? `${clean.slice(0, widest - 1)}…` : clean;
}
