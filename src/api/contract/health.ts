// Whether the program is up, and how far the pull is.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

const PullState = z.object({
  last_success_at: z.string().nullable().openapi({ description: 'null until the whole range is published' }),
  running: z.boolean(),
  stage: z.string().nullable(),
  done: z.number(),
  total: z.number(),
  pulled_since: z.string().nullable().openapi({
    description: 'First day from which on everything is published; null where no day before it is missing',
  }),
});

/** How far pulls are, all accounts together. */
export type PullState = z.infer<typeof PullState>;

const Published = z.object({ id: z.string(), published_at: z.iso.datetime() });

const Health = z
  .object({
    status: z.enum(['ok', 'starting']),
    snapshot: Published.nullable(),
    pull: PullState.extend({
      accounts: z
        .record(z.string(), z.string().nullable())
        .optional()
        .openapi({ description: 'Where there are several: pulled_since of each that is being pulled' }),
    }),
  })
  .openapi('Health');
export type Health = z.infer<typeof Health>;

export const getHealth = endpoint({
  needs: 'nothing',
  method: 'get',
  path: '/health',
  summary: 'Whether there is something to show, and how far the pull is',
  answers: {
    200: 'A snapshot is published',
    503: 'No snapshot yet; the body says how far the first pull is',
  },
  schema: Health,
  refusals: {},
});

const Readiness = z
  .object({
    ready: z.boolean(),
    reason: z.string().nullable().openapi({ description: 'Why not, in a sentence; null when ready' }),
  })
  .openapi('Readiness');
export type Readiness = z.infer<typeof Readiness>;

export const getReadiness = endpoint({
  needs: 'nothing',
  method: 'get',
  path: '/ready',
  summary: 'Whether requests may be sent here: a snapshot is served and what the program runs beside the API is up',
  answers: {
    200: 'All of it is there',
    503: 'Something is missing; the body says what, and Retry-After when to ask again',
  },
  schema: Readiness,
  refusals: {},
});

export const listenToEvents = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/events',
  summary: 'What changes, as it changes: `snapshot` when one is published, `pull` as a pull goes on',
  answers: { 200: 'Server-sent events; the state comes first' },
  media: ['text/event-stream'],
  refusals: { 503: 'Too many listen already; Retry-After says when to ask again' },
});

/** The JSON of each event, by its name. */
export interface EventData {
  snapshot: z.infer<typeof Published> | null;
  pull: PullState;
}
