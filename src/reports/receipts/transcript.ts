// One chat as it was written: its lines, the waits that they close, and the two lines that make a duration marked.
import { columnsIn } from '#warehouse/query/file-columns.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import type { Row, Value } from '#warehouse/engine.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { linesOfChat, rowsOfChats, type ChatTableRead, type Lines } from '#warehouse/read/chats.ts';
import { turnsOf, type ReceiptTurn } from './turns.ts';

interface TranscriptMark {
  /** Positions of lines. */
  from: number;
  to: number;
  seconds: number;
  what: 'first response' | 'response' | 'queue';
}

interface ChatTranscript {
  chat: Record<string, Value | Value[] | Row[]>;
  lines: Row[];
  /** How many lines the chat has; `lines` may be a part of them. */
  total_lines: number;
  /** Those that begin or end in `lines`. */
  marks: TranscriptMark[];
}

/** Which marks a reader came for: those of a metric, and of one agent. */
interface MarksFor {
  metric?: string | undefined;
  agent?: string | undefined;
}

function marksOf(
  turns: readonly ReceiptTurn[],
  lines: readonly Row[],
  queue: number | null,
  { metric, agent }: MarksFor,
): TranscriptMark[] {
  const shown = metric && new Set(Object.values(metricOf(metric).recipe.measures).map(({ lines }) => lines));
  const isAsked = (what: TranscriptMark['what']): boolean => !shown || shown.has(what);
  const first = Number(lines[0]?.position ?? 0);
  const marks: TranscriptMark[] = [];
  if (queue !== null && lines.length > 0 && isAsked('queue'))
    marks.push({ from: first, to: first, seconds: queue, what: 'queue' });
  for (const [at, turn] of turns.entries()) {
    if (agent !== undefined && turn.agent !== agent) continue;
    const isFirst = at === 0 && isAsked('first response');
    if (!isFirst && !isAsked('response')) continue;
    marks.push({ from: turn.from, to: turn.to, seconds: turn.seconds, what: isFirst ? 'first response' : 'response' });
  }
  return marks;
}

const key = ['account', 'chat_id', 'started_at', 'started_quarter'];
const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Columns needed to build turns. */
const ofTurns = ['position', 'kind', 'user_type', 'agent', 'at_second'];

/** Null if the chat does not exist. */
export async function transcriptOf(
  { snapshot, account }: QueryContext,
  id: string,
  marked: MarksFor,
  wanted: Lines = {},
): Promise<ChatTranscript | null> {
  const { engine } = snapshot;
  const whose = { account: account.id };
  const of = (table: ChatTableRead['table'], ...order: string[]): Promise<Row[]> =>
    rowsOfChats(engine, whose, [id], { table, order });
  const [chat] = await of('chats');
  if (!chat) return null;
  const all = await rowsOfChats(engine, whose, [id], { table: 'messages', columns: ofTurns, order: ['position'] });
  const lines = await linesOfChat(engine, account.id, id, wanted);
  const positions = new Set(lines.map(({ position }) => Number(position)));
  const turns = turnsOf(all);
  const marks = marksOf(turns, all, chat.queue_seconds === null ? null : Number(chat.queue_seconds), marked);
  const closing = new Map(turns.map((turn) => [turn.to, turn.seconds]));
  const values = async (table: ChatTableRead['table'], column: string, order = column): Promise<Value[]> =>
    (await of(table, order)).map((row) => row[column] ?? null);
  const rows = async (table: ChatTableRead['table'], ...order: string[]): Promise<Row[]> =>
    (await of(table, ...order)).map((row) => without(row, key));
  return {
    chat: {
      ...chat,
      agents: await values('chat_agents', 'agent', 'position'),
      groups: await values('chat_groups', 'group_id'),
      tags: await values('chat_tags', 'tag'),
      goals: await rows('chat_goals', 'position'),
      surveys: await rows('chat_surveys', 'survey desc', 'position'),
      variables: (await columnsIn(engine)).has('facts.chat_variables') ? await rows('chat_variables', 'name') : [],
    },
    lines: lines.map((line) => {
      const seconds = closing.get(Number(line.position));
      const shown = without(line, [...key, 'at_second', ...(line.text_length === null ? ['text_length'] : [])]);
      return seconds === undefined ? shown : { ...shown, wait_seconds: seconds };
    }),
    total_lines: all.length,
    marks: marks.filter(({ from, to }) => positions.has(from) || positions.has(to)),
  };
}
