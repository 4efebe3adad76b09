// The accounts and what can be chosen in them.
import { z } from '@hono/zod-openapi';
import { endpoint, unchanged } from './endpoint.ts';

export const Account = z.object({
  id: z.string(),
  timezone: z.string(),
  since: z.string(),
  simulated: z.boolean().openapi({ description: 'Its chats are made up by the embedded service' }),
  agents: z.array(z.object({ login: z.string(), name: z.string() })),
  groups: z.array(z.object({ id: z.int(), name: z.string() })),
  other_groups: z.array(z.object({ id: z.int(), name: z.string() })).openapi({
    description: 'Further groups of your chats, which are not yours: “another group” in place of their names',
  }),
  tags: z.array(z.string()),
  more_tags: z.boolean().openapi({ description: 'There are more than were asked for' }),
  goals: z.array(z.object({ id: z.int(), name: z.string() })),
  variables: z
    .array(z.object({ id: z.string(), title: z.string(), values: z.array(z.string()) }))
    .openapi({ description: 'Declared ones, with the values that chats have: the most frequent first, Other last' }),
});
export type Account = z.infer<typeof Account>;

export const listAccounts = endpoint({
  needs: 'numbers:read',
  method: 'get',
  path: '/accounts',
  summary: 'Accounts with their agents, groups, tags, goals and declared variables',
  query: z.object({
    account: z.string().optional().openapi({ description: 'This one only' }),
    tags: z.string().optional().openapi({ description: 'At most so many tags; all of them without' }),
    find: z.string().optional().openapi({ description: 'Tags that hold this text, in any case' }),
  }),
  answers: { 200: 'The accounts', 304: unchanged },
  schema: z.object({ accounts: z.array(Account) }).openapi('Accounts'),
  refusals: { 400: 'What is wrong with the question' },
});
