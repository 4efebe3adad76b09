// Digests: their settings, their sends and their documents, and dashboards as documents.
import { z } from '@hono/zod-openapi';
import { grains } from '#dashboards/grains.ts';
import { comparisons } from '#dashboards/panel-queries.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { isSplit } from '#dashboards/splits.ts';
import { presets } from '#dashboards/ranges.ts';
import { kinds, type Channel } from '#digests/channels/channels.ts';
import { address, digestSchema, papers, storedDigestSchema, type Digest, type DigestReader } from '#digests/digest.ts';
import { isLanguage, no_language } from '#digests/language.ts';
import { isZone } from '#warehouse/zone.ts';
import { endpoint, unpublished } from './endpoint.ts';

/** What became of a mail that somebody waits for. */
export const mailOutcome = z.object({
  to: z.string(),
  outcome: z.enum(['sent', 'retry', 'failed', 'unknown']).openapi({ description: 'retry: not taken for now' }),
  reason: z.string().nullable(),
});

const DigestSend = z
  .object({
    period: z.string(),
    reader: z.string(),
    channel: z.string(),
    state: z.enum(['waiting', 'held', 'retrying', 'sending', 'sent', 'failed', 'unknown']),
    due_at: z.iso.datetime(),
    is_late: z.boolean(),
    snapshot: z.string().nullable(),
    sent_at: z.iso.datetime().nullable(),
    attempts: z.int(),
    reason: z.string().nullable(),
  })
  .openapi('DigestSend');
export type DigestSend = z.infer<typeof DigestSend>;

const Shown = storedDigestSchema
  .extend({
    next_at: z.iso.datetime().nullable().openapi({ description: 'null while it is paused, or never due' }),
    version: z.int().openapi({ description: 'Counts its saves; a change names the one that it was made from' }),
    schedule_problem: z.string().nullable().openapi({ description: 'Why it is never due' }),
    last: DigestSend.nullable().openapi({
      description: 'Of all readers and channels of the last period, the one that most needs a look',
    }),
  })
  .openapi('Digest', {
    description:
      'Secrets of channels are told once, when they are made; an address of the web is shortened to its host and stands for itself when it is saved again',
  });
/** A stored digest with its next and last send. */
export type ShownDigest = z.infer<typeof Shown>;

export type { Channel, Digest, DigestReader };

const ChannelForm = z.object({ kind: z.enum(kinds), title: z.string(), has_url: z.boolean() });
/** The form fields of a kind of channel. */
export type ChannelForm = z.infer<typeof ChannelForm>;

const Sends = z.object({ sends: z.array(DigestSend) });
const none = { 404: 'There is no such digest' } as const;

export const listDigests = endpoint({
  needs: 'digests:write',
  method: 'get',
  path: '/digests',
  summary: 'Every digest, when it is due next and what became of the last one',
  answers: { 200: 'The digests' },
  schema: z.object({
    digests: z.array(Shown),
    can_mail: z.boolean(),
    channels: z
      .array(ChannelForm)
      .openapi({ description: 'Kinds of channel that there are; has_url: it goes to an address, `url`' }),
  }),
  refusals: {},
});

export const getDigest = endpoint({
  needs: 'digests:write',
  method: 'get',
  path: '/digests/{id}',
  summary: 'One digest with the history of its sends',
  answers: { 200: 'The digest' },
  schema: Sends.extend({ digest: Shown }),
  refusals: none,
});

export const saveDigest = endpoint({
  needs: 'digests:write',
  method: 'put',
  path: '/digests/{id}',
  audit: 'digest.changed',
  summary: 'Makes or changes a digest; a new secret of a webhook is told here and never again',
  body: digestSchema
    .partial({ id: true })
    .extend({
      version: z.int().min(0).optional().openapi({
        description: 'Of what was read, 0 for a digest that is new; without it, whatever is there is replaced',
      }),
    })
    .openapi({ description: 'Its id is that of the path' }),
  answers: { 200: 'As it is kept' },
  schema: z.object({ digest: Shown, secrets: z.record(z.string(), z.string()) }),
  refusals: { 400: 'What is wrong with it', 409: 'Somebody has changed it meanwhile, or there are too many' },
});

export const removeDigest = endpoint({
  needs: 'digests:write',
  method: 'delete',
  path: '/digests/{id}',
  audit: 'digest.removed',
  summary: 'Removes a digest; the history of its sends stays',
  answers: { 204: 'It is gone' },
  refusals: none,
});

export const runDigest = endpoint({
  needs: 'digests:write',
  method: 'post',
  path: '/digests/{id}/run',
  audit: 'digest.sent',
  summary: 'Sends it now; whom it reached already it does not reach again',
  body: z.strictObject({
    for: z.string().optional().openapi({ description: 'A period such as 2026-W46; default its own' }),
  }),
  answers: { 200: 'What became of each send' },
  schema: Sends,
  refusals: { 400: 'There is no such period', ...none, 503: unpublished },
});

export const sendDigestAgain = endpoint({
  needs: 'digests:write',
  method: 'post',
  path: '/digests/{id}/again',
  audit: 'digest.sent',
  summary: 'Sends one that failed, is held or has an unknown outcome once more, with the same Message-ID',
  body: z.strictObject({ period: z.string(), reader: z.string(), channel: z.string() }),
  answers: { 200: 'What became of it' },
  schema: Sends,
  refusals: { ...none, 409: 'It went out, or was never to be sent' },
});

export const testDigest = endpoint({
  needs: 'digests:write',
  method: 'post',
  path: '/digests/{id}/test',
  audit: 'digest.sent',
  summary: 'Sends a digest by mail to whoever asks, kept or not; it is no part of the history',
  body: z.strictObject({
    to: address
      .optional()
      .openapi({ description: 'Where nobody has signed in; else it goes to the address of the caller' }),
    digest: digestSchema.partial({ id: true }).openapi({ description: 'Its id is that of the path' }),
  }),
  answers: { 200: 'What became of it' },
  schema: mailOutcome,
  refusals: { 400: 'What is wrong with it', 503: `${unpublished}, or mail is off` },
});

const documents = [
  'application/pdf',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

export const previewDigest = endpoint({
  needs: 'digests:write',
  method: 'get',
  path: '/digests/{id}/preview.{format}',
  audit: 'document.read',
  summary: 'What a reader would get now',
  query: z.object({
    reader: z.string().optional().openapi({ description: 'Default the first' }),
    for: z.string().optional().openapi({ description: 'A period such as 2026-W46; default its own' }),
  }),
  answers: { 200: 'The document' },
  media: documents,
  refusals: { 400: 'There is no such period, or nothing for this reader', ...none, 503: unpublished },
});

export const downloadDigest = endpoint({
  needs: 'digests:write',
  method: 'get',
  path: '/digests/{id}/sends/{period}/{format}',
  audit: 'document.read',
  summary: 'A document that was sent, made again from its snapshot',
  query: z.object({ reader: z.string().optional(), channel: z.string().optional() }),
  answers: { 200: 'The document' },
  media: documents,
  refusals: { 400: 'There is no such parameter', 404: 'It was never made, or its snapshot is not there any more' },
});

const date = z.iso.date();

export const downloadDashboard = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/dashboards/{id}.pdf',
  agents: 'by_panel',
  audit: 'document.read',
  summary: 'A dashboard as a PDF, with the filters of its page',
  query: z.object({
    from: date.optional(),
    to: date.optional(),
    preset: z
      .enum(presets)
      .optional()
      .openapi({ description: 'Instead of `from` and `to`; they count if any is given' }),
    timezone: z.string().refine(isZone, { error: 'must be an IANA zone' }).optional(),
    group: z.array(z.string().regex(/^\d{1,9}$/, { error: 'must be a number' })).optional(),
    agent: z.array(z.string()).optional(),
    tag: z.array(z.string()).optional(),
    variable: z
      .array(z.string().refine((text) => chosenOf(text) !== undefined, { error: 'must be as plan:pro' }))
      .optional()
      .openapi({ description: 'A declared variable and a value, as `plan:pro`' }),
    split: z
      .array(z.string().refine(isSplit, { error: 'must be a panel and what it is split by, such as volume.group' }))
      .optional(),
    chosen: z
      .enum(['together'])
      .optional()
      .openapi({ description: 'Several chosen groups, agents, tags or values of a variable as one number' }),
    hours: z.enum(['business']).optional().openapi({ description: 'Waits count in business hours only' }),
    target: z
      .string()
      .regex(/^\d{1,5}$/, { error: 'must be a number of seconds' })
      .optional()
      .openapi({ description: 'Seconds within which an answer is in time; by default those of the target in force' }),
    compare: z
      .enum(comparisons)
      .optional()
      .openapi({ description: 'What numbers are compared with; by default the period before' }),
    grain: z.enum(grains).optional().openapi({ description: 'By default that of the number of days' }),
    account: z.string().optional(),
    language: z.string().refine(isLanguage, { error: no_language }).optional(),
    paper: z.enum(papers).optional(),
  }),
  answers: { 200: 'The document' },
  media: ['application/pdf'],
  refusals: { 400: 'A filter is wrong', 404: 'There is no such dashboard', 503: unpublished },
});
