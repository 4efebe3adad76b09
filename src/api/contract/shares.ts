// Links to a page with frozen filters: created and revoked by users, opened by anybody who has one.
import { z } from '@hono/zod-openapi';
import { rowsShape } from '#auth/user-shape.ts';
import { longest_title } from '#dashboards/longest-title.ts';
import { comparisons } from '#dashboards/panel-queries.ts';
import { presets } from '#dashboards/ranges.ts';
import { panelsShape } from '#dashboards/board-shape.ts';
import { sharedViewShape } from '#sharing/shared-view.ts';
import { Account } from './accounts.ts';
import { endpoint, line, unpublished } from './endpoint.ts';
import { Metric, MetricAnswer } from './metrics.ts';
import { keyShape } from './tokens.ts';
import { JudgedTarget } from './targets.ts';

const Share = keyShape
  .extend({
    title: z.string(),
    user_name: z.string(),
    frozen: sharedViewShape.nullable().openapi({
      description: 'The page and its filters; null: this version has no such page any more',
    }),
  })
  .openapi('Share');
export type Share = z.infer<typeof Share>;

export const listShares = endpoint({
  method: 'get',
  path: '/shares',
  needs: 'sign_in',
  summary: 'Your shared links; for who may change users, those of all',
  answers: { 200: 'The newest first' },
  schema: z.object({ shares: z.array(Share) }),
  refusals: {},
});

export const addShare = endpoint({
  method: 'post',
  path: '/shares',
  needs: 'sign_in',
  summary: 'A link that opens a page with its filters frozen, without signing in',
  body: z.strictObject({
    title: line(longest_title),
    ...sharedViewShape.omit({ board: true }).shape,
    account: sharedViewShape.shape.account.optional(),
    has_agents: z.boolean().default(false).openapi({ description: 'With figures of agents by name' }),
    rows: rowsShape.optional().openapi({ description: 'At most your own rows, and those of the account alone' }),
    days: z.int().openapi({ description: 'It is good for so many days, at most 366' }),
  }),
  answers: { 200: 'The link; `key` is told this once, and the link is /share#key' },
  schema: z.object({
    share: Share,
    key: z.string(),
    can_be_embedded: z.boolean().openapi({ description: 'Pages of other origins may embed it' }),
  }),
  refusals: { 400: 'What does not go together', 403: 'Sharing is switched off' },
});

export const removeShare = endpoint({
  method: 'delete',
  path: '/shares/{id}',
  needs: 'sign_in',
  summary: 'Revokes a link',
  answers: { 204: 'It opens nothing any more' },
  refusals: { 404: 'There is no such link of yours' },
});

const ended = 'The link is wrong, revoked or expired, or sharing is switched off';

const SharedFilters = z.object({
  preset: z.enum(presets).nullable(),
  from: z.iso.date(),
  to: z.iso.date(),
  today: z.iso.date(),
  cutAt: z.iso.date().nullable(),
  timezone: z.string(),
  grain: z.enum(['hour', 'day', 'week', 'month', 'total']),
  compare: z.enum(comparisons),
  target: z.int(),
  group: z.array(z.string()),
  agent: z.array(z.string()),
  tag: z.array(z.string()),
  variable: z.array(z.string()).openapi({ description: 'Values of declared variables, such as `plan:pro`' }),
  split: z.array(z.string()).openapi({ description: 'Panels that are split, such as `volume.group`' }),
  isTogether: z
    .boolean()
    .openapi({ description: 'Several chosen groups, agents, tags or values of a variable are one number' }),
  hours: z.literal('business').exactOptional().openapi({ description: 'Waits count in business hours only' }),
});

const SharedPage = z
  .object({
    title: z.string(),
    shared_by: z.string(),
    expires_at: z.iso.datetime(),
    dashboard: z.string(),
    board: z
      .object({ title: z.string(), panels: panelsShape })
      .nullable()
      .openapi({ description: 'What it shows, where it is a board: as it was when it was shared' }),
    panels: z.array(z.string()).openapi({ description: 'Ids of the panels that it shows' }),
    today: z.array(z.string()).openapi({ description: 'Ids of the panels about today so far' }),
    saved_queries: z.int().openapi({ description: 'How many saved queries of the board it leaves out' }),
    has_agents: z.boolean(),
    filters: SharedFilters,
    account: Account,
    metrics: z.array(Metric),
    judged: z
      .array(JudgedTarget)
      .openapi({ description: 'Targets of what it shows, of the chats that its maker may see all of' }),
    snapshot: z.object({ id: z.string(), published_at: z.iso.datetime() }),
  })
  .openapi('SharedPage');
export type SharedPage = z.infer<typeof SharedPage>;

export const getSharedPage = endpoint({
  method: 'get',
  path: '/share',
  needs: 'share',
  audit: 'share.opened',
  summary: 'What the link shows whose key is sent as Bearer: page, panels, filters',
  answers: { 200: 'What there is to show' },
  schema: SharedPage,
  refusals: { 401: ended, 404: 'This version has no such page any more', 503: unpublished },
});

export const getSharedPanel = endpoint({
  method: 'get',
  path: '/share/panels/{panel}',
  needs: 'share',
  audit: 'share.opened',
  summary: 'The answers to the questions of a panel that the link shows; nothing about them can be chosen',
  answers: { 200: 'One outcome for each question, in order' },
  schema: z.object({
    outcomes: z.array(
      z.union([
        z.object({ kind: z.literal('answered'), answer: MetricAnswer }),
        z.object({ kind: z.literal('refused'), message: z.string(), choices: z.array(z.string()) }),
      ]),
    ),
  }),
  refusals: { 400: 'Something was asked besides', 401: ended, 404: 'The link shows no such panel', 503: unpublished },
});
