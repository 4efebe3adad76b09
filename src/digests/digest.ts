// Definition of a digest: panels, period, recipients, schedule, format and channels. Pure values.
import { z } from 'zod';
import { boardNamed } from '#dashboards/board-names.ts';
import { chosenOf } from '#dashboards/variables.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { refusal_words } from '#warehouse/refusal-words.ts';
import { isZone } from '#warehouse/zone.ts';
import { channel, isByAddress, keyOfChannel } from './channels/channels.ts';
import { problemOf } from './cron.ts';
import { isLanguage, no_language } from './language.ts';

const periodNames = ['yesterday', 'last_week', 'last_month', 'last_quarter'] as const;
export type PeriodName = (typeof periodNames)[number];

export const formats = ['pdf', 'csv', 'xlsx'] as const;
export type Format = (typeof formats)[number];

/** Two pages of essentials; all pictures; all pictures and tables. */
export const lengths = ['short', 'charts', 'full'] as const;
export type Length = (typeof lengths)[number];

export const papers = ['a4', 'letter'] as const;
export type PaperSize = (typeof papers)[number];

const zone = z.string().refine(isZone, { error: 'must be an IANA zone such as Europe/Warsaw' });

const language = z.string().refine(isLanguage, { error: no_language });

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}]*$/u, { error: 'must be one line of text' });

/** One address, nothing else: no list, no display name, no line break. */
export const address = z.string().regex(/^[^\s<>,;:"()[\]\\@\p{Cc}]+@[^\s<>,;:"()[\]\\@\p{Cc}]+$/u, {
  error: 'must be one mail address such as ann@example.com',
});

const ids: readonly string[] = dashboards.map(({ id }) => id);
const panelIds: readonly string[] = dashboards.flatMap(({ id, panels }) => panels.map((panel) => `${id}/${panel.id}`));

/** A dashboard, one panel of it as `overview/volume`, or a board as `board/…`. */
const content = z
  .string()
  .refine((value) => ids.includes(value) || panelIds.includes(value) || boardNamed(value) !== undefined, {
    error: `must be a dashboard (${ids.join(', ')}), one of its panels such as ${panelIds.find((id) => id.endsWith('/volume'))}, or a board such as board/1f0c`,
  });

const no_variable = 'must be a variable and a value such as plan:pro';

const filters = z
  .strictObject({
    group: z.array(z.int().nonnegative()).max(500).default([]),
    agent: z.array(line(320)).max(500).default([]),
    tag: z.array(line(320)).max(500).default([]),
    /** Values of declared variables: `plan:pro`. */
    variable: z
      .array(line(140).refine((text) => chosenOf(text) !== undefined, { error: no_variable }))
      .max(500)
      .default([]),
    /** Waits in business hours only; without it in all hours. */
    hours: z.literal('business').exactOptional(),
  })
  .prefault({});

/** A recipient. Missing fields default to those of the digest. */
const reader = z.strictObject({
  name: line(200),
  /** Mail address; without one the reader gets no mail. */
  address: address.optional(),
  timezone: zone.optional(),
  language: language.optional(),
  /** The groups whose chats the reader may see; by default all of them. */
  groups: z.array(z.int().nonnegative()).min(1).max(500).optional(),
});
export type DigestReader = z.infer<typeof reader>;

export const digestSchema = z.strictObject({
  /** Its name in addresses and folders. */
  id: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/, {
    error: 'must be 1 to 48 small letters, digits and hyphens',
  }),
  title: line(120),
  /** As whom saved queries of its boards run, and who is notified by mail if it is held, fails for good or has an unknown outcome; otherwise only the log and the page say so. */
  owner: address.optional(),
  /** Which of several accounts; by default the first. */
  account: z.string().min(1).optional(),
  content: z.array(content).min(1).max(60),
  period: z.enum(periodNames),
  schedule: z.strictObject({
    cron: z.string().refine((value) => problemOf(value) === undefined, {
      error: (issue) => problemOf(String(issue.input)) ?? 'is no cron expression',
    }),
    timezone: zone,
  }),
  language: language.default('en-GB'),
  paper: z.enum(papers).default('a4'),
  /** Length of the PDF; the other files contain all tables. */
  length: z.enum(lengths).default('full'),
  filters,
  readers: z.array(reader).min(1).max(200),
  formats: z.array(z.enum(formats)).min(1).default(['pdf']),
  channels: z
    .array(channel)
    .min(1)
    .max(8)
    .default([{ kind: 'folder' }]),
  /** What to do if numbers of the period are missing, outdated or unexplained: wait, or send with a notice. */
  when_incomplete: z.enum(['hold', 'stamp']).default('hold'),
  /** Hours since the last pull after which numbers are too old. */
  most_hours_old: z.number().positive().max(8760).default(24),
  is_paused: z.boolean().default(false),
});

/** A stored digest. */
export type Digest = z.infer<typeof digestSchema>;

/**
 * Stored digests stay readable: a language that is no longer supported falls back to English, and one with an unsupported schedule is
 * never due, which the page and the log report.
 */
export const storedDigestSchema = digestSchema.extend({
  schedule: z.strictObject({ cron: z.string(), timezone: z.string() }),
  language: z.string(),
  readers: z.array(reader.extend({ language: z.string().optional() })),
});

/** External input is not a valid digest; lists each problem with its place. */
export class NotADigest extends Error {
  override readonly name = 'NotADigest';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** Parses a submitted digest. Errors: NotADigest. */
export const digestFrom = (value: unknown): Digest => checked(digestSchema, value);

/** Parses a stored digest. Errors: NotADigest. */
export const keptDigestFrom = (value: unknown): Digest => checked(storedDigestSchema, value);

function checked(schema: z.ZodType<Digest>, value: unknown): Digest {
  const parsed = schema.safeParse(value, refusal_words);
  if (!parsed.success)
    throw new NotADigest(parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'digest'}: ${message}`));
  const digest = parsed.data;
  const names = digest.readers.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new NotADigest([`readers: two of them are called ${twice}`]);
  const kinds = digest.channels.map(keyOfChannel);
  const again = kinds.find((kind, at) => kinds.indexOf(kind) !== at);
  if (again !== undefined) throw new NotADigest([`channels: ${again} is there twice`]);
  if (digest.channels.some(isByAddress) && !digest.readers.some((who) => who.address))
    throw new NotADigest(['readers: mail is a channel, but no reader has an address']);
  return digest;
}
