// The settings of the program: what each one is and where it comes from, and those that admins change while it runs.
import { z } from '@hono/zod-openapi';
import { address } from '#digests/digest.ts';
import { mailOutcome } from './digests.ts';
import { endpoint, line } from './endpoint.ts';

const Setting = z
  .object({
    name: z.string().openapi({ description: 'Of the variable, like CHATLEDGER_PULL_CRON' }),
    meaning: z.string(),
    default: z.string().nullable(),
    value: z.string().nullable().openapi({ description: 'In force; of a secret only whether it is set' }),
    source: z
      .enum(['environment', '.env', 'file', 'page', 'default', 'unset'])
      .openapi({ description: 'file: NAME_FILE contains its path; page: saved by PUT /settings' }),
    is_secret: z.boolean(),
    takes_effect: z.string().nullable().openapi({
      description: 'When a change takes effect; null: its variable alone sets it, from the next start on',
    }),
  })
  .openapi('Setting');
export type Setting = z.infer<typeof Setting>;

const Settings = z
  .object({
    settings: z.array(Setting),
    own_pace: z
      .array(z.object({ account: z.string(), requests_per_second: z.int() }))
      .openapi({ description: 'Accounts of chatledger.json with a pace of their own, which counts for them' }),
    can_mail: z.boolean(),
    can_change: z.boolean().openapi({ description: 'false: CHATLEDGER_SETTINGS_PAGE=off' }),
  })
  .openapi('Settings');
export type Settings = z.infer<typeof Settings>;

export const listSettings = endpoint({
  needs: 'settings:write',
  method: 'get',
  path: '/settings',
  summary: 'All settings, with default, value, source, and when a change takes effect',
  answers: { 200: 'As they are now' },
  schema: Settings,
  refusals: { 503: 'This server has no settings' },
});

export const saveSettings = endpoint({
  needs: 'settings:write',
  method: 'put',
  path: '/settings',
  summary: 'Changes settings while the program runs',
  description:
    'Only those with `takes_effect`. What the environment, `.env` or a secret file sets cannot be changed here. They are kept in `settings.json` of the data folder.',
  body: z.strictObject({
    values: z
      .record(z.string(), line(2000).nullable())
      .openapi({ description: 'By name; null: back to the default. What is not named stays' }),
  }),
  answers: { 200: 'As they are now' },
  schema: Settings,
  refusals: {
    400: 'A name or value is wrong, or values do not go together; nothing is changed',
    409: 'The environment sets one of them, or CHATLEDGER_SETTINGS_PAGE=off; nothing is changed',
    503: 'This server has no settings',
  },
});

export const sendTestMail = endpoint({
  needs: 'settings:write',
  method: 'post',
  path: '/settings/test-mail',
  audit: 'mail.tested',
  summary: 'Sends a short mail with the mail settings that are in force',
  body: z.strictObject({
    to: address.optional().openapi({
      description: 'Where nobody has signed in; else it goes to the address of the caller',
    }),
  }),
  answers: { 200: 'What became of it' },
  schema: mailOutcome,
  refusals: { 400: 'There is no address to send it to', 409: 'CHATLEDGER_SETTINGS_PAGE=off', 503: 'Mail is off' },
});
