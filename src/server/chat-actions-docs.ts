// The part of docs/service.md about the two chat APIs: their actions as tables from the contract, and what the documents leave open.
import type { z } from 'zod';
import type { ActionV3 } from '#contract/actions.ts';
import { agentActions } from '#contract/agent-chat.ts';
import { customerChat } from '#contract/customer-chat.ts';

const coded = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The fields of an object; of a list or a map what it is. */
function fieldsOf(schema: z.ZodType): string {
  const { shape } = schema as Partial<z.ZodObject>;
  if (!shape) return schema.def.type === 'array' ? 'a list' : 'a map';
  return Object.entries(shape)
    .map(([name, field]) => `\`${name}\`${(field as z.ZodType).safeParse(undefined).success ? '' : ' (always)'}`)
    .join(', ');
}

function table(actions: Record<string, ActionV3>): string[] {
  return [
    '| action | scopes of a token | arguments | answer | webhooks |',
    '| --- | --- | --- | --- | --- |',
    ...Object.entries(actions).map(([name, { scopes, args, answer, webhooks, is_get }]) => {
      const taken = fieldsOf(args).replaceAll('(always)', '(required)');
      return `| \`${name}\`${is_get ? ' (GET too)' : ''} | ${coded(scopes)} | ${taken} | ${fieldsOf(answer) || '`{}`'} | ${coded(webhooks)} |`;
    }),
    '',
  ];
}

export const chatActionSections = (): string[] => [
  '## Agent Chat Web API v3.5',
  '',
  '`POST /v3.5/agent/action/<action>`. A token needs one of the scopes; where none is named, any token of an agent is good.',
  '',
  ...table(agentActions),
  '## Customer Chat Web API v3.3',
  '',
  "`POST /v3.3/customer/action/<action>?license_id=<number>` with a customer's token. Each response says in the header `Legacy` when the version ends: on the day that",
  '`npx chatledger service --legacy` named, else with the year to come.',
  '',
  ...table(customerChat),
  '### What the documents of the two leave open',
  '',
  '- A thread in the queue has begun when an agent took it: from then on that is its `created_at`, and `queues_duration` is the wait.',
  '- Threads in the queue, those whose customer left it, and those without a customer are in no archive and no report of chats.',
  '- A chat that is resumed is open to all agents (group 0) unless `access` says otherwise. `get_predicted_agent` is about the groups of the active chat, else about all agents.',
  '- `set_customer_session_fields` takes effect at once, `update_customer` when the active chat has ended.',
  '- A chat is idle after 20 minutes without an event of a user and ends after 60; so does waiting in the queue.',
  '- A simulated chat that a caller touches goes on by its callers alone; it ends when the simulation begins another of the same visitor.',
  '- A chat that was sent to busy groups, or whose agent signed out or was removed, waits in the queue of its groups before those who have had no agent: `queue` says where, in the thread and in the webhook.',
  '- Nobody who comes later passes those who wait.',
  '- A thread that is begun with `active: false` has the closing line of whoever began it.',
  '- Whoever has properties has at most 50 namespaces of 100 names, and 262144 characters of them as JSON.',
  '',
];
