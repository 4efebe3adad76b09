// Response of list_archives in the Agent Chat Web API v3.5: chats, each with one thread, its users and its events. Fields that a record
// may lack are optional; unknown fields are ignored, never rejected.
import { z } from 'zod';

/** UTC with microseconds, `2026-05-06T12:00:00.000000Z`; forms with an offset appear too. */
export const moment = z.iso.datetime({ offset: true });

/** Namespace, name, value. */
export const properties = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
);
export const access = z.object({ group_ids: z.array(z.int()) });

export const geolocation = z
  .object({
    latitude: z.string(),
    longitude: z.string(),
    country: z.string(),
    country_code: z.string(),
    region: z.string(),
    city: z.string(),
    timezone: z.string(),
  })
  .partial();

const customerUser = z.object({
  id: z.string().min(1),
  type: z.literal('customer'),
  name: z.string().optional(),
  email: z.string().optional(),
  present: z.boolean().optional(),
  created_at: moment.optional(),
  avatar: z.string().optional(),
  session_fields: z.array(z.record(z.string(), z.string())).optional(),
  statistics: z.record(z.string(), z.int()).optional(),
  agent_last_event_created_at: moment.optional(),
  customer_last_event_created_at: moment.optional(),
  last_visit: z
    .object({
      started_at: moment,
      ended_at: moment,
      referrer: z.string(),
      ip: z.string(),
      user_agent: z.string(),
      geolocation,
      last_pages: z.array(z.object({ opened_at: moment, url: z.string(), title: z.string().optional() })),
    })
    .partial()
    .optional(),
});
const agentUser = z.object({
  id: z.string().min(1),
  type: z.literal('agent'),
  name: z.string(),
  email: z.string().optional(),
  present: z.boolean().optional(),
  avatar: z.string().optional(),
  visibility: z.enum(['all', 'agents']).optional(),
});
export const user = z.discriminatedUnion('type', [customerUser, agentUser]);
export type ThreadUser = z.infer<typeof user>;

/** A field of a filled form; its answer is a text, a choice or several choices. */
const formField = z.looseObject({
  id: z.string(),
  type: z.string(),
  label: z.string(),
  answer: z.union([z.string(), z.looseObject({ label: z.string() })]).optional(),
  answers: z.array(z.looseObject({ label: z.string() })).optional(),
});
export type FormField = z.infer<typeof formField>;

/** `type` decides which of the optional fields are there; types that are not known here pass. */
export const threadEvent = z.object({
  id: z.string(),
  created_at: moment,
  visibility: z.enum(['all', 'agents']).optional(),
  type: z.string(),
  author_id: z.string().optional(),
  text: z.string().optional(),
  properties: properties.optional(),
  url: z.string().optional(),
  name: z.string().optional(),
  content_type: z.string().optional(),
  /** Bytes. */
  size: z.int().nonnegative().optional(),
  /** Of images, in pixels. */
  width: z.int().nonnegative().optional(),
  height: z.int().nonnegative().optional(),
  thumbnail_url: z.string().optional(),
  thumbnail2x_url: z.string().optional(),
  alternative_text: z.string().optional(),
  form_id: z.string().optional(),
  fields: z.array(formField).optional(),
  template_id: z.string().optional(),
  elements: z.array(z.unknown()).optional(),
  content: z.unknown().optional(),
  custom_id: z.string().optional(),
  postback: z.unknown().optional(),
  system_message_type: z.string().optional(),
  text_vars: z.record(z.string(), z.string()).optional(),
});
export type ThreadEvent = z.infer<typeof threadEvent>;

export const thread = z.object({
  id: z.string().min(1),
  active: z.boolean(),
  user_ids: z.array(z.string()),
  /** Missing where the plan hides old threads; `restricted_access` gives the reason. */
  events: z.array(threadEvent).optional(),
  restricted_access: z.string().optional(),
  properties: properties.optional(),
  access,
  created_at: moment,
  /** Only while its customer waits: place in the queue from 1, estimated seconds to wait, and since when. */
  queue: z.object({ position: z.int().min(1), wait_time: z.int().nonnegative(), queued_at: moment }).optional(),
  /** Only on tagged threads. */
  tags: z.array(z.string()).optional(),
  /** Seconds in queues before the thread began; only on threads that came from a queue. */
  queues_duration: z.int().nonnegative().optional(),
  previous_thread_id: z.string().optional(),
  next_thread_id: z.string().optional(),
  previous_accessible_thread_id: z.string().optional(),
  next_accessible_thread_id: z.string().optional(),
  /** Where the words of `filters.query` occur, if highlights were requested; the documentation does not show its shape. */
  highlights: z
    .array(z.object({ field: z.string(), event_id: z.string().optional(), highlight: z.string() }))
    .optional(),
});
export type Thread = z.infer<typeof thread>;

/** A chat with one of its threads; it is repeated for every other matching thread. */
export const threadedChat = z.object({
  id: z.string().min(1),
  users: z.array(user),
  thread,
  properties: properties.optional(),
  access,
  is_followed: z.boolean().optional(),
});
export type ThreadedChat = z.infer<typeof threadedChat>;

/** A page: the chats are parsed one by one, so that one bad record does not hide the others. */
export const threadsPage = z.object({
  chats: z.array(z.unknown()),
  found_chats: z.int().nonnegative(),
  next_page_id: z.string().optional(),
  previous_page_id: z.string().optional(),
});
export interface ThreadsPage {
  chats: ThreadedChat[];
  found_chats: number;
  next_page_id?: string;
  previous_page_id?: string;
}

/** The contents of a page besides its chats that are needed to continue reading. */
export interface ReadThreadsPage {
  /** One per thread; a record without an id is identified by its position. */
  ids: string[];
  found: number;
  next: string | undefined;
}

/** Reads a page that may be partly malformed; a text says why it cannot be read. `number` is 1-based. */
export function readThreadsPage(body: unknown, number: number): ReadThreadsPage | string {
  const { chats, found_chats, next_page_id } = (body ?? {}) as Record<string, unknown>;
  if (!Array.isArray(chats)) return 'the answer is no page of list_archives: it holds no list of chats';
  const found = Number(found_chats);
  if (!Number.isSafeInteger(found) || found < 0)
    return 'the page of list_archives does not say how many chats were found';
  const ids = chats.map((chat: unknown, place) => threadIdOf(chat) ?? `#${number}.${place}`);
  return { ids, found, next: typeof next_page_id === 'string' && next_page_id !== '' ? next_page_id : undefined };
}

/** The id of a record's thread; nothing when it has none. */
export function threadIdOf(record: unknown): string | undefined {
  const id = (record as { thread?: { id?: unknown } } | null)?.thread?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
