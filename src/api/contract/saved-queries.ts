// Saved queries: statements with a name and the values of their parameters, for their maker or for everybody who may run SQL.
import { z } from '@hono/zod-openapi';
import { endpoint, line } from './endpoint.ts';
import { parameterValues, statementText } from './sql.ts';

const columnName = z.string().min(1).max(2000);
const queryChart = z.union(
  [
    z.literal('usual'),
    z.strictObject({
      kind: z.enum(['line', 'bar']),
      x: columnName,
      y: z.array(columnName).max(50),
      split: columnName.nullable(),
    }),
  ],
  { error: 'must be usual, null, or an object of kind (line or bar), x, y and split, by names of columns' },
);

const SavedQueryEntry = z.object({
  id: z.string(),
  name: z.string(),
  is_shared: z.boolean().openapi({ description: 'Everybody who may run SQL sees it' }),
  owner_name: z.string().openapi({ description: 'Who made it; empty: nobody who is still there' }),
  is_own: z.boolean(),
  may_change: z.boolean(),
  version: z.int().openapi({ description: 'A change names the version that it was made from' }),
  changed_at: z.iso.datetime(),
});
export type SavedQueryEntry = z.infer<typeof SavedQueryEntry>;

const SavedQuery = SavedQueryEntry.extend({
  statement: z.string(),
  parameters: parameterValues.openapi({ description: 'Those that it was last saved with' }),
  chart: queryChart.nullable().openapi({
    description: 'How its result is drawn, by names of its columns; usual: as they suggest; null: as rows alone',
  }),
}).openapi('SavedQuery');
export type SavedQuery = z.infer<typeof SavedQuery>;

const content = {
  name: line(120),
  statement: statementText,
  parameters: parameterValues.default({}),
  chart: queryChart.nullable().default(null),
  is_shared: z.boolean().default(false),
};

const none = { 404: 'There is no such query, or it is not yours to see' };
const taken = 'Another query of yours has the name, or there are too many';

export const listSavedQueries = endpoint({
  needs: 'files',
  method: 'get',
  path: '/sql/queries',
  summary: 'Your saved queries, and those that are shared, without their statements',
  answers: { 200: 'By name' },
  schema: z.object({ queries: z.array(SavedQueryEntry) }),
  refusals: {},
});

export const getSavedQuery = endpoint({
  needs: 'files',
  method: 'get',
  path: '/sql/queries/{id}',
  summary: 'A saved query',
  answers: { 200: 'As it is kept' },
  schema: SavedQuery,
  refusals: none,
});

export const addSavedQuery = endpoint({
  needs: 'files',
  method: 'post',
  path: '/sql/queries',
  audit: 'query.changed',
  summary: 'Saves a query; it is not run',
  body: z.strictObject(content),
  answers: { 200: 'As it is kept' },
  schema: SavedQuery,
  refusals: { 400: 'The name or the statement is none', 409: taken },
});

export const changeSavedQuery = endpoint({
  needs: 'files',
  method: 'put',
  path: '/sql/queries/{id}',
  audit: 'query.changed',
  summary: 'Changes a saved query',
  body: z.strictObject({ ...content, version: z.int().openapi({ description: 'Of what was read' }) }),
  answers: { 200: 'As it is kept' },
  schema: SavedQuery,
  refusals: {
    400: 'The name or the statement is none',
    403: 'It is not yours to change',
    ...none,
    409: `${taken}, or somebody has changed it meanwhile`,
  },
});

export const removeSavedQuery = endpoint({
  needs: 'files',
  method: 'delete',
  path: '/sql/queries/{id}',
  audit: 'query.removed',
  summary: 'Removes a saved query',
  answers: { 204: 'It is gone' },
  refusals: { 403: 'It is not yours to change', ...none },
});
