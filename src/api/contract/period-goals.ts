// Goals for periods, and the progress towards them.
import { z } from '@hono/zod-openapi';
import { goalKinds, type GoalKind } from '#reports/period-goals/goal.ts';
import { standings } from '#reports/period-goals/pace.ts';
import { endpoint, unpublished, wantedDay } from './endpoint.ts';
import { wantedGroup, wantedSeconds } from './targets.ts';

const kind = z.enum(goalKinds).openapi({ description: 'chats is a number of chats, the others are shares (0 to 1)' });

const Pace = z.object({
  standing: z.enum(standings),
  through: z.iso.date().nullable().openapi({ description: 'The last day that is over and known' }),
  reached: z.number().nullable().openapi({ description: 'Chats, or the share, through that day' }),
  basis: z.number().openapi({ description: 'What the share is a share of; of chats the same as reached' }),
  expected: z.number().nullable().openapi({
    description:
      'Chats that there would be by then if weekdays brought what they usually do; of a share the goal itself',
  }),
  days_left: z.int(),
  per_day: z.number().nullable().openapi({ description: 'Chats a day that are still needed' }),
  usual_per_day: z.number().nullable().openapi({ description: 'What the days left usually bring a day' }),
  best_day: z
    .number()
    .nullable()
    .openapi({ description: 'The most that a day of the period or the weeks before it brought' }),
  rest_share: z.number().nullable().openapi({ description: 'What the rest must have, at least or at most' }),
  weeks: z.int().openapi({ description: 'Whole weeks that the rhythm rests on; 0: days are taken as equal' }),
  unknown_days: z.int().openapi({ description: 'Days of the period that are over and not pulled' }),
});

const PeriodGoal = z
  .object({
    id: z.string(),
    account: z.string(),
    kind,
    group: z.int().nullable().openapi({ description: 'Null: the whole account' }),
    from: z.iso.date(),
    to: z.iso.date(),
    amount: z.number(),
    seconds: z.int().nullable(),
    metric: z.string(),
    measure: z.string(),
    is_most: z.boolean().openapi({ description: 'At most so much is wanted, not at least' }),
    user: z.string().openapi({ description: 'Who set it' }),
    created_at: z.iso.datetime(),
    pace: Pace,
  })
  .openapi('PeriodGoal');
export type { GoalKind };
export type PeriodGoal = z.infer<typeof PeriodGoal>;

export const listPeriodGoals = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/period-goals',
  summary: 'Goals of an account for periods, and how they stand',
  description: 'Those of chats all of which you may see: of the account, or of your groups.',
  query: z.object({ account: z.string().optional() }),
  answers: { 200: 'Those that end last first' },
  schema: z.object({ goals: z.array(PeriodGoal) }),
  refusals: { 400: 'There is no such account', 503: unpublished },
});

export const savePeriodGoal = endpoint({
  needs: 'targets:write',
  method: 'put',
  path: '/period-goals',
  audit: 'period_goal.changed',
  summary: 'Sets a goal for a period, or changes the one with its id',
  body: z.strictObject({
    id: z.string().max(64).optional().openapi({ description: 'Of the goal to be changed; without it a new one' }),
    account: z.string().optional(),
    kind,
    group: wantedGroup,
    from: wantedDay,
    to: wantedDay,
    amount: z.number().min(0).max(1e9),
    seconds: wantedSeconds,
  }),
  answers: { 200: 'Its id' },
  schema: z.object({ id: z.string() }),
  refusals: {
    400: 'The account, the group, the days, the amount or the seconds are none',
    404: 'There is no goal with the id',
    409: 'There are too many',
    503: unpublished,
  },
});

export const removePeriodGoal = endpoint({
  needs: 'targets:write',
  method: 'delete',
  path: '/period-goals/{id}',
  audit: 'period_goal.removed',
  summary: 'Removes a goal for a period',
  query: z.object({ account: z.string().optional() }),
  answers: { 204: 'It is gone' },
  refusals: { 400: 'There is no such account', 404: 'There is no goal with the id' },
});
