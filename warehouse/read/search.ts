// Searches chats by start, participants, rating and written words.
import type { Ask } from '../query/ask.ts';
import { parameters, type Bind } from '../query/bind.ts';
import type { Queryable, Row } from '../engine.ts';
import { everyChat } from '../definitions/metrics.ts';
import { scanOf, type Scan } from '../query/scan.ts';
import { quarters } from '../query/time-buckets.ts';
import type { Page } from './page.ts';

export const rates = ['rated_good', 'rated_bad', 'rated', 'not_rated'] as const;
/** `comment`: in own words in the one after the chat. */
export const surveys = ['pre', 'post', 'comment'] as const;
type Survey = (typeof surveys)[number];
/** A question after the chat is answered in the visitor's own words when it has more answers than a list would, or a longer one. */
const longestList = 12;
const longestChoice = 40;

export interface Search {
  ask: Ask;
  /** Any of these; empty: any rating. */
  rates: readonly (typeof rates)[number][];
  /** Words in messages or in the visitor's name. */
  words?: string | undefined;
  /** Chats with an answer in this survey. */
  survey?: Survey | undefined;
}

/** Quarter hours in which chats started, the last one not included. */
export interface SearchSpan {
  first: number;
  last: number;
}

/** The conditions that rows of chats are of a span, for the alias of a table of the facts. */
export const startedIn =
  ({ first, last }: SearchSpan, bind: Bind) =>
  (alias: string): string[] => [
    `${alias}.started_quarter >= ${bind.value('first', first, 'int')}`,
    `${alias}.started_quarter < ${bind.value('last', last, 'int')}`,
  ];

/** Which chats are wanted, as `c`: their tables, their conditions, and what scan.ts puts into expressions over them. */
export function selected(
  { ask, rates: rate, words, survey }: Search,
  bind: Bind,
  span: SearchSpan = quarters(ask),
): Pick<Scan, 'from' | 'where' | 'fill'> {
  const near = startedIn(span, bind);
  const { id, archived } = everyChat;
  if (!archived) throw new Error(`${id} is recomputed from chats`);
  const { from, where, fill } = scanOf(archived, ask, bind, near('c'), near);
  if (rate.length > 0) where.push(`c.rate in (${bind.list('rate', rate, 'text')})`);
  if (words !== undefined) {
    const has = (column: string): string => holds(bind, column, words);
    const said = [`m.account = ${bind.value('account', ask.account, 'text')}`, ...near('m'), "m.kind <> 'event'"];
    where.push(
      `(${has("coalesce(c.visitor_name, '')")} or c.chat_id in ` +
        `(select m.chat_id from facts.messages as m where ${said.join(' and ')} and ${has('m.text')}))`,
    );
  }
  if (survey !== undefined)
    where.push(
      `c.chat_id in (select s.chat_id from facts.chat_surveys as s where ` +
        [
          `s.account = ${bind.value('account', ask.account, 'text')}`,
          ...near('s'),
          answered(bind, ask.account, survey),
        ].join(' and ') +
        ')',
    );
  return { from, where: where.map(fill), fill };
}

/** `from … where …` of the chats that are wanted. */
function selection(search: Search, bind: Bind): string {
  const { from, where } = selected(search, bind);
  return `${from}\nwhere ${where.join('\n  and ')}`;
}

/** Whether a row of `chat_surveys` is an answer to the requested survey. */
function answered(bind: Bind, account: string, survey: Survey): string {
  const isOf = (which: 'pre' | 'post'): string =>
    `survey = ${bind.value(`survey_${which}`, which, 'text')} and ${bind.dialect.trimmed('answer')} <> ''`;
  if (survey !== 'comment') return isOf(survey);
  return `${isOf('post')} and question in (${commentedIn(bind, account)})`;
}

/** A select of the questions after a chat that visitors answer in their own words. */
const commentedIn = (bind: Bind, account: string): string =>
  `select question from facts.chat_surveys where account = ${bind.value('account', account, 'text')} ` +
  `and survey = ${bind.known('post', 'text')} and ${bind.dialect.trimmed('answer')} <> '' group by question ` +
  `having count(distinct answer) > ${longestList} or max(${bind.dialect.characters('answer')}) > ${longestChoice}`;

/** These questions. */
export async function questionsCommented(engine: Queryable, account: string): Promise<string[]> {
  const bind = parameters(engine.dialect);
  const rows = await engine.query(commentedIn(bind, account), bind.params);
  return rows.map(({ question }) => String(question));
}

/** Whether a text holds the words, in whatever case. */
const holds = (bind: Bind, column: string, words: string): string => `${placeOf(bind, column, words)} > 0`;

const placeOf = (bind: Bind, column: string, words: string): string =>
  bind.dialect.placeOf(bind.value('words', words, 'text'), column);

/** The text around the words; a short one whole. */
const around = (bind: Bind, column: string, words: string): string =>
  `case when ${bind.dialect.characters(column)} <= ${longestText} then ${column} else ` +
  `${bind.dialect.slice(column, `greatest(1, ${placeOf(bind, column, words)} - ${before})`, longestText)} end`;

export async function countFound(engine: Queryable, search: Search): Promise<number> {
  const bind = parameters(engine.dialect);
  const [counted] = await engine.query(`select count(*) as total\n${selection(search, bind)}`, bind.params);
  return Number(counted?.total ?? 0);
}

const columns = 'c.chat_id, c.started_at, c.ended_at, c.visitor_name, c.country, c.rate, c.message_count';

/** Newest first. */
export async function listFound(engine: Queryable, search: Search, { limit, offset }: Page): Promise<Row[]> {
  const bind = parameters(engine.dialect);
  return engine.query(
    `select ${columns}\n${selection(search, bind)}\norder by c.started_second desc, c.chat_id desc\n` +
      `limit ${limit} offset ${offset}`,
    bind.params,
  );
}

/** Longer texts are truncated to this many characters; lines are cut around the words. */
const longestText = 2000;
const before = 400;

/** Lines of these chats that hold the words: `chat_id`, `position`, `text`, in order. */
export async function linesWith(
  engine: Queryable,
  account: string,
  ids: readonly string[],
  words: string,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const bind = parameters(engine.dialect);
  return engine.query(
    `select chat_id, position, ${around(bind, 'text', words)} as text\nfrom facts.messages\nwhere ${ofChats(bind, account, ids)}\n` +
      `  and kind <> 'event' and ${holds(bind, 'text', words)}\norder by chat_id, position`,
    bind.params,
  );
}

/** Answers of these chats in a survey: `chat_id`, `question`, `answer`, in order. */
export async function answersIn(
  engine: Queryable,
  account: string,
  ids: readonly string[],
  survey: Survey,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const bind = parameters(engine.dialect);
  const start = (column: string): string => engine.dialect.slice(column, '1', longestText);
  return engine.query(
    `select chat_id, ${start('question')} as question, ${start('answer')} as answer\nfrom facts.chat_surveys\nwhere ${ofChats(bind, account, ids)}\n` +
      `  and ${answered(bind, account, survey)}\norder by chat_id, position`,
    bind.params,
  );
}

const ofChats = (bind: Bind, account: string, ids: readonly string[]): string =>
  `account = ${bind.value('account', account, 'text')} and chat_id in (${bind.list('id', ids, 'text')})`;
