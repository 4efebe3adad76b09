// One row per chat of a search, newest first: a page of them, all of them in pieces, or all of them in a file.
import { join } from 'node:path';
import type { Ask } from '../query/ask.ts';
import { parameters } from '../query/bind.ts';
import { asked, quarters, quarterSeconds } from '../query/time-buckets.ts';
import type { Dialect, FileColumn } from '../dialect.ts';
import type { Engine, Queryable, Row } from '../engine.ts';
import { TimeSlice } from '../time-slice.ts';
import { stretches } from '../zone.ts';
import { besidesOf, type ChatBesides } from './chat-besides.ts';
import { chatColumn, type ChatColumnId, type ChatTerms } from './chat-columns.ts';
import type { Page } from './page.ts';
import { selected, type Search, type SearchSpan } from './search.ts';

/** Which chats to read, and which of their columns. */
interface ChatTable extends ChatBesides {
  search: Search;
  columns: readonly ChatColumnId[];
  /** Unix seconds: no chat ends after it. */
  now: number;
}

/** Chats that are read together. */
interface ChatSpan extends SearchSpan {
  chats: number;
}

/** Maximum number of chats in memory at once, with related data; days are not divided. */
const most_at_once = 5000;
/** Rows of a piece. */
const piece_rows = 512;
const day_quarters = 96;

/** How many chats are found, and the spans in which they are read, the newest first. */
export async function spansOf(engine: Queryable, search: Search): Promise<{ total: number; spans: ChatSpan[] }> {
  const bind = parameters(engine.dialect);
  const { from, where } = selected(search, bind);
  const day = engine.dialect.wholes('c.started_quarter', day_quarters);
  const days = await engine.query(
    `select ${day} as day, count(*) as chats\n${from}\nwhere ${where.join('\n  and ')}\ngroup by day\norder by day desc`,
    bind.params,
  );
  const range = quarters(search.ask);
  const spans: ChatSpan[] = [];
  for (const row of days) {
    const chats = Number(row.chats);
    const begin = Number(row.day) * day_quarters;
    const first = Math.max(begin, range.first);
    const open = spans.at(-1);
    if (open && open.chats + chats <= most_at_once) Object.assign(open, { first, chats: open.chats + chats });
    else spans.push({ first, last: Math.min(begin + day_quarters, range.last), chats });
  }
  return { total: spans.reduce((sum, { chats }) => sum + chats, 0), spans };
}

/** Local time of a Unix second between the asked range and the present, by the zone's own changes of the clock. */
function localOf(ask: Ask, now: number, dialect: Dialect): ChatTerms['local'] {
  const { from, until } = asked(ask);
  const zone = stretches(ask.timezone, from - quarterSeconds, Math.max(until, now) + quarterSeconds);
  const last = zone.at(-1)?.offset ?? 0;
  const shiftOf = (second: string): string => {
    const changes = zone.slice(0, -1).map(({ until: change, offset }) => `when ${second} < ${change} then ${offset}`);
    return changes.length > 0 ? `case ${changes.join(' ')} else ${last} end` : String(last);
  };
  return (second) => dialect.localMoment(`${second} + ${shiftOf(second)}`);
}

/** The statement of the rows of a span. */
function statementOf({ dialect }: Queryable, { search, columns, now, ...about }: ChatTable, span: SearchSpan) {
  const { ask } = search;
  const bind = parameters(dialect);
  const { from, where, fill } = selected(search, bind, span);
  const terms = { local: localOf(ask, now, dialect), timezone: dialect.literal(ask.timezone, 'text') };
  const values = columns.map((id) => {
    const { sql } = chatColumn(id);
    return `  ${fill(typeof sql === 'string' ? sql : sql(terms))} as "${id}"`;
  });
  const tables = besidesOf(ask.account, about, span, bind, fill);
  const needed = [...new Set(columns.flatMap((id) => chatColumn(id).beside ?? []))];
  const joins = needed.map((name) => `  left join ${tables[name]()} as of_${name} on of_${name}.chat_id = c.chat_id`);
  const sql =
    `select\n${values.join(',\n')}\n${[from, ...joins].join('\n')}\nwhere ${where.join('\n  and ')}\n` +
    'order by c.started_second desc, c.chat_id desc';
  return { sql, params: bind.params };
}

/** Some of the rows. */
export async function chatRowsOnPage(
  engine: Queryable,
  table: ChatTable,
  spans: readonly ChatSpan[],
  { limit, offset }: Page,
): Promise<Row[]> {
  const rows: Row[] = [];
  let skipped = 0;
  for (const span of spans) {
    const from = Math.max(0, offset - skipped);
    skipped += span.chats;
    if (from >= span.chats) continue;
    if (rows.length >= limit) break;
    const { sql, params } = statementOf(engine, table, span);
    rows.push(...(await engine.query(`${sql}\nlimit ${limit - rows.length} offset ${from}`, params)));
  }
  return rows;
}

/** What `make` makes of all rows, some at a time, for slow readers. Errors: Cancelled. */
export async function* chatRowsInPieces<Made>(
  engine: Engine,
  table: ChatTable,
  spans: readonly ChatSpan[],
  make: (rows: Row[]) => Made,
): AsyncGenerator<Made> {
  const turn = new TimeSlice();
  for (const span of spans) {
    const { sql, params } = statementOf(engine, table, span);
    async function* made(): AsyncGenerator<Made> {
      for await (const rows of engine.queryInPieces(sql, params, true))
        for (let from = 0; from < rows.length; from += piece_rows) {
          yield make(rows.slice(from, from + piece_rows));
          if (turn.isOver()) await turn.next();
        }
    }
    // Small results are made completely first, so that a slow reader does not hold a connection that others wait for;
    // of their rows only a few are in memory at a time.
    yield* span.chats > most_at_once ? made() : await Array.fromAsync(made());
  }
}

const fileColumns = (columns: readonly ChatColumnId[], dialect: Dialect): FileColumn[] =>
  columns.map((name) => ({ name, type: dialect.typeName(chatColumn(name).type) }));

/**
 * All rows in a Parquet file, `rows.parquet`, in an empty folder; intermediate files next to it are no longer needed afterwards. Errors:
 * Cancelled.
 */
export async function writeChatRows(
  engine: Engine,
  table: ChatTable,
  spans: readonly ChatSpan[],
  folder: string,
): Promise<string> {
  const { dialect } = engine;
  const columns = fileColumns(table.columns, dialect);
  const write = async (from: string, params: Row, file: string): Promise<void> => {
    await Array.fromAsync(engine.queryInPieces(dialect.writeRows(columns, from, file), params, true));
  };
  const parts: string[] = [];
  for (const [index, span] of spans.entries()) {
    const part = join(folder, `part-${index}.parquet`);
    const { sql, params } = statementOf(engine, table, span);
    await write(`(${sql}) as rows`, params, part);
    parts.push(part);
  }
  const file = join(folder, 'rows.parquet');
  await write(`(${dialect.rowsOf(columns, parts)}) as rows`, {}, file);
  return file;
}
