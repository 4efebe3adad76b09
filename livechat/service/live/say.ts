// Adds events to a thread: what somebody said, and system messages about what happened.
import { randomBytes } from 'node:crypto';
import type { AgentEvent } from '#contract/events-v3.ts';
import type { PropertyValues } from '#contract/properties.ts';
import { systemText, type SystemMessageType } from '#contract/system-messages.ts';
import type { ThreadEvent } from '#contract/threads.ts';
import type { ChatEvent } from '../records.ts';
import { momentOf } from '../names.ts';
import { shownEvents } from '../threads/events.ts';
import { refuse } from '../refusals.ts';
import { fileOf } from './files.ts';
import type { Author } from './members.ts';
import { merged } from '../threads/properties.ts';
import { changeOf } from './change.ts';
import { isActive, liveOf, type ChatThread } from './threads.ts';
import type { Turn } from './turn.ts';

/** An event as its author sent it; who may see it is always said. */
export type Utterance = Without<AgentEvent, 'visibility' | 'author_id'> & { visibility: 'all' | 'agents' };
/** Of each type of event by itself. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Characters that callers may say in one thread: it is read and written whole. */
const mostSaid = 2_000_000;

/** 10 upper-case letters and digits, for chats and threads. */
export const newId = (): string => idOf(randomBytes(8).readBigUInt64BE() % 36n ** 10n);

/** The id that follows in the alphabet. */
export const idAfter = (id: string): string => idOf(BigInt(Number.parseInt(id, 36) + 1));

const idOf = (number: bigint): string => number.toString(36).toUpperCase().padStart(10, '0');

/** Adds what the author says; returns the event's id. The caller saves the thread. */
export function say(turn: Turn, thread: ChatThread, author: Author, { properties: given, ...said }: Utterance): string {
  const live = liveOf(thread, turn.now);
  live.said = (live.said ?? 0) + JSON.stringify(said).length;
  if (live.said > mostSaid)
    throw refuse.v3('limit_reached', `the events of a thread have at most ${mostSaid} characters`);
  const properties = said.type === 'filled_form' ? withFormType(thread, given, turn.now) : given;
  const event = add(turn, thread, {
    ...said,
    ...(said.type === 'file' && fileOf(turn, said)),
    author_id: author.id,
    ...(properties && { properties }),
  });
  const { record } = thread;
  record.events.push({ ...archived(event, author), at: turn.now, v3: event });
  if (said.type === 'filled_form') keepAnswers(thread, event, turn.now);
  live.active_at = turn.now;
  delete live.is_idle;
  tell(turn, thread, event, author.type);
  return event.id;
}

/** Adds a system message. */
export function note(
  turn: Turn,
  thread: ChatThread,
  type: SystemMessageType,
  text_vars: Record<string, string>,
  user_type: ChatEvent['user_type'] = type.includes('customer') ? 'visitor' : 'agent',
): void {
  const text = systemText(type, text_vars);
  const event = add(turn, thread, {
    type: 'system_message',
    visibility: 'all',
    text,
    system_message_type: type,
    text_vars,
  });
  thread.record.events.push({ at: turn.now, type: 'event', event_type: legacyName(type), user_type, text, v3: event });
  tell(turn, thread, event);
}

/** The names that the archive of v2.0 has for these. */
function legacyName(type: SystemMessageType): string {
  if (type === 'chat_transferred') return 'transferred';
  return /archived|customer_banned/.test(type) ? 'closed' : type;
}

type Stored = NonNullable<ChatEvent['v3']>;

function add(turn: Turn, thread: ChatThread, event: Omit<Stored, 'id'>): Stored {
  const live = liveOf(thread, turn.now);
  // Of an ended thread that the simulation rates later, the rating has a number of its own.
  const shown = isActive(thread, turn.now) ? 0 : shownEvents(thread.record, turn.now).length;
  live.last_event = Math.max(live.last_event, shown) + 1;
  return { id: `${thread.record.id}_${live.last_event}`, ...event };
}

function tell(turn: Turn, thread: ChatThread, event: Stored, author_type?: Author['type']): void {
  const { chat_id, record } = thread;
  const shown: ThreadEvent = { ...event, created_at: momentOf(turn.now) };
  const payload = { chat_id, thread_id: record.id, event: shown };
  turn.changes.push({ ...changeOf(turn, thread, 'incoming_event', payload), ...(author_type && { author_type }) });
}

/** The event in the archive of v2.0, which has messages, attachments and events. */
function archived(event: Stored, { id, type, name }: Author): Omit<ChatEvent, 'at' | 'v3'> {
  const user_type = type === 'customer' ? 'visitor' : event.visibility === 'agents' ? 'supervisor' : 'agent';
  const author = { user_type, author_name: name, ...(type === 'agent' && { agent_id: id }) } as const;
  if (event.type === 'message') return { type: 'message', text: event.text ?? '', ...author };
  if (event.type === 'rich_message') return { type: 'message', text: titlesOf(event), ...author };
  if (event.type === 'file') return { type: 'attachment', text: event.name ?? '', files: [event.url ?? ''], ...author };
  return { type: 'event', event_type: event.type, text: event.text ?? '', ...author };
}

/** A form that does not say what it is comes before the chat while that is open, and after it once it has ended. */
const withFormType = ({ record }: ChatThread, given: PropertyValues = {}, now: number): PropertyValues =>
  given.lc2?.form_type === undefined
    ? merged<string | number | boolean>(given, { lc2: { form_type: record.ended <= now ? 'postchat' : 'prechat' } })
    : given;

/** Cards and quick replies say what they are about in their titles. */
const titlesOf = ({ elements = [] }: Stored): string =>
  elements.flatMap((each) => (each as { title?: string }).title ?? []).join(', ');

/** Answers of a form are those of the survey before the chat, or of the one after it. */
function keepAnswers({ record }: ChatThread, { fields = [], properties }: Stored, now: number): void {
  const form_type = properties?.lc2?.form_type;
  const answers = fields.flatMap(({ id, label, answer, answers: several }) => {
    const chosen = several?.map((each) => each.label).join(', ');
    const value = typeof answer === 'object' ? answer.label : (answer ?? chosen);
    return value === undefined ? [] : [{ key: label, value, id, has_message: true as const }];
  });
  if (form_type === 'postchat') record.postchat_survey.push(...answers.map((answer) => ({ ...answer, at: now })));
  if (form_type === 'prechat') record.prechat_survey.push(...answers);
}
