// The archive of ended chats, GET /chats and GET /chats/<id> of the REST API v2.0: arguments and every field of a chat.
import { z } from 'zod';
import { choice, day, flag, id, text, texts, zone } from './query.ts';

export const pageSize = 25;
/** Only the latest 25 000 chats of a question can be reached: 1000 pages. */
export const lastPage = 1000;

export const archive = {
  path: '/chats',
  args: z
    .object({
      date_from: day,
      date_to: day,
      timezone: zone,
      page: id('page number').refine((page) => page === undefined || (page >= 1 && page <= lastPage), {
        message: `must be from 1 to ${lastPage}`,
      }),
      visitor_id: text,
      query: text,
      agent: texts,
      group: z.preprocess(
        (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
        z.array(z.string().regex(/^\d+$/, 'must be a group id').transform(Number)),
      ),
      goal: id('goal id'),
      has_goal: flag,
      sale: id('sales tracker id'),
      has_sale: flag,
      queued: flag,
      rate: choice(['rated', 'not_rated', 'rated_good', 'rated_bad']),
      include_pending: flag,
      tag: texts,
      tagged: flag,
      comment: flag,
      city: text,
      region: text,
      country: text,
    })
    .refine((args) => !args.date_from || !args.date_to || args.date_from <= args.date_to, {
      path: ['date_from'],
      message: 'must not be after date_to',
    }),
};
export type ArchiveArgs = z.infer<typeof archive.args>;

const second = z.int();
const userType = z.enum(['agent', 'visitor', 'supervisor']);
const person = z.object({ display_name: z.string(), email: z.string() });
const answer = z.object({ key: z.string(), value: z.string(), id: z.string() });
const pair = z.object({ key: z.string(), value: z.string() });

const archivedVisitor = z.object({
  id: z.string(),
  name: z.string(),
  ip: z.string(),
  city: z.string(),
  country: z.string(),
  country_code: z.string(),
  timezone: z.string(),
  region: z.string(),
  user_agent: z.string().optional(),
});

const archivedMessage = z.object({
  author_name: z.string(),
  text: z.string(),
  date: z.string(),
  timestamp: second,
  user_type: userType,
  agent_id: z.string().optional(),
});

const archivedEvent = z.object({
  author_name: z.string().optional(),
  text: z.string(),
  date: z.string(),
  timestamp: second,
  user_type: userType,
  agent_id: z.string().optional(),
  type: z.enum(['message', 'attachment', 'event']),
  files: z.array(z.string()).optional(),
  event_type: z.string().optional(),
});

export const archivedGoal = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string().optional(),
  date: z.string().optional(),
  timestamp: second.optional(),
  /** `price` is text in the documents and a number on some live accounts. */
  order: z
    .object({
      id: z.string(),
      description: z.string(),
      price: z.union([z.string(), z.number()]),
      currency: z.string(),
    })
    .partial(),
});

/** One archived chat. Fields that a record may lack are optional; unknown fields are ignored, never rejected. */
export const archivedChat = z.object({
  type: z.string(),
  id: z.string().min(1),
  visitor: archivedVisitor.partial({
    name: true,
    ip: true,
    city: true,
    country: true,
    country_code: true,
    timezone: true,
    region: true,
  }),
  agents: z.array(person),
  supervisors: z.array(person),
  rate: z.string(),
  duration: z.int(),
  chat_start_url: z.string(),
  referrer: z.string().optional(),
  group: z.array(z.int()),
  started: z.string(),
  started_timestamp: second,
  ended: z.string().optional(),
  ended_timestamp: second.optional(),
  prechat_survey: z.array(answer),
  postchat_survey: z.array(answer),
  custom_variables: z.array(pair).optional(),
  integration_variables: z.array(pair).optional(),
  goals: z.array(archivedGoal).optional(),
  queue: z.object({ duration: z.int().nonnegative() }).optional(),
  tags: z.array(z.string()),
  timezone: z.string(),
  messages: z.array(archivedMessage),
  events: z.array(archivedEvent),
  engagement: z.string(),
  pending: z.boolean().optional(),
});
export type ArchivedChat = z.infer<typeof archivedChat>;

/** A page: the chats are parsed one by one, so that one bad record does not hide the others. */
export const archivePage = z.object({
  chats: z.array(z.unknown()),
  total: z.int().nonnegative(),
  pages: z.int().nonnegative(),
});
export interface ArchivePage {
  chats: ArchivedChat[];
  total: number;
  pages: number;
}
