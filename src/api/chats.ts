// Chats themselves: searching them, and one as it was written.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import type { Answers } from './answers.ts';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { AsOf, problem } from './metrics.ts';
import { assertNamed, linesIn, onlyOne, questionIn, wantedChatsOf } from './question.ts';
import { searchChats } from '#reports/receipts/search.ts';
import { transcriptOf } from '#reports/receipts/transcript.ts';
import { metricOf } from '#warehouse/metrics.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const row = z.record(z.string(), value);

const Found = z
  .object({
    timezone: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    total: z.int(),
    snapshot: z.string(),
    rows: z.array(
      z.object({
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
        answers: z.array(z.object({ question: z.string(), answer: z.string() })).optional(),
        match: z.object({ position: z.int(), text: z.string() }).optional(),
      }),
    ),
  })
  .openapi('Chats');

const Transcript = z
  .object({
    chat: z.record(z.string(), z.union([value, z.array(value), z.array(row)])),
    lines: z.array(row).openapi({
      description:
        'wait_seconds where a line closes an unanswered run of the visitor; text_length where longest cut the text',
    }),
    total_lines: z.int(),
    marks: z.array(
      z.object({
        from: z.int(),
        to: z.int(),
        seconds: z.number(),
        what: z.enum(['first response', 'response', 'queue']),
      }),
    ),
    snapshot: z.string(),
  })
  .openapi('Transcript');

const Parameters = z.object({
  from: z.iso.date().optional().openapi({ description: 'First local day; default 30 days up to `to`' }),
  to: z.iso.date().optional(),
  timezone: z.string().optional(),
  group: z.array(z.string()).optional(),
  agent: z.array(z.string()).optional(),
  tag: z.array(z.string()).optional(),
  country: z.array(z.string()).optional(),
  rate: z.array(z.enum(['rated_good', 'rated_bad', 'rated', 'not_rated'])).optional(),
  query: z.string().optional().openapi({ description: 'Words in messages or the name of the visitor, in any case' }),
  survey: z
    .enum(['pre', 'post', 'comment'])
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
});

function addSearch(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/chats',
    summary: 'Chats by when they started, whose they are and what was said, newest first',
    request: { query: Parameters },
    responses: {
      200: { description: 'The chats', content: { 'application/json': { schema: Found } } },
      304: { description: 'What you have is still right' },
      400: problem('What is wrong with the question'),
      503: problem('Nothing is published yet'),
    },
  });
  app.get('/chats', async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedChatsOf(parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer(c, asked, `chats ${search}`, async (context) => ({
      ...(await searchChats(wanted, context)),
      snapshot: asked.snapshot,
    }));
  });
}

const ofChat = ['metric', 'agent', 'account', 'limit', 'offset', 'longest', 'as_of'];

function addTranscript(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/chats/{id}',
    summary: 'One chat as it was written, with the lines that make its durations',
    request: {
      params: z.object({ id: z.string() }),
      query: z.object({
        metric: z.string().optional().openapi({ description: 'Marks of this metric only' }),
        agent: z.string().optional().openapi({ description: 'Marks of responses of this agent only' }),
        account: z.string().optional(),
        limit: z.string().optional().openapi({ description: 'Lines, at most 1000; all of them without' }),
        offset: z.string().optional(),
        longest: z.string().optional().openapi({ description: 'Longer texts of lines are cut to so many characters' }),
        as_of: AsOf,
      }),
    },
    responses: {
      200: { description: 'The chat', content: { 'application/json': { schema: Transcript } } },
      304: { description: 'What you have is still right' },
      404: problem('There is no such chat'),
      503: problem('Nothing is published yet'),
    },
  });
  app.get('/chats/:id', async (c) => {
    const id = c.req.param('id');
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    assertNamed(parameters, ofChat);
    const [metric, agent, account] = ['metric', 'agent', 'account'].map(
      (name) => onlyOne(parameters, name) || undefined,
    );
    if (metric !== undefined) metricOf(metric);
    const lines = linesIn(parameters);
    const asked = await contextOf(deps, c, { ...parameters, account });
    return answers.answer(c, asked, `chat ${id} ${search}`, async (context) => {
      const found = await transcriptOf(context, id, { metric, agent }, lines);
      if (!found) throw new Declined('not_found', `there is no chat ${id} in the archive`);
      return { ...found, snapshot: asked.snapshot };
    });
  });
}

export function addChats(app: OpenAPIHono, deps: ApiDeps, answers: Answers): void {
  addSearch(app, deps, answers);
  addTranscript(app, deps, answers);
}
