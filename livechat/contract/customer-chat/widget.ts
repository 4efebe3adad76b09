// Actions of the Customer Chat Web API v3.3 that are not about a chat: the widget's configuration, the customer, greetings, forms.
import { z } from 'zod';
import { action, emptyAnswer, groupId, name } from '../actions.ts';
import { nothingSaid, profile, saysSomething, sessionFields } from '../agent-chat/customers.ts';

/** Numbers and booleans of a query string are text. */
const wholeInQuery = z.union(
  [
    groupId,
    z
      .string()
      .regex(/^\d{1,10}$/, 'must be a whole number')
      .transform(Number),
  ],
  'must be a whole number',
);
const flagInQuery = z.union(
  [z.boolean(), z.enum(['0', '1', 'true', 'false']).transform((value) => value === '1' || value === 'true')],
  'must be true or false',
);
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address' })
  .max(2_048, 'must have at most 2048 characters');
const values = z.record(z.string(), z.record(z.string(), z.unknown()));
const chosenProperties = { namespace: name.optional(), name: name.optional() };
const read = { is_get: true } as const;

const option = z.object({ id: z.string(), label: z.string(), group_id: z.int().optional() });
const field = z.object({
  id: z.string(),
  type: z.string(),
  label: z.string(),
  required: z.boolean().optional(),
  options: z.array(option).optional(),
});
export const form = z.object({ id: z.string(), fields: z.array(field) });
export type Form = z.infer<typeof form>;
export const formTypes = ['prechat', 'postchat'] as const;

export const widgetActions = {
  get_dynamic_configuration: action(
    [],
    z.object({
      group_id: wholeInQuery.optional(),
      url: webAddress.optional(),
      channel_type: name.optional(),
      test: flagInQuery.optional(),
    }),
    z.object({
      group_id: z.int(),
      client_limit_exceeded: z.boolean(),
      domain_allowed: z.boolean(),
      online_group_ids: z.array(z.int()).optional(),
      config_version: z.string(),
      localization_version: z.string(),
      language: z.string(),
    }),
    read,
  ),
  get_configuration: action(
    [],
    z.object({ group_id: wholeInQuery, version: name }),
    z.object({
      buttons: z.array(
        z.object({
          id: z.string(),
          type: z.enum(['image', 'text']),
          online_value: z.string(),
          offline_value: z.string(),
        }),
      ),
      ticket_form: form,
      prechat_form: form,
      integrations: z.record(z.string(), z.unknown()),
      properties: z.object({ group: values, license: values }),
    }),
    read,
  ),
  get_localization: action(
    [],
    z.object({ group_id: wholeInQuery, language: name, version: name }),
    z.record(z.string(), z.string()),
    read,
  ),
  list_license_properties: action([], z.object(chosenProperties), values, read),
  list_group_properties: action([], z.object({ id: wholeInQuery, ...chosenProperties }), values, read),
  update_customer: action([], z.object(profile).refine(saysSomething, nothingSaid), emptyAnswer, {
    webhooks: ['customer_session_fields_updated'],
  }),
  set_customer_session_fields: action([], z.object({ session_fields: sessionFields }), emptyAnswer, {
    webhooks: ['customer_session_fields_updated'],
  }),
  get_customer: action(
    [],
    z.object({}),
    z.object({
      id: z.string(),
      type: z.literal('customer'),
      name: z.string().optional(),
      email: z.string().optional(),
      avatar: z.string().optional(),
      session_fields: z.array(z.record(z.string(), z.string())).optional(),
    }),
  ),
  list_group_statuses: action(
    [],
    z
      .object({ all: z.boolean().optional(), group_ids: z.array(groupId).max(200, 'takes at most 200 ids').optional() })
      .refine(({ all, group_ids }) => all === true || group_ids !== undefined, 'needs all or group_ids'),
    z.object({ groups_status: z.record(z.string(), z.enum(['online', 'offline', 'online_for_queue'])) }),
  ),
  check_goals: action(
    [],
    z.object({ session_fields: sessionFields, group_id: groupId, page_url: webAddress }),
    emptyAnswer,
  ),
  get_form: action(
    [],
    z.object({ group_id: groupId, type: z.enum(formTypes, `must be one of ${formTypes.join(', ')}`) }),
    z.object({ enabled: z.boolean(), form: form.optional() }),
  ),
  get_predicted_agent: action(
    [],
    z.object({}),
    z.object({
      agent: z.object({
        id: z.string(),
        name: z.string(),
        avatar: z.string(),
        is_bot: z.boolean(),
        job_title: z.string(),
        type: z.literal('agent'),
      }),
      queue: z.boolean(),
    }),
  ),
  get_url_info: action(
    [],
    z.object({ url: webAddress }),
    z.object({
      title: z.string().optional(),
      description: z.string().optional(),
      image_url: z.string().optional(),
      image_original_url: z.string().optional(),
      image_width: z.int().optional(),
      image_height: z.int().optional(),
      url: z.string(),
    }),
  ),
  accept_greeting: action([], z.object({ greeting_id: groupId, unique_id: name }), emptyAnswer),
  cancel_greeting: action([], z.object({ unique_id: name }), emptyAnswer),
  request_email_verification: action([], z.object({ callback_uri: webAddress }), emptyAnswer),
} as const;
