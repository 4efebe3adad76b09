// Finds chats: the filters of every metric, the rating, and words that somebody wrote. Newest first.
import { askOf, type Ask, type Wanted } from '#warehouse/ask.ts';
import { parameters, type Bind } from '#warehouse/bind.ts';
import { quarters } from '#warehouse/time-buckets.ts';
import { scanOf } from '#warehouse/scan.ts';
import type { QueryContext } from '#warehouse/context.ts';
import type { Engine, Row, Value } from '#warehouse/engine.ts';
import { metricOf } from '#warehouse/metrics.ts';
import type { Page } from './page.ts';

export interface FoundChat {
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
  /** Answers of the survey that was asked for. */
  answers?: { question: string; answer: string }[];
}

export interface Found {
  timezone: string;
  from: string;
  to: string;
  total: number;
  rows: FoundChat[];
}

export const rates = ['rated_good', 'rated_bad', 'rated', 'not_rated'] as const;
/** `comment`: in own words in the one after the chat. */
export const surveys = ['pre', 'post', 'comment'] as const;
/** A question after the chat is answered in the visitor's own words when it has more answers than a list would, or a longer one. */
const longestList = 12;
const longestChoice = 40;

/** Chats of a range and its filters, newest first. */
export interface WantedChats {
  question: Pick<Wanted, 'from' | 'to' | 'timezone' | 'filters'>;
  /** Any of these; none: whatever it is. */
  rates: readonly (typeof rates)[number][];
  /** Words in messages or in the visitor's name. */
  words?: string | undefined;
  /** Chats with an answer in this survey. */
  survey?: (typeof surveys)[number] | undefined;
  page: Page;
}

interface Selected extends WantedChats {
  ask: Ask;
}

/** `from … where …` of the chats that are wanted. */
function selection({ ask, rates: rate, words, survey }: Selected, bind: Bind): string {
  const { first, last } = quarters(ask);
  const near = (alias: string): string[] => [
    `${alias}.started_quarter >= ${bind.value('first', first, 'int')}`,
    `${alias}.started_quarter < ${bind.value('last', last, 'int')}`,
  ];
  const { archived } = metricOf('total_chats');
  if (!archived) throw new Error('total_chats is recomputed from chats');
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
  return `${from}\nwhere ${where.map(fill).join('\n  and ')}`;
}

/** Whether a row of `chat_surveys` is an answer in the survey that was asked for. */
function answered(bind: Bind, account: string, survey: string): string {
  const isOf = (which: string): string => `survey = ${bind.value('survey', which, 'text')} and trim(answer) <> ''`;
  if (survey !== 'comment') return isOf(survey);
  return (
    `${isOf('post')} and question in (select question from facts.chat_surveys ` +
    `where account = ${bind.value('account', account, 'text')} and ${isOf('post')} group by question ` +
    `having count(distinct answer) > ${longestList} or max(length(answer)) > ${longestChoice})`
  );
}

/** Whether a text holds the words, in whatever case. */
const holds = (bind: Bind, column: string, words: string): string =>
  `position(lower(${bind.value('words', words, 'text')}) in lower(${column})) > 0`;

const columns = 'c.chat_id, c.started_at, c.ended_at, c.visitor_name, c.country, c.rate, c.message_count';

/** Errors: Refused. */
export async function searchChats(wanted: WantedChats, context: QueryContext): Promise<Found> {
  const { engine } = context.snapshot;
  const { page, words, survey } = wanted;
  const ask = askOf(metricOf('total_chats'), { ...wanted.question, grain: 'total' }, context);
  const selected = { ...wanted, ask };
  const counting = parameters(engine.dialect);
  const [counted] = await engine.query(`select count(*) as total\n${selection(selected, counting)}`, counting.params);
  const bind = parameters(engine.dialect);
  const rows = await engine.query(
    `select ${columns}\n${selection(selected, bind)}\norder by c.started_second desc, c.chat_id desc\n` +
      `limit ${page.limit} offset ${page.offset}`,
    bind.params,
  );
  const about = await detailsOf(engine, ask.account, rows, words, survey);
  const { timezone, from, to } = ask;
  return { timezone, from, to, total: Number(counted?.total ?? 0), rows: rows.map(about) };
}

async function detailsOf(
  engine: Engine,
  account: string,
  rows: readonly Row[],
  words: string | undefined,
  survey: string | undefined,
): Promise<(row: Row) => FoundChat> {
  const ids = rows.map((row) => String(row.chat_id));
  const of = async (
    table: string,
    column: string,
    order: string,
    which?: (bind: Bind) => string,
  ): Promise<Map<string, Row[]>> => {
    if (ids.length === 0) return new Map();
    const bind = parameters(engine.dialect);
    const found = await engine.query(
      `select chat_id, ${column}\nfrom facts.${table}\nwhere account = ${bind.value('account', account, 'text')}` +
        ` and chat_id in (${bind.list('id', ids, 'text')})${which ? ` and ${which(bind)}` : ''}\norder by chat_id, ${order}`,
      bind.params,
    );
    return Map.groupBy(found, (row) => String(row.chat_id));
  };
  const agents = await of('chat_agents', 'agent as value', 'position');
  const groups = await of('chat_groups', 'group_id as value', 'group_id');
  const tags = await of('chat_tags', 'tag as value', 'tag');
  const matches = words === undefined ? new Map<string, Row[]>() : await of('messages', 'position, text', 'position', (bind) => `kind <> 'event' and ${holds(bind, 'text', words)}`); // prettier-ignore
  const answers = survey === undefined ? new Map<string, Row[]>() : await of('chat_surveys', 'question, answer', 'position', (bind) => answered(bind, account, survey)); // prettier-ignore
  const answersOf = (id: string) =>
    (answers.get(id) ?? []).map((row) => ({ question: String(row.question), answer: String(row.answer) }));
  const values = (from: Map<string, Row[]>, id: string): Value[] =>
    (from.get(id) ?? []).map((row) => row.value ?? null);
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
      ...{ agents: values(agents, id), groups: values(groups, id), tags: values(tags, id) },
      ...(survey === undefined ? {} : { answers: answersOf(id) }),
      ...(match ? { match: { position: Number(match.position), text: String(match.text) } } : {}),
    };
  };
}
