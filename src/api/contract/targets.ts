// Daily targets of numbers, and whether days met them.
import { z } from '@hono/zod-openapi';
import { verdicts } from '#reports/targets/judge.ts';
import { targetKinds } from '#warehouse/definitions/uses.ts';
import { AsOf, endpoint, unpublished, wantedDay } from './endpoint.ts';

const kind = z.enum(targetKinds).openapi({
  description:
    'What is judged: first_response and service_level (within `seconds`), satisfaction (CSAT), abandonment (at most)',
});
const group = z.int().nullable().openapi({ description: 'Null: the whole account' });
const seconds = z.int().nullable().openapi({ description: 'Of first_response and service_level' });
/** The time limit in seconds that a target or goal refers to. */
export const wantedSeconds = z.int().min(1).max(86_400).nullable().default(null);
export const wantedGroup = z.int().min(0).nullable().default(null).openapi({ description: 'Null: the whole account' });

const Target = z
  .object({
    id: z.string(),
    account: z.string(),
    kind,
    group,
    valid_from: z.iso.date().openapi({ description: "Local day in the account's zone" }),
    share: z.number().nullable().openapi({ description: '0 to 1; null: from this day on there is no target' }),
    seconds,
    metric: z.string(),
    measure: z.string(),
    is_in_force: z.boolean().openapi({ description: 'Today, and it says how much' }),
    user: z.string().openapi({ description: 'Who set it' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Target');
export type Target = z.infer<typeof Target>;

export const listTargets = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/targets',
  summary: 'Targets of an account, with their history',
  description: 'Those of chats all of which you may see: of the account, or of your groups.',
  query: z.object({ account: z.string().optional() }),
  answers: { 200: 'By number, group and day' },
  schema: z.object({ targets: z.array(Target) }),
  refusals: { 400: 'There is no such account' },
});

export const saveTarget = endpoint({
  needs: 'targets:write',
  method: 'put',
  path: '/targets',
  audit: 'target.changed',
  summary: 'Sets a target from a day on; one of the same number, group and day is changed',
  description: 'Days before stay judged by the target that was in force then.',
  body: z.strictObject({
    account: z.string().optional(),
    kind,
    group: wantedGroup,
    valid_from: wantedDay,
    share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .openapi({ description: '0 to 1; null: from this day on there is no target' }),
    seconds: wantedSeconds,
  }),
  answers: { 200: 'As it is kept' },
  schema: Target,
  refusals: {
    400: 'The account, the group, the day, the share or the seconds are none',
    409: 'There are too many',
    503: unpublished,
  },
});

export const removeTarget = endpoint({
  needs: 'targets:write',
  method: 'delete',
  path: '/targets/{id}',
  audit: 'target.removed',
  summary: 'Removes a target, as if it had never been set',
  query: z.object({ account: z.string().optional() }),
  answers: { 204: 'It is gone' },
  refusals: { 400: 'There is no such account', 404: 'There is no target with the id' },
});

export const JudgedTarget = z
  .object({
    kind,
    metric: z.string(),
    measure: z.string(),
    is_most: z.boolean().openapi({ description: 'At most so much is wanted, not at least' }),
    group,
    met: z.int(),
    missed: z.int(),
    too_few: z.int(),
    days: z.array(
      z.object({
        day: z.iso.date(),
        share: z.number().openapi({ description: 'What was wanted on that day' }),
        seconds,
        value: z.number().nullable(),
        n: z.number().openapi({ description: 'What the value is a share of' }),
        verdict: z.enum(verdicts).openapi({
          description: 'Days that are open, not known or have fewer than 10 are not judged',
        }),
      }),
    ),
  })
  .openapi('JudgedTarget');
export type JudgedTarget = z.infer<typeof JudgedTarget>;

export const judgeTargets = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/targets/days',
  summary: 'Which days of a range met the target that was in force on them',
  description:
    'Of the account, or of one group: of several groups, of an agent, a tag or a variable there is no target, and the list is empty.',
  query: z.object({
    account: z.string().optional(),
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string().optional(),
    group: z.string().optional().openapi({ description: 'Id; several times for several' }),
    agent: z.string().optional(),
    tag: z.string().optional(),
    variable: z.string().optional(),
    as_of: AsOf,
  }),
  answers: { 200: 'One for each number that had a target in the range' },
  schema: z.object({ judged: z.array(JudgedTarget) }),
  refusals: { 400: 'The account, the dates, the zone or a filter are none', 503: unpublished },
});
