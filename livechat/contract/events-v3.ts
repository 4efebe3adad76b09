// Events that a caller of the v3 Web APIs can send, by type. The agent API names who sees one `visibility`, the customer API `recipients`.
import { z } from 'zod';
import { firstValues } from './properties.ts';

const text = (most: number) => z.string().min(1, 'must not be empty').max(most, `must have at most ${most} characters`);
const short = text(255);
const longest = { text: 16_384, title: 1_000, content: 16_384 } as const;
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address' })
  .max(2_048, 'must have at most 2048 characters');

const image = z.object({
  url: webAddress,
  name: short.optional(),
  content_type: short.optional(),
  size: z.int().nonnegative().optional(),
  width: z.int().nonnegative().optional(),
  height: z.int().nonnegative().optional(),
  alternative_text: text(longest.title).optional(),
});
const button = z.object({
  type: z.enum(['message', 'cancel', 'webview', 'url', 'phone']).optional(),
  text: text(longest.title),
  postback_id: short,
  user_ids: z.array(short).max(100),
  value: text(longest.title).optional(),
  webview_height: z.enum(['compact', 'tall', 'full']).optional(),
  target: z.enum(['new', 'current']).optional(),
});
const element = z.object({
  title: text(longest.title).optional(),
  subtitle: text(longest.title).optional(),
  image: image.optional(),
  buttons: z.array(button).max(13, 'must have at most 13').optional(),
});
const choice = z.looseObject({ id: short.optional(), label: text(longest.title) });
const field = z.looseObject({
  id: short,
  type: z.enum([
    'name',
    'email',
    'question',
    'textarea',
    'group_chooser',
    'radio',
    'select',
    'checkbox',
    'rating',
    'subject',
    'header',
  ]),
  label: text(longest.title),
});
const filledField = field.extend({
  answer: z.union([z.string().max(longest.text), choice]).optional(),
  answers: z.array(choice).max(100).optional(),
});

/** Fields of any event of a caller besides who sees it. */
const common = {
  custom_id: short.optional(),
  properties: firstValues.optional(),
  /** Of initial events: who wrote it, when that is not the caller. */
  author_id: short.optional(),
};
const message = {
  type: z.literal('message'),
  text: text(longest.text),
  postback: z
    .object({
      id: short,
      thread_id: short,
      event_id: short,
      type: short.optional(),
      value: z.string().max(longest.title).optional(),
    })
    .optional(),
};
const file = { type: z.literal('file'), url: webAddress, alternative_text: text(longest.title).optional() };
const richMessage = {
  type: z.literal('rich_message'),
  template_id: z.enum(['cards', 'quick_replies', 'sticker']),
  elements: z.array(element).min(1, 'must not be empty').max(10, 'must have at most 10'),
};
const custom = {
  type: z.literal('custom'),
  content: z
    .unknown()
    .refine((content) => content !== undefined, 'is required')
    .refine(
      (content) => JSON.stringify(content ?? null).length <= longest.content,
      `must have at most ${longest.content} characters`,
    ),
};
const filledForm = {
  type: z.literal('filled_form'),
  form_id: short,
  fields: z.array(filledField).min(1, 'must not be empty').max(100, 'must have at most 100'),
};
const form = { type: z.literal('form'), form_id: short, fields: z.array(field).max(100, 'must have at most 100') };
const systemMessage = {
  type: z.literal('system_message'),
  text: text(longest.text),
  system_message_type: short,
  text_vars: z.record(short, z.string().max(longest.title)).optional(),
};

const toWhom = z.enum(['all', 'agents'], 'must be all or agents');
const sees = { visibility: toWhom.optional() };
const receives = { recipients: toWhom.optional() };

export const agentEvent = z.discriminatedUnion('type', [
  z.object({ ...message, ...common, ...sees }),
  z.object({ ...file, ...common, ...sees }),
  z.object({ ...richMessage, ...common, ...sees }),
  z.object({ ...custom, ...common, ...sees }),
  z.object({ ...filledForm, ...common, ...sees }),
  z.object({ ...form, ...common, ...sees }),
  z.object({ ...systemMessage, ...common, ...sees }),
]);
export const customerEvent = z.discriminatedUnion('type', [
  z.object({ ...message, ...common, ...receives }),
  z.object({ ...file, ...common, ...receives }),
  z.object({ ...richMessage, ...common, ...receives }),
  z.object({ ...custom, ...common, ...receives }),
  z.object({ ...filledForm, ...common, ...receives }),
  z.object({ ...systemMessage, ...common, ...receives }),
]);

export type AgentEvent = z.infer<typeof agentEvent>;
export type CustomerEvent = z.infer<typeof customerEvent>;

export const postback = z.object({ id: short, toggled: z.boolean('must be true or false') });
