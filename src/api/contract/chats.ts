// Chats themselves: searching them, and one as it was written.
import { z } from '@hono/zod-openapi';
import { rates, surveys } from '#warehouse/read/search.ts';
import { AsOf, endpoint, unchanged, unpublished, value } from './endpoint.ts';

const FoundChat = z.object({
  chat_id: z.string(),
  started_at: z.string(),
  ended_at: z.string(),
  visitor_name: z.string().nullable(),
  country: z.string().nullable(),
  rate: z.string(),
  message_count: z.int(),
  agents: z.array(z.string()),
  groups: z.array(z.int()),
  tags: z.array(z.string()),
  answers: z
    .array(z.object({ question: z.string(), answer: z.string() }))
    .optional()
    .openapi({ description: 'Of the survey that was asked for' }),
  match: z
    .object({ position: z.int(), text: z.string() })
    .optional()
    .openapi({ description: 'The first line that holds the words' }),
});
export type FoundChat = z.infer<typeof FoundChat>;

const Found = z
  .object({
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    total: z.int(),
    snapshot: z.string(),
    rows: z.array(FoundChat),
  })
  .openapi('Chats');
export type FoundChats = z.infer<typeof Found>;

export const searchChats = endpoint({
  needs: 'chats:read',
  method: 'get',
  path: '/chats',
  agents: 'asked',
  audit: 'chats.searched',
  summary: 'Chats by when they started, whose they are and what was said, newest first',
  query: z.object({
    from: z.iso.date().optional().openapi({ description: 'First local day; default 30 days up to `to`' }),
    to: z.iso.date().optional(),
    timezone: z.string().optional(),
    group: z.array(z.string()).optional(),
    agent: z.array(z.string()).optional(),
    tag: z.array(z.string()).optional(),
    country: z.array(z.string()).optional(),
    variable: z.array(z.string()).optional().openapi({ description: 'A declared variable and a value, as `plan:pro`' }),
    rate: z.array(z.enum(rates)).optional(),
    query: z.string().optional().openapi({ description: 'Words in messages or the name of the visitor, in any case' }),
    survey: z
      .enum(surveys)
      .optional()
      .openapi({
        description:
          'Chats with an answer in it; rows then name the answers. comment: answers after the chat in the visitor’s own ' +
          'words, those to questions that have more than 12 different answers or one of more than 40 characters',
      }),
    limit: z.string().optional().openapi({ description: 'Default 100, at most 1000' }),
    offset: z.string().optional(),
    account: z.string().optional(),
    as_of: AsOf,
  }),
  answers: { 200: 'The chats', 304: unchanged },
  schema: Found,
  refusals: { 400: 'What is wrong with the question', 503: unpublished },
});

const Chat = z
  .object({
    chat_id: z.string(),
    started_at: z.string(),
    ended_at: z.string(),
    duration_seconds: z.number(),
    visitor_id: z.string(),
    visitor_name: z.string().nullable(),
    country: z.string().nullable(),
    city: z.string().nullable(),
    rate: z.string(),
    engagement: z.string(),
    start_url: z.string().nullable(),
    queue_seconds: z.number().nullable(),
    first_response_seconds: z.number().nullable(),
    agents: z.array(z.string()),
    groups: z.array(z.int()),
    tags: z.array(z.string()),
    goals: z.array(
      z
        .object({
          goal_name: z.string().nullable(),
          is_sale_tracker: z.boolean(),
          reached_at: z.string(),
          price: z.number().nullable(),
          currency: z.string().nullable(),
        })
        .catchall(value),
    ),
    surveys: z.array(z.object({ survey: z.string(), question: z.string(), answer: z.string() }).catchall(value)),
    variables: z
      .array(z.object({ name: z.string(), value: z.string() }).catchall(value))
      .openapi({ description: 'Custom variables that the site set' }),
  })
  .catchall(value)
  .openapi({ description: 'Columns of facts.chats' });

const Line = z
  .object({
    position: z.int(),
    at: z.string(),
    kind: z.string(),
    user_type: z.string(),
    agent: z.string().nullable(),
    author_name: z.string().nullable(),
    event_type: z.string().nullable(),
    is_welcome: z.boolean(),
    text: z.string().nullable(),
    text_length: z.int().optional().openapi({ description: 'Characters, where `longest` cut the text' }),
    files: z.string().nullable(),
    wait_seconds: z.number().optional().openapi({ description: 'The line closes an unanswered run of the visitor' }),
  })
  .catchall(value)
  .openapi({ description: 'Columns of facts.messages' });
export type Line = z.infer<typeof Line>;

const Transcript = z
  .object({
    chat: Chat,
    lines: z.array(Line),
    total_lines: z.int().openapi({ description: 'How many the chat has' }),
    marks: z.array(
      z.object({
        from: z.int(),
        to: z.int(),
        seconds: z.number(),
        what: z.enum(['first response', 'response', 'queue']),
      }),
    ),
    texts_gone_before: z.iso.date().optional().openapi({
      description: 'The texts of this chat went by their age, as those of all that began before this day (UTC)',
    }),
    snapshot: z.string(),
  })
  .openapi('Transcript');
export type Transcript = z.infer<typeof Transcript>;

export const getChat = endpoint({
  needs: 'chats:read',
  method: 'get',
  path: '/chats/{id}',
  audit: 'chat.read',
  summary: 'One chat as it was written, with the lines that make its durations',
  query: z.object({
    metric: z.string().optional().openapi({ description: 'Marks of this metric only' }),
    agent: z.string().optional().openapi({ description: 'Marks of responses of this agent only' }),
    account: z.string().optional(),
    limit: z.string().optional().openapi({ description: 'Lines, at most 1000; all of them without' }),
    offset: z.string().optional(),
    longest: z.string().optional().openapi({ description: 'Longer texts of lines are cut to so many characters' }),
    as_of: AsOf,
  }),
  answers: { 200: 'The chat', 304: unchanged },
  schema: Transcript,
  refusals: { 404: 'There is no such chat', 503: unpublished },
});
