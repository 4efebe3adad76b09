// Custom variables of an account: those that chats contain, and those declared as splits and filters.
import { z } from '@hono/zod-openapi';
import { least_visitors, most_values, most_variables, variableId, variableSources } from '#warehouse/variables.ts';
import { endpoint, unpublished } from './endpoint.ts';

const source = z.enum(variableSources).openapi({
  description:
    'custom_variable: set by the site; prechat and postchat: a question of the survey before or after the chat',
});

const declared = z
  .strictObject({
    id: z
      .string()
      .regex(variableId, { error: 'must begin with a letter and hold at most 32 of a-z, 0-9 and _' })
      .openapi({ description: 'How questions name it: `split=variable:plan`, `variable=plan:pro`' }),
    title: z.string().trim().min(1, { error: 'must not be empty' }).max(60, { error: 'at most 60 characters' }),
    source,
    name: z.string().min(1).max(1000).openapi({ description: 'Of the custom variable, or the question as shown' }),
  })
  .openapi('Variable');

export type Variable = z.infer<typeof declared>;

const isUnique = <T>(list: readonly T[], of: (each: T) => string): boolean =>
  new Set(list.map(of)).size === list.length;

const body = z.strictObject({
  variables: z
    .array(declared)
    .max(most_variables, { error: `at most ${most_variables} variables` })
    .refine((list) => isUnique(list, ({ id }) => id), { error: 'two variables have the same id' })
    .refine((list) => isUnique(list, ({ title }) => title), { error: 'two variables have the same title' })
    .refine((list) => isUnique(list, ({ source: of, name }) => JSON.stringify([of, name])), {
      error: 'one variable is declared twice',
    }),
});

const answer = z
  .object({
    account: z.string(),
    variables: z.array(declared),
    changed_at: z.iso.datetime().nullable(),
    changed_by: z.string().nullable(),
    in_snapshot: z.boolean().openapi({ description: 'The newest snapshot has them' }),
  })
  .openapi('Variables');
export type VariablesAnswer = z.infer<typeof answer>;

const seen = z
  .object({
    source,
    name: z.string(),
    chats: z.int().openapi({ description: 'That say something' }),
    values: z.int().openapi({ description: 'Different ones' }),
    common_values: z.int().openapi({ description: `Those that at least ${least_visitors} visitors gave` }),
    examples: z.array(z.string()).openapi({
      description: 'The most frequent of the common ones; none for who may not see what was written (names:read)',
    }),
  })
  .openapi('SeenVariable');
export type SeenVariable = z.infer<typeof seen>;

const account = z.object({ account: z.string().optional() });

export const listVariables = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/variables',
  summary: 'Declared variables of an account: by them chats are split and narrowed',
  description: 'Their values are in GET /accounts.',
  query: account,
  answers: { 200: 'In the order in which they are shown' },
  schema: answer,
  refusals: { 400: 'There is no such account' },
});

export const listSeenVariables = endpoint({
  needs: 'people:write',
  method: 'get',
  path: '/variables/seen',
  summary: 'Custom variables and questions of surveys that chats of the newest snapshot have, to declare some of them',
  query: account,
  answers: { 200: 'The most frequent first' },
  schema: z.object({ account: z.string(), seen: z.array(seen) }),
  refusals: { 400: 'There is no such account', 403: 'Somebody who sees a part of the account', 503: unpublished },
});

export const saveVariables = endpoint({
  needs: 'people:write',
  method: 'put',
  path: '/variables',
  audit: 'variables.changed',
  summary: 'Declares the variables of an account, all of them at once',
  description:
    'Values of declared variables are shown to every reader. They count from the next snapshot on, which a pull makes that is started now. ' +
    `Of each the ${most_values} most frequent values count, as far as at least ${least_visitors} visitors gave them; all others are Other.`,
  query: account,
  body,
  answers: { 200: 'As they are kept' },
  schema: answer,
  refusals: {
    400: 'There is no such account, or something of a variable is wrong: the place is named',
    403: 'Somebody who sees a part of the account may not declare them',
  },
});
