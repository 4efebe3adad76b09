// The question of list_archives in the Agent Chat Web API v3.5: path, filters and pages, as the documents list them.
import { z } from 'zod';
import { moment } from './threads.ts';

export const threadsPerPage = { least: 1, usual: 10, most: 100 } as const;

type FilterKind = 'exists' | 'values' | 'exclude_values';
const onlyOne = (filter: { [K in FilterKind]?: unknown }): boolean =>
  [filter.exists, filter.values, filter.exclude_values].filter((each) => each !== undefined).length <= 1;
const one = { error: 'takes only one of exists, values, exclude_values' };

const among = <V extends z.ZodType>(value: V) =>
  z
    .strictObject({
      exists: z.boolean(),
      values: z.array(value),
      exclude_values: z.array(value),
      require_every_value: z.boolean(),
    })
    .partial()
    .refine(onlyOne, one);
const listed = <V extends z.ZodType>(value: V) =>
  z
    .strictObject({ values: z.array(value), exclude_values: z.array(value) })
    .partial()
    .refine(onlyOne, one);
/** Values of the common kind of filter; at most one of the first three may be set. */
export interface Among<V> {
  exists?: boolean | undefined;
  values?: V[] | undefined;
  exclude_values?: V[] | undefined;
  require_every_value?: boolean | undefined;
}

const name = z.string();
const id = z.int();
const surveyAnswer = z.strictObject({ type: z.enum(['pre_chat', 'post_chat']), answer_id: z.string() });

/** Namespace, name, filter. */
export const propertiesFilter = z.record(name, z.record(name, among(z.union([z.string(), z.number(), z.boolean()]))));
export type PropertiesFilter = z.infer<typeof propertiesFilter>;

export const threadFilters = z
  .strictObject({
    query: z.string(),
    from: moment,
    to: moment,
    thread_ids: z.array(name).max(20, 'takes at most 20 ids'),
    group_ids: z.array(id).max(200, 'takes at most 200 ids'),
    properties: propertiesFilter,
    agents: among(name),
    tags: among(name),
    sales: among(z.union([id, name])),
    goals: among(z.union([id, name])),
    surveys: z.union([z.array(surveyAnswer), z.record(name, z.array(surveyAnswer))]),
    event_types: among(name),
    greetings: z
      .strictObject({
        from: moment,
        to: moment,
        exists: z.boolean(),
        values: z.array(id),
        exclude_values: z.array(id),
        groups: listed(id),
      })
      .partial()
      .refine(onlyOne, one),
    agent_response: z
      .strictObject({ exists: z.boolean(), first: z.boolean(), agents: listed(name), groups: listed(id) })
      .partial(),
    customer_countries: among(z.string().regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')),
  })
  .partial();
export type ThreadFilters = z.infer<typeof threadFilters>;

export const highlights = z
  .strictObject({ pre_tag: z.string(), post_tag: z.string() })
  .partial()
  .refine(({ pre_tag, post_tag }) => (pre_tag === undefined) === (post_tag === undefined), {
    error: 'takes pre_tag and post_tag together',
  });

const sortOrder = z.enum(['asc', 'desc']);
const is_given = (value: unknown): boolean => value !== undefined;

/** Fields that nobody knows are ignored; filters that nobody knows are refused. */
export const listArchives = {
  path: '/v3.5/agent/action/list_archives',
  args: z
    .object({
      filters: threadFilters.optional(),
      page_id: z.string().optional(),
      sort_order: sortOrder.optional(),
      limit: z
        .int()
        .min(threadsPerPage.least, `must be from ${threadsPerPage.least} to ${threadsPerPage.most}`)
        .max(threadsPerPage.most, `must be from ${threadsPerPage.least} to ${threadsPerPage.most}`)
        .optional(),
      highlights: highlights.optional(),
    })
    .refine(
      ({ page_id, ...first }) =>
        page_id === undefined || ![first.filters, first.limit, first.sort_order].some(is_given),
      { path: ['page_id'], error: 'cannot be sent together with filters, limit or sort_order' },
    )
    .refine(
      ({ filters: { thread_ids, ...others } = {}, page_id, limit }) =>
        thread_ids === undefined || ![...Object.values(others), page_id, limit].some(is_given),
      { path: ['filters', 'thread_ids'], error: 'cannot be combined with other filters or with pages' },
    ),
};
export type ListArchivesArgs = z.infer<typeof listArchives.args>;
export type Highlights = z.infer<typeof highlights>;

/**
 * The first request for all threads that began between two moments (Unix seconds, end exclusive), with the largest page size. Oldest
 * first, so that threads which end during the reading are appended.
 */
export function threadsBegun(first: number, last: number): ListArchivesArgs {
  const written = (milliseconds: number, micro: string): string =>
    new Date(milliseconds).toISOString().replace('Z', `${micro}Z`);
  const filters = { from: written(first * 1000, '000'), to: written(last * 1000 - 1, '999') };
  return { filters, sort_order: 'asc', limit: threadsPerPage.most };
}
