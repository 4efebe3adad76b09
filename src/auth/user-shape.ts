// The input format of users for the API, the command line and the store.
import { z } from 'zod';
import { refusal_words } from '#warehouse/refusal-words.ts';
import type { Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { grantable, roleNames } from './rights.ts';

/** The rows that a user may see; omitted fields do not restrict. */
export const rowsShape = z.strictObject({
  accounts: z.array(z.string().min(1)).min(1).exactOptional(),
  groups: z
    .array(z.int({ error: 'must be the id of a group, a whole number' }).nonnegative())
    .min(1)
    .exactOptional(),
  agent: z.string().min(1).exactOptional(),
});

export const longest_name = 100;

export const userShape = z.strictObject({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email({ error: 'must be an e-mail address' }).max(200)),
  name: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(longest_name, { error: `must have at most ${longest_name} characters` })
    .regex(/^\P{Cc}*$/u, { error: 'must be one line of text' }),
  role: z.enum(roleNames, { error: `must be one of ${roleNames.join(', ')}` }),
  extra_rights: z.array(z.enum(grantable, { error: `must be one of ${grantable.join(', ')}` })).default([]),
  rows: rowsShape.default({}),
});
export type UserInput = z.infer<typeof userShape>;

/** In words, for the audit; empty: all rows. */
export const describedRows = ({ accounts, groups, agent }: Rows): string[] => [
  ...(accounts ? [`accounts ${accounts.join(' ')}`] : []),
  ...(groups ? [`groups ${groups.join(' ')}`] : []),
  ...(agent === undefined ? [] : [`chats of ${agent}`]),
];

/** A user from outside. Errors: BadUser. */
export function userFrom(value: unknown): UserInput {
  const parsed = userShape.safeParse(value, refusal_words);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
  // People give groups and rights, not a place within `rows` or a list.
  const what = path.filter((part) => part !== 'rows' && typeof part === 'string').join('.') || 'user';
  throw new BadUser(what, message);
}

/**
 * Group and agent ids belong to an account. With a single account it is stored along with the limits, so that they stay valid once there
 * are more; with several, the input must name one. `accounts`: ids of all. Errors: BadUser.
 */
export function inAccount(user: UserInput, accounts: readonly string[]): UserInput {
  const isPart = user.rows.groups !== undefined || user.rows.agent !== undefined;
  if (!isPart || user.rows.accounts) return user;
  const [only, ...others] = accounts;
  if (only === undefined) throw new BadUser('accounts', 'there is no account yet whose part somebody may see');
  if (others.length > 0)
    throw new BadUser('accounts', `there are several accounts: say which of ${accounts.join(', ')} the limit is about`);
  return { ...user, rows: { ...user.rows, accounts: [only] } };
}
