// The events of a thread: messages, files, forms and system messages (end, transfers, ratings).
import type { FormField, ThreadEvent } from '#contract/threads.ts';
import { openEnded, type ChatEvent, type ChatRecord, type SurveyAnswer } from '../records.ts';
import { customerId, momentOf } from '../names.ts';
import { merged } from './properties.ts';

/** An event that has no number yet, unless it came through a v3 API. */
type Draft = { at: number; id?: string } & Omit<ThreadEvent, 'id' | 'created_at'>;

/**
 * Events up to now, in order of time. Events keep their ids when later ones follow; of one second, those that came through an API are last,
 * as they were numbered when the others were there.
 */
export const shownEvents = (chat: ChatRecord, now: number): ThreadEvent[] =>
  orderedDrafts(chat).flatMap((draft, place) => (draft.at <= now ? shownEvent(chat, draft, place) : []));

/** The last event of each type up to now. */
export function lastEvents(chat: ChatRecord, now: number): ThreadEvent[] {
  const last = new Map<string, [draft: Draft, place: number]>();
  for (const [place, draft] of orderedDrafts(chat).entries()) if (draft.at <= now) last.set(draft.type, [draft, place]);
  return [...last.values()].map(([draft, place]) => shownEvent(chat, draft, place));
}

/** Types of the events up to now. */
export const eventTypes = (chat: ChatRecord, now: number): ReadonlySet<string> =>
  new Set(draftsOf(chat).flatMap(({ at, type }) => (at <= now ? type : [])));

const orderedDrafts = (chat: ChatRecord): Draft[] =>
  draftsOf(chat).sort((a, b) => a.at - b.at || Number(a.id !== undefined) - Number(b.id !== undefined));

function shownEvent({ id: thread_id, live }: ChatRecord, draft: Draft, place: number): ThreadEvent {
  const { at, id = `${thread_id}_${place + 1}`, ...event } = draft;
  const own = live?.event_properties[id];
  const properties = own ? merged(event.properties ?? {}, own) : event.properties;
  return { id, created_at: momentOf(at), ...event, ...(properties && { properties }) };
}

function draftsOf(chat: ChatRecord): Draft[] {
  const author_id = customerId(chat.visitor.id);
  const welcome = welcomeOf(chat);
  return [
    ...form(chat.started, 'prechat', chat.prechat_survey, author_id),
    ...chat.events.flatMap((event) => drafts(event, chat, event === welcome)),
    ...ending(chat),
    ...chat.ratings.flatMap((rating) => (rating.has_message ? [] : rated(rating, chat))),
    ...form(chat.postchat_survey[0]?.at ?? 0, 'postchat', chat.postchat_survey, author_id),
  ];
}

/** The line that was sent by itself: the first of all, unless an agent began the chat. */
function welcomeOf({ events, engagement }: ChatRecord): ChatEvent | undefined {
  const first = events.find((event) => event.type !== 'event' && event.user_type !== 'supervisor');
  return first?.user_type === 'agent' && engagement !== 'manual_invite' ? first : undefined;
}

function drafts(event: ChatEvent, chat: ChatRecord, is_welcome: boolean): Draft[] {
  if (event.v3) return [{ at: event.at, ...event.v3 }];
  if (event.type === 'event') return [noted(event, chat)];
  const common = {
    at: event.at,
    visibility: event.user_type === 'supervisor' ? ('agents' as const) : ('all' as const),
    author_id: event.user_type === 'visitor' ? customerId(chat.visitor.id) : writerOf(event, chat),
  };
  if (event.type === 'message') {
    const properties = is_welcome && { lc2: { welcome_message: true } };
    return [{ ...common, type: 'message', text: event.text, ...(properties && { properties }) }];
  }
  return (event.files ?? []).map((url) => {
    const name = url.slice(url.lastIndexOf('/') + 1);
    return { ...common, type: 'file', url, name, content_type: contentTypeOf(name) };
  });
}

/** An attachment of v2 may lack its agent; the record knows the display name. */
function writerOf(event: ChatEvent, { agents }: ChatRecord): string {
  const named = agents.find((agent) => agent.display_name === event.author_name) ?? agents[0];
  return event.agent_id ?? named?.email ?? '';
}

const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  txt: 'text/plain',
};
const contentTypeOf = (name: string): string =>
  contentTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';

const system = (at: number, system_message_type: string, text: string, text_vars: Record<string, string>): Draft => ({
  at,
  visibility: 'all',
  type: 'system_message',
  text,
  system_message_type,
  text_vars,
});

function noted({ at, event_type = 'event', user_type, text }: ChatEvent, chat: ChatRecord): Draft {
  if (event_type === 'transferred') return system(at, 'chat_transferred', text, {});
  if (event_type !== 'closed') return system(at, event_type, text, {});
  if (user_type === 'visitor') return system(at, 'manual_archived_customer', text, { customer: chat.visitor.name });
  const closer = chat.agents.find(({ display_name }) => text.startsWith(display_name));
  return closer
    ? system(at, 'manual_archived_agent', text, { agent: closer.display_name })
    : system(at, 'routing.archived_inactive', text, {});
}

/** TRICKY: a thread has no field for its end; only its closing line tells it, so there always is one. */
function ending({ ended, events }: ChatRecord): Draft[] {
  if (ended === openEnded) return [];
  const is_told = events.some((event) => event.event_type === 'closed' && event.at === ended);
  return is_told ? [] : [system(ended, 'routing.archived_inactive', 'The chat was closed due to inactivity.', {})];
}

function rated({ at, rate, comment }: ChatRecord['ratings'][number], { visitor }: ChatRecord): Draft[] {
  const customer = visitor.name || 'Visitor';
  if (rate === 'rated') return [];
  if (rate === 'not_rated')
    return [system(at, 'rating.chat_rating_canceled', `${customer} canceled the chat rating`, { customer })];
  const score = rate === 'rated_good' ? 'good' : 'bad';
  const given = system(at, 'rating.chat_rated', `${customer} rated the chat as ${score}`, { customer, score });
  if (!comment) return [given];
  const words = `${customer} left the following comment: ${comment}`;
  return [given, system(at, 'rating.chat_commented', words, { customer, comment })];
}

function form(
  at: number,
  form_type: 'prechat' | 'postchat',
  answers: readonly SurveyAnswer[],
  author_id: string,
): Draft[] {
  const untold = answers.filter(({ has_message }) => !has_message);
  if (untold.length === 0) return [];
  const fields = untold.map(fieldOf);
  return [{ at, visibility: 'all', type: 'filled_form', author_id, properties: { lc2: { form_type } }, fields }];
}

/** An empty answer counts as no answer. */
const fieldOf = ({ id, key, value }: SurveyAnswer): FormField => ({
  id,
  type: /^name\b/i.test(key) ? 'name' : /^e-?mail\b/i.test(key) ? 'email' : 'question',
  label: key,
  ...(value !== '' && { answer: value }),
});
