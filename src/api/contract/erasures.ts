// Erasing a visitor: preview, execution, and the list of past erasures.
import { z } from '@hono/zod-openapi';
import { endpoint } from './endpoint.ts';

const Counts = z.object({
  visitors: z.int(),
  chats: z.int(),
  rows: z.record(z.string(), z.int()).openapi({ description: 'Rows of the warehouse, by table' }),
  raw_records: z.int().openapi({ description: 'Versions of chats in the raw archive' }),
  raw_pages: z.int().openapi({ description: 'Pages that list them' }),
  raw_unreadable: z.int().openapi({ description: 'Answers that could not be read and name the person' }),
  set_aside: z.int().openapi({ description: 'Records that could not be decoded' }),
  mentions: z.int().openapi({ description: 'Texts of others in which an address stands' }),
  snapshots: z.int().openapi({ description: 'Kept snapshots' }),
  snapshots_rewritten: z.int().openapi({ description: 'Of these, written anew' }),
  parts_rewritten: z.int().openapi({ description: 'Parts of packed snapshots that are written anew' }),
});
/** How much was found and changed. */
export type Counts = z.infer<typeof Counts>;

const Proof = z.object({
  snapshots: z.int(),
  metrics: z.int(),
  questions: z
    .int()
    .openapi({ description: 'Put to each snapshot before and after: each metric by day, and by day and group' }),
  cells: z.int().openapi({ description: 'Numbers that were compared; all are the same' }),
  untouched: z
    .int()
    .openapi({ description: 'Snapshots in which nothing of the person was: not a byte of them is changed' }),
});
/** Proof that every metric of every kept snapshot is unchanged. */
export type Proof = z.infer<typeof Proof>;

const NotErased = z.object({ what: z.string(), reason: z.string() });
/** What could not be erased, and why. */
export type NotErased = z.infer<typeof NotErased>;

const Erasure = z.object({
  id: z.string(),
  state: z.enum(['placing', 'done']).openapi({
    description: '`placing`: proved, and being put in place; when it was cut off, whoever writes next ends it',
  }),
  person: z.string().openapi({ description: 'Salted hash of the visitor id or address that was asked for' }),
  begun_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  by: z.string().openapi({ description: 'Who asked for it' }),
  counts: Counts,
  proof: Proof,
  not_erased: z.array(NotErased),
});
export type Erasure = z.infer<typeof Erasure>;

const Person = {
  visitor: z.string().trim().min(1).max(500).optional().openapi({ description: 'Id of the visitor' }),
  email: z
    .string()
    .trim()
    .min(3)
    .max(500)
    .optional()
    .openapi({ description: 'Instead: every visitor with this address' }),
  account: z.string().optional().openapi({ description: 'One account of several; all by default' }),
};

const Running = z.object({ what: z.string(), done: z.int(), total: z.int() });
export type RunningErasure = z.infer<typeof Running>;

export const listErasures = endpoint({
  needs: 'erase',
  method: 'get',
  path: '/erasures',
  summary: 'What was erased, and what is being erased',
  answers: { 200: 'Newest first; none of them names a person' },
  schema: z.object({
    erasures: z.array(Erasure),
    running: Running.nullable(),
    problem: z.string().nullable().openapi({ description: 'Why the last one that was started came to nothing' }),
  }),
  refusals: {},
});

export const planErasure = endpoint({
  needs: 'erase',
  method: 'post',
  path: '/erasures/plan',
  audit: 'visitor.found',
  summary: 'What would be erased; nothing is changed',
  body: z.strictObject(Person),
  answers: { 200: 'What was found of the person' },
  schema: z.object({
    visitors: z.array(z.object({ account: z.string(), id: z.string() })),
    names: z.array(z.string()),
    addresses: z.array(z.string()),
    counts: Counts,
    notes: z.int().openapi({ description: 'Notes, views and boards of people in which an id or address stands' }),
    documents: z.array(z.string()).openapi({ description: 'Delivered documents that are removed' }),
    unused: z.array(z.string()).openapi({ description: 'Files that were set aside or cut off, and are removed' }),
    not_erased: z.array(NotErased),
  }),
  refusals: {
    400: 'It does not say whom',
    404: 'Nothing is known of the person',
    409: 'A pull or an erasure is writing',
  },
});

export const startErasure = endpoint({
  needs: 'erase',
  method: 'post',
  path: '/erasures',
  audit: 'erasure.started',
  summary: 'Erases a visitor from everything that is kept',
  body: z.strictObject({
    ...Person,
    confirm: z.string().openapi({ description: 'The id or the address once more' }),
  }),
  answers: { 202: 'It is being done: GET /erasures says how far it is' },
  schema: z.object({ started: z.literal(true) }),
  refusals: { 400: 'It does not say whom, or `confirm` is something else', 409: 'A pull or an erasure is writing' },
});
