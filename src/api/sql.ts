// The SQL console: one statement of a reader who sees everything.
import type { Hono } from 'hono';
import { publishedTables } from '#warehouse/read/published-tables.ts';
import { assertReadsFile, readerOf, snapshotOf } from './context.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import { listSqlTables, runSql, type SqlRefusal, type SqlResult } from './contract/sql.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
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

export function addSql(app: Hono, deps: ApiDeps): void {
  app.get(listSqlTables.path, async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listSqlTables>>({ tables: await publishedTables(snapshotOf(deps).engine) });
  });

  app.post(runSql.path, async (c) => {
    const reader = readerOf(c);
    assertReadsFile(reader, 'the whole file');
    const { statement, parameters } = await bodyOf(c, runSql.body);
    if (!deps.sql) throw new Declined('unavailable', 'this server answers no SQL');
    const { id, engine } = snapshotOf(deps);
    c.header('cache-control', 'no-store');
    c.set('changed', withoutTexts(statement));
    const answer = await deps.sql.ask(engine.file, statement, reader.id, parameters);
    if (answer.kind === 'busy')
      throw new Declined('unavailable', 'too many queries are running or waiting: ask again in a while');
    if (answer.kind === 'wrong') {
      const { message, place, parameters = [] } = answer;
      const named = parameters.length > 0 ? { parameters: [...parameters] } : {};
      return c.json<SqlRefusal, 400>({ error: { type: 'bad_request', message, place, ...named } }, 400);
    }
    const { columns, rows, more, milliseconds } = answer;
    return c.json<SqlResult>({ snapshot: id, columns, rows, more, milliseconds });
  });
}
