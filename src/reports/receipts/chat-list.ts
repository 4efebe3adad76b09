// The chats of a receipt as a list shows them: who, when, and the lines that show what each contributes.
import type { Queryable, Row, Value } from '#warehouse/engine.ts';
import type { AskedAccounts } from '#warehouse/query/asked-accounts.ts';
import { rowsOfChats, type ChatTableRead } from '#warehouse/read/chats.ts';
import type { MeasureRecipe } from '#warehouse/definitions/recipe.ts';
import type { Contributor } from '#warehouse/receipts/sum.ts';
import { turnsOf } from './turns.ts';

export interface ReceiptChat {
  /** Of a receipt of several accounts. */
  account?: string;
  chat_id: string;
  started_at: Value;
  ended_at: Value;
  visitor_name: Value;
  agents: string[];
  contribution: number | null;
  unit: string;
  words: string;
  lines: { from: number; to: number }[];
}

/** Tells apart chats of several accounts; of one the account is left out of rows and ids alike. */
const keyOf = (account: unknown, chat_id: unknown): string => `${String(account ?? '')} ${String(chat_id)}`;
const keyOfRow = (row: Row): string => keyOf(row.account, row.chat_id);

/** `agents`: whose turns are marked; undefined for everybody's. */
function linesFor(
  of: MeasureRecipe['lines'],
  lines: readonly Row[],
  agents: readonly Value[] | undefined,
): ReceiptChat['lines'] {
  if (of === undefined || lines.length === 0) return [];
  const first = Number(lines[0]?.position ?? 0);
  if (of === 'queue') return [{ from: first, to: first }];
  const turns = turnsOf(lines);
  const marked =
    of === 'first response' ? turns.slice(0, 1) : turns.filter((turn) => !agents || agents.includes(turn.agent));
  return marked.map(({ from, to }) => ({ from, to }));
}

export async function listedChats(
  engine: Queryable,
  whose: AskedAccounts,
  made: MeasureRecipe,
  shown: readonly Contributor[],
  agents: readonly Value[] | undefined,
): Promise<ReceiptChat[]> {
  if (shown.length === 0) return [];
  const ids = [...new Set(shown.map(({ chat_id }) => chat_id))];
  const rowsOf = (wanted: ChatTableRead): Promise<Row[]> => rowsOfChats(engine, whose, ids, wanted);
  const order = ['position'];
  const chats = await rowsOf({ table: 'chats', columns: ['started_at', 'ended_at', 'visitor_name'], order: [] });
  const took = Map.groupBy(await rowsOf({ table: 'chat_agents', columns: ['agent'], order }), keyOfRow);
  const columns = ['position', 'kind', 'user_type', 'agent', 'at_second'];
  const said = Map.groupBy(made.lines ? await rowsOf({ table: 'messages', columns, order }) : [], keyOfRow);
  const byId = new Map(chats.map((row) => [keyOfRow(row), row]));
  return shown.map(({ account, chat_id, contribution, words: inWords }) => {
    const own = whose.pool ? { account } : {};
    const key = keyOf(own.account, chat_id);
    const chat = byId.get(key);
    return {
      ...{ ...own, chat_id },
      started_at: chat?.started_at ?? null,
      ended_at: chat?.ended_at ?? null,
      visitor_name: chat?.visitor_name ?? null,
      agents: (took.get(key) ?? []).map((row) => String(row.agent)),
      contribution,
      unit: made.unit,
      words: inWords,
      lines: linesFor(made.lines, said.get(key) ?? [], agents),
    };
  });
}
