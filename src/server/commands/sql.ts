// `chatledger sql`: one statement against the published snapshot, with everything but reading switched off.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '#warehouse/engines/console.ts';
import { ConsoleError } from '#warehouse/engines/console-error.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { tableOf } from '../text-table.ts';
import { out, outJson } from '../terminal.ts';

export async function sql(
  statement: string,
  options: { json?: boolean; limit: string; parameter?: string[] },
): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw new Stopped(`--limit ${options.limit} must be a whole number from 1`);
  const file = join(readConfig().folder, 'published', 'chatledger.duckdb');
  if (!existsSync(file))
    throw new Stopped(`${file} does not exist: run 'npx chatledger start' or 'npx chatledger pull' first`);
  const answer = await ask(file, statement, { rows: limit }, parametersIn(options.parameter ?? [])).catch(
    (error: Error) => {
      throw new Stopped(sentenceOf(error), exitCodes.failed);
    },
  );
  const columns = answer.columns.map(({ name }) => name);
  if (options.json) {
    const rows = answer.rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
    return outJson({ columns, rows, more: answer.more });
  }
  out(...tableOf(columns, answer.rows));
  if (answer.more) out(`only the first ${limit} rows: ask for more with --limit`);
}

/** Errors: Stopped. */
function parametersIn(written: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    written.map((one) => {
      const at = one.indexOf('=');
      if (at < 1) throw new Stopped(`--parameter ${one} must be a name and its value, such as from=2026-11-01`);
      return [one.slice(0, at).replace(/^\$/, ''), one.slice(at + 1)];
    }),
  );
}

const sentenceOf = (error: Error): string =>
  error instanceof ConsoleError && error.place
    ? `${error.message} (line ${error.place.line}, column ${error.place.column})`
    : error.message;
