// Searches chats by the filters of every metric, by rating, and by written words. Newest first.
import { askOf, type AskInput } from '#warehouse/query/ask.ts';
import { assertDeclared } from '#warehouse/query/file-variables.ts';
import { Refused } from '#warehouse/errors.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { isMasked, type Reader } from '#warehouse/query/reader.ts';
import type { Queryable, Row, Value } from '#warehouse/engine.ts';
import { everyChat } from '#warehouse/definitions/metrics.ts';
import { assertMeasured } from '#warehouse/query/run.ts';
import { rowsOfChats, type ChatTableRead } from '#warehouse/read/chats.ts';
import type { Page } from '#warehouse/read/page.ts';
import { answersIn, countFound, linesWith, listFound, type Search } from '#warehouse/read/search.ts';

interface SearchHit {
  chat_id: string;
  started_at: Value;
  ended_at: Value;
  visitor_name: Value;
  country: Value;
  rate: Value;
  message_count: Value;
  agents: Value[];
  groups: Value[];
  tags: Value[];
  /** The first line that holds the words. */
  match?: { position: number; text: string };
  /** Answers to the requested survey. */
  answers?: { question: string; answer: string }[];
}

interface SearchResult {
  timezone: string;
  from: string;
  to: string;
  total: number;
  rows: SearchHit[];
}

/** Chats of a range and its filters, newest first. */
export interface WantedChats extends Omit<Search, 'ask'> {
  question: Pick<AskInput, 'from' | 'to' | 'timezone' | 'filters'>;
  page: Page;
}

/** Masked content cannot be searched: the hits would reveal it. Errors: Refused. */
export function assertMaySearch({ words, survey }: Pick<Search, 'words' | 'survey'>, reader: Reader): void {
  if (!isMasked(reader)) return;
  if (words !== undefined)
    throw new Refused('query', 'you may not search what was written or who visitors are (names:read)');
  if (survey === 'comment')
    throw new Refused('survey', 'which chats have a comment is told to those alone who may read it (names:read)', [
      'pre',
      'post',
    ]);
}

/** Errors: Refused. */
export async function searchChats(wanted: WantedChats, context: QueryContext): Promise<SearchResult> {
  const { engine } = context.snapshot;
  const { page, words, survey } = wanted;
  assertMaySearch(wanted, context.reader);
  const ask = askOf(everyChat, { ...wanted.question, grain: 'total' }, context);
  await assertMeasured(ask, {}, context);
  await assertDeclared(engine, ask);
  const search = { ask, rates: wanted.rates, words, survey };
  const total = await countFound(engine, search);
  const rows = await listFound(engine, search, page);
  const about = await detailsOf(engine, search, rows);
  const { timezone, from, to } = ask;
  return { timezone, from, to, total, rows: rows.map(about) };
}

async function detailsOf(
  engine: Queryable,
  { ask: { account }, words, survey }: Search,
  rows: readonly Row[],
): Promise<(row: Row) => SearchHit> {
  const ids = rows.map((row) => String(row.chat_id));
  const byChat = (found: readonly Row[]): Map<string, Row[]> => Map.groupBy(found, (row) => String(row.chat_id));
  const of = async (table: ChatTableRead['table'], column: string, order = column): Promise<Map<string, Value[]>> => {
    const found = byChat(await rowsOfChats(engine, { account }, ids, { table, columns: [column], order: [order] }));
    return new Map([...found].map(([id, own]) => [id, own.map((row) => row[column] ?? null)]));
  };
  const agents = await of('chat_agents', 'agent', 'position');
  const groups = await of('chat_groups', 'group_id');
  const tags = await of('chat_tags', 'tag');
  const matches = byChat(words === undefined ? [] : await linesWith(engine, account, ids, words));
  const answers = byChat(survey === undefined ? [] : await answersIn(engine, account, ids, survey));
  const answersOf = (id: string) =>
    (answers.get(id) ?? []).map((row) => ({ question: String(row.question), answer: String(row.answer) }));
  return (row) => {
    const id = String(row.chat_id);
    const match = matches.get(id)?.[0];
    const [started_at, ended_at, visitor_name] = [
      row.started_at ?? null,
      row.ended_at ?? null,
      row.visitor_name ?? null,
    ];
    const [country, rate, message_count] = [row.country ?? null, row.rate ?? null, row.message_count ?? null];
    return {
      ...{ chat_id: id, started_at, ended_at, visitor_name, country, rate, message_count },
      ...{ agents: agents.get(id) ?? [], groups: groups.get(id) ?? [], tags: tags.get(id) ?? [] },
      ...(survey === undefined ? {} : { answers: answersOf(id) }),
      ...(match ? { match: { position: Number(match.position), text: String(match.text) } } : {}),
    };
  };
}
