// Turns one chat of list_archives (v3.5) into the same flat rows as the same chat of the v2.0 archive. Pure. It is converted to the v2.0
// form first, so that later decisions are made in one place.
import type { ArchivedChat } from '#contract/archive.ts';
import type { FormField, Thread, ThreadedChat, ThreadEvent, ThreadUser } from '#contract/threads.ts';
import { decodeChat, type DecodedChat, type Provenance } from './chats.ts';

/** Rows of one thread by facts table; a thread is what v2.0 calls a chat. */
export const decodeThread = (chat: ThreadedChat, from: Provenance): DecodedChat =>
  decodeChat(asArchived(chat), { ...from, source: 'agent_v3' });

/** A field of a facts table that list_archives cannot provide as v2.0 does, and why. */
interface NotGiven {
  field: string;
  reason: string;
}

/** Fields that a comparison of the two sources skips. All others must be equal. */
export const notGiven: readonly NotGiven[] = [
  { field: 'chats.source', reason: 'names the source itself' },
  { field: 'chats.content_hash', reason: 'the record as received has another form' },
  { field: 'chats.visitor_id', reason: 'v3.5 names customers by a UUID of its own, v2.0 visitors by another id' },
  { field: 'chats.source_timezone', reason: 'v3.5 writes all times in UTC' },
  { field: 'chat_goals', reason: 'list_archives can filter by goals and sales, but does not list them' },
  { field: 'messages.text of files', reason: 'v2.0 writes a sentence about an attachment, v3.5 the name of the file' },
  { field: 'messages.author_name of nameless visitors', reason: 'v2.0 writes a word of its own, v3.5 no name' },
  { field: 'the closing event', reason: 'v3.5 always has one, v2.0 leaves it out of some chats' },
  {
    field: 'chats.rate `rated`',
    reason: 'v3.5 knows the scores good and bad only; rated without a score is not_rated',
  },
];

function asArchived(chat: ThreadedChat): ArchivedChat {
  const { users, thread } = chat;
  const started = secondOf(thread.created_at);
  const events = [...(thread.events ?? [])].sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  const ended = endOf(events, started);
  return {
    type: 'chat',
    id: thread.id,
    visitor: visitorOf(users),
    agents: users.flatMap((user) =>
      user.type === 'agent' && user.visibility !== 'agents' ? [{ display_name: user.name, email: user.id }] : [],
    ),
    supervisors: [],
    rate: rateOf(thread),
    duration: ended - started,
    chat_start_url: textOf(thread, 'routing', 'start_url'),
    referrer: textOf(thread, 'routing', 'referrer'),
    group: thread.access.group_ids,
    started: '',
    started_timestamp: started,
    ended_timestamp: ended,
    prechat_survey: answersOf(events, 'prechat'),
    postchat_survey: answersOf(events, 'postchat'),
    custom_variables: variablesOf(users),
    ...(thread.queues_duration !== undefined && { queue: { duration: thread.queues_duration } }),
    tags: thread.tags ?? [],
    timezone: '',
    messages: [],
    events: events.flatMap((event) => lineOf(event, users)),
    engagement: engagementOf(thread),
  };
}

/** Whole Unix seconds; v3.5 writes microseconds. */
const secondOf = (moment: string): number => Math.floor(Date.parse(moment) / 1000);

const valueOf = ({ properties }: Pick<Thread, 'properties'>, namespace: string, name: string) =>
  properties?.[namespace]?.[name];
const textOf = (thread: Thread, namespace: string, name: string): string => {
  const value = valueOf(thread, namespace, name);
  return typeof value === 'string' ? value : '';
};

/** System messages that close a thread: by an agent, by the customer, by the router. */
const closing = /(^|\.)(manual_)?archived_|^customer_banned$/;
const isClosing = ({ type, system_message_type = '' }: ThreadEvent): boolean =>
  type === 'system_message' && closing.test(system_message_type);

/** A thread has no field for its end: its closing line tells it, without one its last line. */
function endOf(events: readonly ThreadEvent[], started: number): number {
  const last = events.findLast(isClosing) ?? events.findLast(isSaid);
  return last ? Math.max(started, secondOf(last.created_at)) : started;
}
const isSaid = ({ type }: ThreadEvent): boolean => type === 'message' || type === 'file' || type === 'rich_message';

function visitorOf(users: readonly ThreadUser[]): ArchivedChat['visitor'] {
  const customer = users.find((user) => user.type === 'customer');
  const { ip, user_agent, geolocation = {} } = customer?.last_visit ?? {};
  const { city, country, country_code, region, timezone } = geolocation;
  return {
    id: customer?.id ?? '',
    name: customer?.name,
    ip,
    user_agent,
    city,
    country,
    country_code,
    region,
    timezone,
  };
}

function rateOf(thread: Thread): string {
  const score = valueOf(thread, 'rating', 'score');
  return score === 1 ? 'rated_good' : score === 0 ? 'rated_bad' : 'not_rated';
}

/** A greeting leads to a chat by invitation; the two client ids differ when an agent began it. */
function engagementOf(thread: Thread): string {
  if (valueOf(thread, 'lc2', 'greeting_id') !== undefined) return 'auto_invite';
  const agents = textOf(thread, 'source', 'client_id');
  const customers = textOf(thread, 'source', 'customer_client_id');
  return agents !== '' && customers !== '' && agents !== customers ? 'manual_invite' : 'immediate_start';
}

type ArchivedLine = ArchivedChat['events'][number];

/** Forms are surveys and ratings a column of their own; neither is a line of v2.0. */
function lineOf(event: ThreadEvent, users: readonly ThreadUser[]): ArchivedLine[] {
  const { type, author_id, text = '', system_message_type = '' } = event;
  const at = { date: '', timestamp: secondOf(event.created_at) };
  if (type === 'system_message') {
    if (system_message_type.startsWith('rating.')) return [];
    const user_type = system_message_type.includes('customer') ? 'visitor' : 'agent';
    return [{ ...at, type: 'event', text, user_type, event_type: eventTypeOf(event) }];
  }
  const author = users.find(({ id }) => id === author_id);
  // Somebody who is no longer a user of the chat can only be told by the id: agents have e-mail addresses.
  const is_agent = author ? author.type === 'agent' : author_id?.includes('@');
  const written = {
    ...at,
    user_type: !is_agent ? 'visitor' : event.visibility === 'agents' ? 'supervisor' : 'agent',
    author_name: author?.name,
    ...(is_agent && { agent_id: author_id }),
  } as const;
  if (type === 'file') return [{ ...written, type: 'attachment', text: event.name ?? '', files: [event.url ?? ''] }];
  if (type === 'rich_message') return [{ ...written, type: 'message', text: text || titlesOf(event) }];
  return type === 'message' ? [{ ...written, type: 'message', text }] : [];
}

/** Cards and quick replies say what they are about in their titles. */
const titlesOf = ({ elements = [] }: ThreadEvent): string =>
  elements
    .map((each) => (each as { title?: unknown } | null)?.title)
    .filter((title) => typeof title === 'string')
    .join(', ');

/** Event type in v2.0 terms; types without an equivalent keep their name. */
function eventTypeOf(event: ThreadEvent): string {
  if (isClosing(event)) return 'closed';
  return event.system_message_type === 'chat_transferred' ? 'transferred' : (event.system_message_type ?? '');
}

/** What v2.0 calls custom variables are the session fields of the customer. */
const variablesOf = (users: readonly ThreadUser[]): NonNullable<ArchivedChat['custom_variables']> =>
  (users.find((user) => user.type === 'customer')?.session_fields ?? []).flatMap((pair) =>
    Object.entries(pair).map(([key, value]) => ({ key, value })),
  );

function answersOf(events: readonly ThreadEvent[], form: 'prechat' | 'postchat'): ArchivedChat['prechat_survey'] {
  return events
    .filter((event) => event.type === 'filled_form' && event.properties?.lc2?.form_type === form)
    .flatMap(({ fields = [] }) => fields.map((field) => ({ key: field.label, value: answerOf(field), id: field.id })));
}

/** A text, a choice, or several choices one after the other. */
function answerOf({ answer, answers }: FormField): string {
  if (typeof answer === 'string') return answer;
  return answer?.label ?? (answers ?? []).map(({ label }) => label).join(', ');
}
