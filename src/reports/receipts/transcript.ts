// One chat as it was written: its lines, the waits that they close, and the two lines that make a duration marked.
import { parameters } from '#warehouse/bind.ts';
import type { QueryContext } from '#warehouse/context.ts';
import type { Row, Value } from '#warehouse/engine.ts';
import { tableOf } from '#warehouse/tables.ts';
import { turnsOf, type Turn } from './turns.ts';

export interface Mark {
  /** Positions of lines. */
  from: number;
  to: number;
  seconds: number;
  what: 'first response' | 'response' | 'queue';
}

export interface Transcript {
  chat: Record<string, Value | Value[] | Row[]>;
  lines: Row[];
  marks: Mark[];
}

/** Which marks a reader came for: those of a metric, and of one agent. */
export interface MarksFor {
  metric?: string | undefined;
  agent?: string | undefined;
}

const queueMetrics = ['queued_visitors', 'waiting_times', 'service_level'];

function marksOf(
  turns: readonly Turn[],
  lines: readonly Row[],
  queue: number | null,
  { metric, agent }: MarksFor,
): Mark[] {
  const isAsked = (...metrics: string[]): boolean => metric === undefined || metrics.includes(metric);
  const first = Number(lines[0]?.position ?? 0);
  const marks: Mark[] = [];
  if (queue !== null && lines.length > 0 && isAsked(...queueMetrics))
    marks.push({ from: first, to: first, seconds: queue, what: 'queue' });
  for (const [at, turn] of turns.entries()) {
    if (agent !== undefined && turn.agent !== agent) continue;
    const isFirst = at === 0 && isAsked('first_response_time');
    if (!isFirst && !isAsked('response_time')) continue;
    marks.push({ from: turn.from, to: turn.to, seconds: turn.seconds, what: isFirst ? 'first response' : 'response' });
  }
  return marks;
}

const key = ['account', 'chat_id', 'started_at', 'started_quarter'];
const columnsOf = (table: string): string =>
  Object.keys(tableOf('facts', table).columns)
    .map((name) => `f."${name}"`)
    .join(', ');
const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Null when there is no such chat. */
export async function transcriptOf(
  { snapshot, account }: QueryContext,
  id: string,
  marked: MarksFor,
): Promise<Transcript | null> {
  const of = async (table: string, columns: string, order: string): Promise<Row[]> => {
    const bind = parameters(snapshot.engine.dialect);
    return snapshot.engine.query(
      `select ${columns}\nfrom facts.${table} as f\nwhere f.account = ${bind.value('account', account.id, 'text')}` +
        ` and f.chat_id = ${bind.value('id', id, 'text')}\norder by ${order}`,
      bind.params,
    );
  };
  const [chat] = await of('chats', columnsOf('chats'), 'f.chat_id');
  if (!chat) return null;
  const lines = await of('messages', columnsOf('messages'), 'f.position');
  const turns = turnsOf(lines);
  const closing = new Map(turns.map((turn) => [turn.to, turn.seconds]));
  const values = async (table: string, column: string, order = column): Promise<Value[]> =>
    (await of(table, `f.${column}`, order)).map((row) => row[column] ?? null);
  const rows = async (table: string, order: string): Promise<Row[]> =>
    (await of(table, columnsOf(table), order)).map((row) => without(row, key));
  return {
    chat: {
      ...chat,
      agents: await values('chat_agents', 'agent', 'position'),
      groups: await values('chat_groups', 'group_id'),
      tags: await values('chat_tags', 'tag'),
      goals: await rows('chat_goals', 'position'),
      surveys: await rows('chat_surveys', 'survey desc, position'),
    },
    lines: lines.map((line) => {
      const seconds = closing.get(Number(line.position));
      const shown = without(line, [...key, 'at_second']);
      return seconds === undefined ? shown : { ...shown, wait_seconds: seconds };
    }),
    marks: marksOf(turns, lines, chat.queue_seconds === null ? null : Number(chat.queue_seconds), marked),
  };
}
