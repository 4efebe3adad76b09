// Which fields of the lists of an account the columns of its tables are made of.
import type { Origins } from './origins.ts';

type Columns = Readonly<Record<string, readonly string[]>>;

const list = (path: string, tables: Record<string, Columns>): Origins => ({
  request: `GET ${path}`,
  decoder: 'etl/decode/account.ts',
  tables: Object.fromEntries(Object.entries(tables).map(([table, columns]) => [`account.${table}`, columns])),
});

/** Columns that have the name of their field. */
const same = (...names: string[]): Columns => Object.fromEntries(names.map((name) => [name, [name]]));

export const originsOfLists: readonly Origins[] = [
  list('/agents', { agents: same('login', 'name', 'permission', 'status') }),
  list('/groups', {
    groups: { ...same('name', 'language', 'status'), group_id: ['id'] },
    group_agents: { group_id: ['id'], login: ['agents[]'] },
  }),
  list('/tags', {
    tags: {
      ...same('name', 'author'),
      group_id: ['group'],
      created_at: ['creation_date'],
      in_chats: ['count.inChats'],
      in_tickets: ['count.inTickets'],
    },
  }),
  list('/goals', { goals: { ...same('name', 'type'), goal_id: ['id'], is_active: ['active'] } }),
  list('/greetings', {
    greetings: {
      ...same('name'),
      greeting_id: ['id'],
      is_active: ['active'],
      message: ['properties.greeting-message_text'],
    },
  }),
  list('/canned_responses', {
    canned_responses: {
      ...same('text', 'created_by'),
      response_id: ['id'],
      group_id: ['group'],
      tags: ['tags[]'],
      created_at: ['creation_date'],
      modified_at: ['modification_date'],
    },
  }),
  list('/status', { status: same('status') }),
];
