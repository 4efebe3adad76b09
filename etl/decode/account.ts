// The account lists become flat rows of the account tables. Pure.
import { z } from 'zod';
import { availability, lists, type ListId } from '#contract/account.ts';
import type { FlatRow } from './chats.ts';
import { Misshapen } from './reports.ts';
import { complaintOf, misfitIn, named, withoutNulls } from './coerce.ts';

type TableRows = Record<string, FlatRow[]>;
type ListEntry<K extends ListId> = z.infer<(typeof lists)[K]['each']>;

const decoders: { [K in ListId]: (each: ListEntry<K>[]) => TableRows } = {
  agents: (agents) => ({
    agents: agents.map(({ login, name, permission, status }) => ({
      login,
      name: named(name),
      permission,
      status,
      is_removed: false,
    })),
  }),
  groups: (groups) => ({
    groups: groups.map(({ id, name, language, status }) => ({ group_id: id, name: named(name), language, status })),
    group_agents: groups.flatMap(({ id, agents = [] }) => agents.map((login) => ({ group_id: id, login }))),
  }),
  tags: (tags) => ({
    tags: tags.map(({ name, author, creation_date, count, group }) => ({
      name: named(name),
      group_id: group,
      author,
      created_at: creation_date,
      in_chats: count.inChats,
      in_tickets: count.inTickets,
    })),
  }),
  goals: (goals) => ({
    goals: goals.map(({ id, name, active, type }) => ({
      goal_id: id,
      name: named(name),
      is_active: active === 1,
      type,
    })),
  }),
  greetings: (greetings) => ({
    greetings: greetings.map(({ id, name, active, properties }) => ({
      greeting_id: id,
      name: named(name),
      is_active: active,
      message: properties['greeting-message_text'],
    })),
  }),
  canned_responses: (responses) => ({
    canned_responses: responses.map((response) => ({
      response_id: response.id,
      group_id: response.group,
      text: response.text,
      tags: response.tags.join('\n'),
      created_by: response.created_by,
      created_at: response.creation_date,
      modified_at: response.modification_date ?? null,
    })),
  }),
};

/** The rows of a list. */
export interface ListRows {
  /** By account table. */
  rows: TableRows;
  /** Records that could not be decoded. */
  misfits: { record_id: string; reason: string; body: string }[];
  /** Ids of the records that could. */
  good: string[];
}

/** An invalid record does not hide the others. @throws Misshapen if the answer is not a list. */
export function decodeList(id: ListId | 'status', body: unknown): ListRows {
  if (id === 'status') return decodeStatus(body);
  if (!Array.isArray(body)) throw new Misshapen(`${id}: the answer is no list`);
  const records: unknown[] = [];
  const misfits: ListRows['misfits'] = [];
  const good: string[] = [];
  const decode = decoders[id] as (each: unknown[]) => TableRows;
  for (const [place, record] of body.entries()) {
    const record_id = idOf(record) ?? `#${place}`;
    const asItStands = lists[id].each.safeParse(record);
    const parsed = asItStands.success ? asItStands : lists[id].each.safeParse(withoutNulls(record));
    const reason = parsed.success ? misfitAmong(decode([parsed.data])) : complaintOf(parsed.error);
    if (reason) misfits.push({ record_id, reason, body: JSON.stringify(record) });
    else {
      records.push(parsed.data);
      good.push(record_id);
    }
  }
  return { rows: decode(records), misfits, good };
}

function decodeStatus(body: unknown): ListRows {
  const parsed = availability.safeParse(body);
  if (!parsed.success) throw new Misshapen(`status: ${complaintOf(parsed.error)}`);
  return { rows: { status: [{ group_id: 0, status: parsed.data.status }] }, misfits: [], good: ['0'] };
}

const misfitAmong = (rows: TableRows): string | undefined =>
  Object.entries(rows)
    .map(([table, each]) => misfitIn('account', table, each))
    .find(Boolean);

/** Whatever tells the record apart: a login, an id or a name. */
function idOf(record: unknown): string | undefined {
  const { login, id, name } = (record ?? {}) as Record<string, unknown>;
  const known = login ?? id ?? name;
  return typeof known === 'string' || typeof known === 'number' ? String(known) : undefined;
}
