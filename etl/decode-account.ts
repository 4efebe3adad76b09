// The account lists become flat rows of the account tables. Pure.
import { z } from 'zod';
import { availability, lists, type ListId } from '#contract/account.ts';
import type { FlatRow } from './decode-chats.ts';

type Rows = Record<string, FlatRow[]>;
type Each<K extends ListId> = z.infer<(typeof lists)[K]['each']>;

const decoders: { [K in ListId]: (each: Each<K>[]) => Rows } = {
  agents: (agents) => ({
    agents: agents.map(({ login, name, permission, status }) => ({
      login,
      name,
      permission,
      status,
      is_removed: false,
    })),
  }),
  groups: (groups) => ({
    groups: groups.map(({ id, name, language, status }) => ({ group_id: id, name, language, status })),
    group_agents: groups.flatMap(({ id, agents = [] }) => agents.map((login) => ({ group_id: id, login }))),
  }),
  tags: (tags) => ({
    tags: tags.map(({ name, author, creation_date, count, group }) => ({
      name,
      group_id: group,
      author,
      created_at: creation_date,
      in_chats: count.inChats,
      in_tickets: count.inTickets,
    })),
  }),
  goals: (goals) => ({
    goals: goals.map(({ id, name, active, type }) => ({ goal_id: id, name, is_active: active === 1, type })),
  }),
  greetings: (greetings) => ({
    greetings: greetings.map(({ id, name, active, properties }) => ({
      greeting_id: id,
      name,
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

/** Rows by account table. Throws a ZodError when the list does not have its shape. */
export function decodeList(id: ListId, body: unknown): Rows {
  const each = z.array(lists[id].each).parse(body);
  return (decoders[id] as (each: unknown[]) => Rows)(each);
}

export const decodeStatus = (body: unknown): Rows => ({
  status: [{ group_id: 0, status: availability.parse(body).status }],
});
