// The 35 methods of the REST API v2.0, each declared once: verb, path, arguments, answer, scopes and who may call it.
import { z } from 'zod';
import { availability, chatStatus, goalTypes, lists, permissions, statuses } from './account.ts';
import { archive, archivedChat, archivePage } from './archive.ts';
import { longestText, type Fields } from './fields.ts';
import { flag } from './query.ts';

export interface RestMethod {
  verb: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `:name` stands for the login, id or tag. */
  path: string;
  /** An access token needs any one of these scopes; an empty list accepts any valid token. */
  scopes: readonly string[];
  /** Who may call the method: any agent, administrators and the owner, or also an agent who edits their own profile. */
  who: 'anybody' | 'administrator' | 'own profile';
  /** Arguments in the query string of a reading method. */
  query?: z.ZodObject;
  /** Arguments in the body of a writing method. */
  body?: Fields;
  answer: z.ZodType;
}

const result = z.object({ result: z.string() });
const ok = z.object({ ok: z.literal(true) });
const statusNames = ['accepting chats', 'not accepting chats'] as const;
const loginStatus = { kind: 'choice', of: statusNames } as const;
const permission = { kind: 'choice', of: permissions.filter((each) => each !== 'owner') } as const;
const name = { kind: 'text', max: 255 } as const;
const words = { kind: 'text', max: longestText } as const;
const bit = { kind: 'bit' } as const;
const most = 1_000_000_000;
const groupId = { kind: 'whole', min: 0, max: most } as const;
const required = { is_required: true } as const;
const switches = ['new_visitor', 'returning_visitor', 'queued_visitor', 'visitor_is_typing', 'new_goal'] as const;
const tags = { kind: 'texts', max: 100 } as const;
const logins = { kind: 'texts', max: 1000 } as const;
const profile = {
  job_title: name,
  login_status: loginStatus,
  password: { kind: 'text', min: 5, max: 255 },
  permission,
  groups: { kind: 'ids', max: 1000 },
  daily_summary: bit,
  max_chats_count: { kind: 'whole', min: 1, max: 100 },
} as const satisfies Fields;
const goalDetails = {
  custom_variable_name: name,
  custom_variable_value: name,
  url: { kind: 'text', max: 2000 },
  match_type: { kind: 'choice', of: ['substring', 'exact'] },
  sales_tracker_id: name,
  value_type: { kind: 'choice', of: ['set', 'not_set', 'dynamic'] },
  value: { kind: 'decimal' },
  currency: { kind: 'text', min: 3, max: 3 },
  time_range: { kind: 'whole', min: 0, max: most },
  order_field_name: name,
  value_field_name: name,
} as const satisfies Fields;
const goalType = { kind: 'choice', of: goalTypes } as const;
const rules = { kind: 'rules', max: 100 } as const;

/** Fields that an agent may change in their own profile without being an administrator. */
export const ownProfile: readonly string[] = [
  ...['password', 'current_password', 'name', 'job_title', 'daily_summary', 'notifications', 'login_status', 'status'],
];
/** The fields of a goal that belong to its type; a goal of one of the first two types cannot be created without the needed ones. */
export const detailsOf: Record<(typeof goalTypes)[number], { needed: readonly string[]; own: readonly string[] }> = {
  custom_variable: {
    needed: ['custom_variable_name', 'custom_variable_value'],
    own: ['custom_variable_name', 'custom_variable_value'],
  },
  url: { needed: ['url'], own: ['match_type', 'url'] },
  api: { needed: [], own: [] },
  sales_tracker: {
    needed: [],
    own: [
      ...['sales_tracker_id', 'value_type', 'value', 'currency', 'time_range', 'order_field_name', 'value_field_name'],
    ],
  },
};
export const mostAnnouncements = 10;

type ReadMethod = RestMethod & { verb: 'GET'; query: z.ZodObject };
type WriteMethod = RestMethod & { verb: 'POST' | 'PUT' | 'DELETE'; body: Fields };

const reads = (path: string, scopes: readonly string[], query: z.ZodObject, answer: z.ZodType): ReadMethod => ({
  ...{ verb: 'GET', path, scopes, who: 'anybody', query, answer },
});
const writes = (
  verb: 'POST' | 'PUT' | 'DELETE',
  path: string,
  scopes: readonly string[],
  body: Fields,
  answer: z.ZodType,
  who: RestMethod['who'] = 'administrator',
): WriteMethod => ({ verb, path, scopes, who, body, answer });

const none = z.object({});
const scopesOf = {
  agents: { read: ['agents--all:ro', 'agents_read'], write: ['agents--all:rw', 'agents_write'] },
  groups: { read: ['groups--all:ro', 'groups_read'], write: ['groups--all:rw', 'groups_write'] },
} as const;
const { agents, groups, tags: tagList, goals, greetings, canned_responses } = lists;

export const restMethods = {
  list_agents: reads('/agents', scopesOf.agents.read, agents.args, z.array(agents.each)),
  get_agent: reads('/agents/:name', scopesOf.agents.read, none, agents.one),
  create_agent: writes(
    'POST',
    '/agents',
    scopesOf.agents.write,
    {
      login: { kind: 'email', ...required },
      name: { ...name, ...required },
      ...profile,
      notifications: { kind: 'switches', keys: [...switches, 'incoming_chat'], are_all_required: true },
    },
    agents.one,
  ),
  update_agent: writes(
    'PUT',
    '/agents/:name',
    ['agents--my:rw', ...scopesOf.agents.write],
    {
      ...{ name, ...profile, current_password: { kind: 'text', max: 255 } },
      ...{ status: { kind: 'choice', of: statuses }, notifications: { kind: 'switches', keys: switches } },
      work_scheduler: { kind: 'schedule' },
    },
    agents.one,
    'own profile',
  ),
  delete_agent: writes('DELETE', '/agents/:name', scopesOf.agents.write, {}, result),
  reset_api_key: writes(
    'POST',
    '/agents/:name/reset_api_key',
    ['agents--my:rw', ...scopesOf.agents.write],
    {},
    agents.one,
    'own profile',
  ),
  list_chats: reads(archive.path, ['archives_read'], archive.args as unknown as z.ZodObject, archivePage),
  get_chat: reads('/chats/:name', ['archives_read'], z.object({ include_pending: flag }), archivedChat),
  send_transcript: writes(
    'POST',
    '/chats/:name/send_transcript',
    ['archives_read'],
    { to: { kind: 'email', ...required } },
    result,
    'anybody',
  ),
  update_chat_tags: writes(
    'PUT',
    '/chats/:name/tags',
    ['archives_write'],
    { tag: { ...tags, ...required } },
    archivePage,
  ),
  list_canned_responses: reads(
    '/canned_responses',
    ['canned_responses_read'],
    canned_responses.args,
    z.array(canned_responses.each),
  ),
  get_canned_response: reads('/canned_responses/:name', ['canned_responses_read'], none, canned_responses.one),
  create_canned_response: writes(
    'POST',
    '/canned_responses',
    ['canned_responses_write'],
    { text: { ...words, ...required }, tags: { ...tags, ...required }, group: groupId },
    canned_responses.one,
  ),
  update_canned_response: writes(
    'PUT',
    '/canned_responses/:name',
    ['canned_responses_write'],
    { text: words, tags },
    canned_responses.one,
  ),
  delete_canned_response: writes('DELETE', '/canned_responses/:name', ['canned_responses_write'], {}, result),
  list_goals: reads('/goals', ['goals_read'], goals.args, z.array(goals.each)),
  get_goal: reads('/goals/:name', ['goals_read'], none, goals.one),
  create_goal: writes(
    'POST',
    '/goals',
    ['goals_write'],
    { name: { ...name, ...required }, type: { ...goalType, ...required }, ...goalDetails },
    goals.one,
  ),
  update_goal: writes(
    'PUT',
    '/goals/:name',
    ['goals_write'],
    { name, type: goalType, active: bit, ...goalDetails },
    goals.one,
  ),
  delete_goal: writes('DELETE', '/goals/:name', ['goals_write'], {}, result),
  mark_goal_as_successful: writes(
    'POST',
    '/goals/:name/mark_as_successful',
    ['goals_write'],
    {
      visitor_id: { ...name, ...required },
      order_id: name,
      order_description: { kind: 'text', max: 1000 },
      order_price: { kind: 'decimal' },
      order_currency: { kind: 'text', min: 3, max: 3 },
    },
    result,
  ),
  list_greetings: reads('/greetings', ['greetings_read'], greetings.args, z.array(greetings.each)),
  // The API documentation demands the write scope even to read a single greeting.
  get_greeting: reads('/greetings/:name', ['greetings_write'], none, greetings.one),
  create_greeting: writes(
    'POST',
    '/greetings',
    ['greetings_write'],
    {
      name: { ...name, ...required },
      rules: { ...rules, ...required },
      group: groupId,
      active: bit,
      subtype: { kind: 'choice', of: ['announcement'] },
      properties: { kind: 'message', keys: ['greeting-message_text'] },
    },
    greetings.one,
  ),
  update_greeting: writes(
    'PUT',
    '/greetings/:name',
    ['greetings_write'],
    { name, rules, active: bit, properties: { kind: 'message', keys: ['greeting-message_text'] } },
    greetings.one,
  ),
  delete_greeting: writes('DELETE', '/greetings/:name', ['greetings_write'], {}, ok),
  list_groups: reads('/groups', scopesOf.groups.read, groups.args, z.array(groups.each)),
  get_group: reads('/groups/:name', scopesOf.groups.read, none, groups.one),
  create_group: writes(
    'POST',
    '/groups',
    scopesOf.groups.write,
    { name: { ...name, ...required }, agents: { ...logins, ...required }, language: { kind: 'text', min: 2, max: 10 } },
    groups.one,
  ),
  update_group: writes(
    'PUT',
    '/groups/:name',
    scopesOf.groups.write,
    { name, agents: logins, language: { kind: 'text', min: 2, max: 10 } },
    groups.one,
  ),
  delete_group: writes('DELETE', '/groups/:name', scopesOf.groups.write, {}, result),
  get_status: reads(chatStatus.path, [], chatStatus.args, availability),
  list_tags: reads('/tags', ['tags_read'], tagList.args, z.array(tagList.each)),
  create_tag: writes(
    'POST',
    '/tags',
    ['tags_write'],
    {
      author: { kind: 'email', ...required },
      tag: { ...name, ...required },
      group: { ...groupId, ...required },
    },
    tagList.one,
  ),
  delete_tag: writes('DELETE', '/tags/:name', ['tags_write'], { group: groupId }, ok),
} as const satisfies Record<string, RestMethod>;

export type RestMethodId = keyof typeof restMethods;
export const restMethodIds = Object.keys(restMethods) as RestMethodId[];
