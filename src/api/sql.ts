// The SQL console: one statement of a reader who sees everything, answered or written into a file.
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Hono } from 'hono';
import { publishedTables } from '#warehouse/read/published-tables.ts';
import { askerOf, assertReadsFile, fileOf, readerOf, snapshotAsOf, snapshotOf } from './context.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import {
  exportSql,
  listSqlTables,
  runSql,
  showSqlLimits,
  sqlFileTypes,
  type SqlRefusal,
  type SqlResult,
} from './contract/sql.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import type { ApiDeps, OpenSnapshot, PackedFile, SqlAnswer } from './deps.ts';
import { bytesOf, type Downloads } from './downloads.ts';
import { Declined } from './errors.ts';
import { requestId } from './request-id.ts';
import { bodyOf } from './validation.ts';

const most_told = 500;

/**
 * Comments and quoted texts. One pass finds both, because either may hold what begins the other; a comment within a comment ends at the
 * last end of any, and what is not closed goes on to the end.
 */
const texts =
  /(--[^\n\r]*|\/\*[^]*\*\/|\/\*[^]*$)|(\$[\p{L}\w]*\$)[^]*?(?:\2|$)|\be'(?:[^'\\]|\\[^]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)/giu;

/** For the audit, which cannot erase a name that somebody asked for: without texts, quoted names and comments. */
export const withoutTexts = (statement: string): string =>
  statement
    .replace(texts, (_, comment?: string) => (comment === undefined ? "'…'" : ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most_told);

export function addSql(app: Hono, deps: ApiDeps, downloads: Downloads): void {
  app.get(listSqlTables.path, async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listSqlTables>>({ tables: await publishedTables(fileOf(snapshotOf(deps))) });
  });

  app.get(showSqlLimits.path, (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    if (!deps.sql) throw new Declined('unavailable', 'this server answers no SQL');
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof showSqlLimits>>(deps.sql.limitsOf(askerOf(c).role));
  });

  app.post(runSql.path, async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    const { statement, parameters, as_of } = await bodyOf(c, runSql.body);
    if (!deps.sql) throw new Declined('unavailable', 'this server answers no SQL');
    const snapshot = await snapshotAsOf(deps, as_of);
    c.header('cache-control', 'no-store');
    c.set('changed', withoutTexts(statement));
    const { sql } = deps;
    const answer = await withFolder(deps, (folder) =>
      sql.ask({ file: askedFile(snapshot, folder), statement, parameters, folder }, askerOf(c)),
    );
    if (answer.kind !== 'answered') return refusalOf(c, answer);
    const { columns, rows, more, milliseconds } = answer;
    return c.json<SqlResult>({ snapshot: snapshot.id, columns, rows, more, milliseconds });
  });
  app.post(exportSql.path, async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    const { format, as_of, ...asked } = await bodyOf(c, exportSql.body);
    if (!deps.sql) throw new Declined('unavailable', 'this server answers no SQL');
    const snapshot = await snapshotAsOf(deps, as_of);
    c.set('changed', `${format}: ${withoutTexts(asked.statement)}`);
    c.header('cache-control', 'no-store');
    const { sql } = deps;
    return withFolder(deps, async (folder) => {
      const path = join(folder, `result.${format}`);
      const file = askedFile(snapshot, folder);
      const order = { ...asked, file, folder, path, format, dated: snapshot.published_at };
      const outcome = await sql.write(order, askerOf(c));
      if (outcome.kind !== 'written') return refusalOf(c, outcome);
      return downloads.answer(c, async () => ({
        name: `result-${snapshot.id}.${format}`,
        type: sqlFileTypes[format],
        parts: bytesOf(await open(path)),
      }));
    });
  });
}

/** The folder is gone afterwards: of files in it only the open ones remain. */
export async function withFolder<T>(
  { files }: Pick<ApiDeps, 'files'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(files, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(files, 'sql-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** `folder`: where a packed one is made whole. */
export function askedFile(snapshot: OpenSnapshot, folder: string): string | PackedFile {
  const { file } = fileOf(snapshot);
  return isPacked(file) ? { packed: file, whole: join(folder, 'snapshot.duckdb') } : file;
}

/** Errors: Declined. */
function refusalOf(c: Context, answer: Exclude<SqlAnswer, { kind: 'answered' }>) {
  if (answer.kind === 'busy')
    throw new Declined('unavailable', 'too many queries are running or waiting: ask again in a while');
  const { message, place, parameters = [] } = answer;
  const named = parameters.length > 0 ? { parameters: [...parameters] } : {};
  const request_id = requestId();
  const asked = request_id === undefined ? {} : { request_id };
  return c.json<SqlRefusal, 400>({ error: { type: 'bad_request', message, place, ...named, ...asked } }, 400);
}
