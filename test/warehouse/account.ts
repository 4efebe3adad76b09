// A small account in an in-memory warehouse, described in a few words a chat.
import type { Row, Store } from '#warehouse/engine.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import { weekdays } from '#warehouse/periods.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tableOf, type Table } from '#warehouse/tables/tables.ts';

export interface Goal {
  id: number;
  at: string;
  sale?: boolean;
  price?: string;
  currency?: string;
}

export interface Chat {
  start: string;
  /** Length in seconds; default 600. */
  seconds?: number;
  agents?: readonly string[];
  groups?: readonly number[];
  tags?: readonly string[];
  rate?: 'rated_good' | 'rated_bad' | 'rated' | 'not_rated';
  engagement?: string;
  queue?: number;
  isReplied?: boolean;
  /** Seconds to the first response, and who sent it. */
  first?: readonly [number, string];
  /** Per agent: seconds over the turns closed, and how many. */
  turns?: Readonly<Record<string, readonly [number, number]>>;
  country?: string;
  visitor?: string;
  goals?: readonly Goal[];
  /** Custom variables by name. */
  variables?: ReadonlyMap<string, string>;
}

export const second = (instant: string): number => Date.parse(instant) / 1000;

/** Columns a test does not care about. */
function filled(table: Table, row: Row): Row {
  const empty = { text: '', int: 0, bigint: 0, double: 0, decimal: 0, bool: false, date: '2000-01-01', instant: 0 };
  return Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [
      name,
      name in row ? (row[name] ?? null) : column.nullable ? null : name === 'account' ? 'default' : empty[column.type],
    ]),
  );
}

export async function insert(
  engine: Store,
  schema: Table['schema'],
  name: string,
  rows: readonly Row[],
): Promise<void> {
  const table = tableOf(schema, name);
  await engine.load(
    table,
    rows.map((row) => filled(table, row)),
  );
}

/** The first response after ten seconds, then what each agent closed, an hour apart: together the seconds that are said. */
function turnsOf({ first, turns = {} }: Chat, start: number): Row[] {
  const rows: Row[] = [];
  const add = (agent: string, asked: number, seconds: number): void =>
    void rows.push({ position: rows.length, agent, asked_second: asked, answered_second: asked + seconds });
  if (first) add(first[1], start + 10, first[0]);
  for (const [agent, [seconds, count]] of Object.entries(turns))
    for (let turn = 0; turn < count; turn++) {
      const each = Math.floor(seconds / count);
      add(agent, start + 3600 * (rows.length + 1), turn === 0 ? seconds - each * (count - 1) : each);
    }
  // Without a first response there is no first turn.
  return first ? rows : rows.map((row) => ({ ...row, position: Number(row.position) + 1 }));
}

function factsOf(chat: Chat, index: number): Record<string, Row[]> {
  const start = second(chat.start);
  const end = start + (chat.seconds ?? 600);
  const own = {
    chat_id: `C${String(index).padStart(6, '0')}`,
    started_at: start,
    started_quarter: Math.floor(start / 900),
  };
  // What bridges repeat.
  const repeated = {
    ...{ rate: chat.rate ?? 'not_rated', queue_seconds: chat.queue ?? null, is_replied: chat.isReplied ?? true },
  };
  const turns = Object.values(chat.turns ?? {});
  const turnCount = turns.reduce((sum, [, count]) => sum + count, 0);
  const ofChat = {
    ...{ ...own, ...repeated, first_response_seconds: chat.first?.[0] ?? null },
    response_seconds: turnCount === 0 ? null : turns.reduce((sum, [seconds]) => sum + seconds, 0) / turnCount,
  };
  return {
    chats: [
      {
        ...{ ...ofChat, ended_at: end },
        started_second: Math.floor(start),
        ended_second: Math.floor(end),
        duration_seconds: end - start,
        engagement: chat.engagement ?? 'immediate_start',
        country: chat.country ?? null,
        visitor_id: chat.visitor ?? '',
        first_response_agent: chat.first?.[1] ?? null,
        response_turns: turnCount,
      },
    ],
    chat_agents: (chat.agents ?? ['a@x.test']).map((agent, position) => ({
      ...{ ...own, ...repeated },
      agent,
      position,
      first_response_seconds: chat.first?.[1] === agent ? chat.first[0] : null,
      response_sum_seconds: chat.turns?.[agent]?.[0] ?? 0,
      response_turns: chat.turns?.[agent]?.[1] ?? 0,
    })),
    chat_turns: turnsOf(chat, start).map((row) => ({ ...own, ...row })),
    chat_groups: (chat.groups ?? [0]).map((group_id) => ({ ...ofChat, group_id })),
    chat_tags: (chat.tags ?? []).map((tag) => ({ ...ofChat, tag })),
    chat_goals: (chat.goals ?? []).map((goal, position) => ({
      ...own,
      position,
      goal_id: goal.id,
      is_sale_tracker: goal.sale ?? false,
      reached_at: second(goal.at),
      reached_quarter: Math.floor(second(goal.at) / 900),
      price: goal.price ?? null,
      currency: goal.currency ?? null,
    })),
    chat_variables: [...(chat.variables ?? [])].map(([name, value]) => ({ ...own, name, value })),
  };
}

/** Marks local days `from` to `to` of a source as pulled at an instant. */
export const pulled = (
  engine: Store,
  zone: string,
  from: string,
  to: string,
  at: string,
  of: Row = { source: 'archive', grain: 'day', split: 'account', split_value: '' },
): Promise<void> => pulledOfAll(engine, zone, from, to, at, [of]);

/** The same of many sources at once. */
export async function pulledOfAll(
  engine: Store,
  zone: string,
  from: string,
  to: string,
  at: string,
  all: readonly Row[],
): Promise<void> {
  const days: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000)
    days.push(new Date(day).toISOString().slice(0, 10));
  const rows = all.flatMap((of) =>
    days.map((day) => ({ ...of, timezone: zone, day, state: 'pulled', pulled_at: second(at) })),
  );
  await insert(engine, 'ledger', 'periods', rows);
}

/** `first` numbers the first of them: chats are named by their numbers. */
export async function addChats(engine: Store, chats: readonly Chat[], first = 0): Promise<void> {
  const rows: Record<string, Row[]> = {};
  for (const [index, chat] of chats.entries())
    for (const [name, some] of Object.entries(factsOf(chat, first + index))) (rows[name] ??= []).push(...some);
  for (const [name, some] of Object.entries(rows)) await insert(engine, 'facts', name, some);
}

/** Split shifts of everybody, and a group with nights of its own. */
export const someHours: BusinessHours = {
  hours: [
    {
      ...{ valid_from: null, timezone: 'Europe/Warsaw', holidays: ['2026-03-30'] },
      week: Object.fromEntries(weekdays.map((name) => [name, ['09:00-12:00', '13:00-17:30']])),
    },
  ],
  groups: [{ group: 2, hours: [{ valid_from: null, timezone: 'UTC', week: { sun: ['20:00-06:00'] }, holidays: [] }] }],
};

/** A warehouse with these chats and `someHours`, all of 2026 pulled in `zone` at the end of it. */
export async function account(chats: readonly Chat[], zone = 'UTC'): Promise<Store> {
  const engine = await openWarehouse(':memory:');
  await addChats(engine, chats);
  await setBusinessHours(engine, 'default', someHours);
  await pulled(engine, zone, '2025-12-28', '2027-01-05', '2027-02-01T00:00:00Z');
  return engine;
}

/** A context long after 2026. */
export const later = { account: 'default', zone: 'UTC', now: second('2027-03-01T00:00:00Z') };
