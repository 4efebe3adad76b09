// How pulls went, and the snapshots that they left.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

/** Maximum number of entries per list. */
export const most = { pulls: 200, failed: 200, quarantined: 50 } as const;

const failedStates = ['failed', 'not_in_plan', 'gone', 'quarantined'] as const;
export type FailedState = (typeof failedStates)[number];

const Ended = z.object({
  account: z.string(),
  pull_id: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cut_off']),
  requests: z.int(),
  faults: z.int().nullable().openapi({ description: 'Requests of it that brought nothing usable' }),
  chats_new: z.int(),
  chats_changed: z.int(),
  chats_unchanged: z.int(),
  error: z.string().nullable(),
});
export type EndedPull = z.infer<typeof Ended>;

const Failed = z.object({
  account: z.string(),
  source: z.string(),
  split: z.string(),
  split_value: z.string(),
  grain: z.string(),
  from: z.string(),
  to: z.string(),
  days: z.int(),
  questions: z.int().openapi({ description: 'With the same reason; split and split_value are of the first of them' }),
  state: z.enum(failedStates),
  error: z.string().nullable(),
  last_asked_at: z.string(),
  what_to_do: z.string(),
  needs_you: z.boolean().openapi({ description: 'False where it is asked again by itself and nothing can be done' }),
});
/** Questions that failed for one reason. */
export type FailedQuestions = z.infer<typeof Failed>;

const Quarantined = z.object({
  account: z.string(),
  source: z.string(),
  record_id: z.string(),
  records: z.int().openapi({ description: 'Set aside for the same reason; record_id is the first of them' }),
  reason: z.string(),
  seen_at: z.string(),
});
type Quarantined = z.infer<typeof Quarantined>;

const Notice = z.object({
  source: z.string(),
  header: z.string(),
  value: z.string().openapi({ description: 'As received: the date on which that stage ends' }),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
});
type Notice = z.infer<typeof Notice>;

/** The ledger's history of an account's pulls. Newest first; at most `most` of each. */
export const Recorded = z.object({
  pulls: z.array(Ended),
  failed: z.array(Failed),
  more_failed: z.int().openapi({ description: 'Reasons that are not listed' }),
  quarantined: z.array(Quarantined),
  more_quarantined: z.int().openapi({ description: 'Records set aside that are not listed' }),
  notices: z.array(Notice).openapi({ description: 'Headers by which the service announces an end' }),
});
export type Recorded = z.infer<typeof Recorded>;

const Running = z.object({
  account: z.string(),
  stage: z.string().nullable(),
  done: z.int(),
  total: z.int(),
  started_at: z.iso.datetime(),
  per_second: z.number().nullable().openapi({ description: 'Steps a second so far; null before the first' }),
  seconds_left: z.int().nullable().openapi({ description: 'At this rate; null while it cannot be told' }),
  is_resting: z.boolean().openapi({ description: 'It rests while a backup is made, and goes on by itself' }),
  pulled_since: z.string().nullable().openapi({ description: 'As in /api/health, of this account' }),
});
export type RunningPull = z.infer<typeof Running>;

const AccountEnd = z.object({
  account: z.string(),
  ended_at: z.string().nullable().openapi({ description: 'When its last pull ended; null before the first' }),
  state: z.enum(['done', 'failed', 'cut_off']).nullable(),
  error: z.string().nullable(),
  failed: z.int(),
  quarantined: z.int(),
});
/** How the last pull of an account ended. */
export type AccountEnd = z.infer<typeof AccountEnd>;

const Pulls = Recorded.extend({
  snapshot: z.string().nullable(),
  running: z.array(Running),
  accounts: z.array(AccountEnd).openapi({ description: 'How the last pull of every account ended' }),
  clock: z.string().nullable().openapi({
    description: "What is wrong with this machine's clock, or was at the last pull, and what to do; null: nothing",
  }),
}).openapi('Pulls');
export type Pulls = z.infer<typeof Pulls>;

export const listPulls = endpoint({
  needs: 'pulls:write',
  method: 'get',
  path: '/pulls',
  summary: 'Pulls that run and that ended, and what failed with what to do',
  query: z.object({
    account: z.string().optional(),
    limit: z
      .string()
      .optional()
      .openapi({ description: `Past pulls listed; default 50, at most ${most.pulls}` }),
  }),
  answers: { 200: 'Running, ended, failed' },
  schema: Pulls,
  refusals: { 400: 'There is no such account or parameter' },
});

export const startPull = endpoint({
  needs: 'pulls:write',
  method: 'post',
  path: '/pulls',
  audit: 'pull.started',
  summary: 'Pull every account now; a pull that already runs is followed by another one',
  query: z.object({ account: z.string().optional().openapi({ description: 'Must be one of them' }) }),
  answers: { 202: 'It will run' },
  schema: z.object({ started: z.boolean() }),
  refusals: { 400: 'There is no such account', 409: 'This server only serves: another one pulls' },
});

const Snapshot = z.object({
  id: z.string(),
  published_at: z.iso.datetime(),
  bytes: z.int().nullable().openapi({
    description: 'What it takes besides what newer ones hold too; null for who may neither pull nor take the file away',
  }),
  pinned: z.string().nullable().openapi({ description: 'Why it stays whatever its age; null when it does not' }),
  is_current: z.boolean(),
});

const Snapshots = z
  .object({
    snapshots: z.array(Snapshot),
    bytes: z.int().nullable().openapi({
      description: 'What they take together, with the file that the next one is written into; null as above',
    }),
    space: z.int().openapi({ description: 'What they may take: CHATLEDGER_SNAPSHOT_SPACE' }),
    lost: z
      .object({
        ...{ count: z.int(), first: z.iso.datetime(), last: z.iso.datetime() },
        pinned: z.array(z.string()).openapi({ description: 'Why those that were pinned should have stayed' }),
      })
      .nullable()
      .openapi({ description: 'Those that went before their age because there was no room; null when none did' }),
  })
  .openapi('Snapshots');
export type Snapshots = z.infer<typeof Snapshots>;

export const listSnapshots = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/snapshots',
  summary: 'Every kept snapshot with its size, newest first: what as_of can be answered from',
  answers: { 200: 'The snapshots' },
  schema: Snapshots,
  refusals: {},
});

export const downloadSnapshot = endpoint({
  needs: 'files',
  method: 'get',
  path: '/snapshots/current/file',
  audit: 'file.read',
  summary: 'The newest snapshot as a file that any client of its engine opens',
  description:
    '`Range` is answered together with `If-Range` or `If-Match` alone, so that an interrupted download goes on within the same file.',
  answers: { 200: 'The file', 206: 'The bytes that `Range` asks for', 304: 'What you have is still the newest' },
  media: ['application/octet-stream'],
  refusals: { 412: 'The newest is another one than that of `If-Match`', 416: 'The file has no such bytes' },
});

export const downloadKeptSnapshot = endpoint({
  needs: 'files',
  method: 'get',
  path: '/snapshots/{id}/file',
  audit: 'file.read',
  summary: 'A kept snapshot as a file, by its id',
  description:
    'The bytes behind an `ETag` never change, and `Repr-Digest` is their SHA-256. Only an erasure writes a snapshot anew under its id. One that shares its parts with others is made a file first, which takes a while and stays for ten minutes after it was last read. A `Range` is given without a condition too, so that a client attaches the address and reads what a question needs; whoever puts pieces together compares their `ETag`.',
  answers: { 200: 'The file', 206: 'The bytes that `Range` asks for', 304: 'What you have is still the same' },
  media: ['application/octet-stream'],
  refusals: {
    404: 'No such snapshot is kept',
    412: 'Its file was made anew, and is not that of `If-Match`',
    416: 'The file has no such bytes',
    503: 'Too much is asked at once, or making the file took too long',
  },
});
