// The lists of an account: who works there, in which groups, with which tags, goals and greetings.
import { text, int, bool, instant, maybe, ofAgent, account, pulledAt, type Column, type Table } from './table.ts';

/** An account list, replaced whole when its content changes. */
const list = (name: string, comment: string, columns: Record<string, Column>, key: string[]): Table => ({
  schema: 'account',
  name,
  comment,
  columns: { account, ...columns, pulled_at: pulledAt },
  key: ['account', ...key],
  order: ['account', ...key],
});

/** Not pulled. */
const setByPeople: readonly Table[] = [
  {
    schema: 'account',
    name: 'business_hours',
    comment: 'Business hours as they were set when the snapshot was published; no rows when there are none.',
    columns: {
      account,
      group_id: maybe(int('group with hours of its own; null: everybody else')),
      valid_from: maybe({ type: 'date', comment: 'first local day; null: from the beginning' }),
      timezone: text('IANA zone of the times'),
      ...Object.fromEntries(
        ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [
          name,
          text('shifts that begin on this day, with spaces; empty: closed'),
        ]),
      ),
      holidays: text('local days on which no shift begins, with spaces'),
      bit: { type: 'bigint', comment: 'whose bit it is in open_hours.open_in' },
    },
    key: ['account', 'group_id', 'valid_from'],
    order: ['account', 'bit', 'valid_from'],
  },
  {
    schema: 'account',
    name: 'open_hours',
    comment: 'The time that business_hours make, as far as there are chats: where nobody is open there is no row.',
    columns: {
      account,
      from_second: { type: 'bigint', comment: 'begin, as Unix seconds' },
      until_second: { type: 'bigint', comment: 'end, as Unix seconds' },
      open_in: { type: 'bigint', comment: 'the bits of business_hours that are open, added up' },
    },
    key: ['account', 'from_second'],
    order: ['account', 'from_second'],
  },
  {
    schema: 'account',
    name: 'variables',
    comment:
      'Custom variables and questions of surveys that were declared when the snapshot was published: facts.chat_dimensions has their values.',
    columns: {
      account,
      variable_id: text('id, as questions name it'),
      title: text('how it is shown'),
      source: text('custom_variable, prechat or postchat'),
      name: text('name of the custom variable, or the question'),
      position: int('0-based place in the order of the declaration'),
    },
    key: ['account', 'variable_id'],
    order: ['account', 'position'],
  },
];

export const accountLists: readonly Table[] = [
  ...setByPeople,
  list(
    'agents',
    'Agents of the account as last pulled; an agent missing from the newest list is kept with is_removed.',
    {
      login: text('login, an e-mail address'),
      name: text('name'),
      permission: text('owner, administrator or normal'),
      status: text('accepting chats, not accepting chats or offline'),
      is_removed: bool('no longer in the list of the source'),
    },
    ['login'],
  ),
  list(
    'groups',
    'Groups of the account.',
    {
      group_id: int('group id'),
      name: text('name'),
      language: text('language code'),
      status: text('accepting chats, not accepting chats or offline'),
    },
    ['group_id'],
  ),
  list('group_agents', 'Who is in which group.', { group_id: int('group id'), login: text('login') }, [
    'group_id',
    'login',
  ]),
  list(
    'tags',
    'Tags of the account.',
    {
      name: text('tag'),
      group_id: int('group the tag belongs to'),
      author: ofAgent(text('login of who added it')),
      created_at: instant('when it was added (UTC)'),
      in_chats: int('uses in chats'),
      in_tickets: int('uses in tickets'),
    },
    ['name', 'group_id'],
  ),
  list(
    'goals',
    'Goals of the account.',
    {
      goal_id: int('goal id'),
      name: text('name'),
      is_active: bool('active'),
      type: text('custom_variable, url, api or sales_tracker'),
    },
    ['goal_id'],
  ),
  list(
    'greetings',
    'Greetings of the account.',
    {
      greeting_id: int('greeting id'),
      name: text('name'),
      is_active: bool('active'),
      message: text('text shown to the visitor'),
    },
    ['greeting_id'],
  ),
  list(
    'canned_responses',
    'Canned responses of the account.',
    {
      response_id: int('id'),
      group_id: int('group'),
      text: text('text'),
      tags: text('tags, one a line'),
      created_by: ofAgent(text('login')),
      created_at: instant('when it was written (UTC)'),
      modified_at: maybe(instant('when it was last changed (UTC)')),
    },
    ['response_id'],
  ),
  list(
    'status',
    'Whether the chat was online at the time of the pull.',
    { group_id: int('group; 0 is everybody'), status: text('online or offline') },
    ['group_id'],
  ),
];
