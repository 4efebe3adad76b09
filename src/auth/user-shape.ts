// What is written of a user, by whoever lets others in: for the API, the command line and the store alike.
import { z } from 'zod';
import type { Rows } from './caller.ts';
import { BadUser } from './errors.ts';
import { grantable, roleNames } from './rights.ts';

/** The rows that somebody may see; what is left out narrows nothing. */
export const rowsShape = z.strictObject({
  accounts: z.array(z.string().min(1)).min(1).exactOptional(),
  groups: z.array(z.int().nonnegative()).min(1).exactOptional(),
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
  role: z.enum(roleNames),
  extra_rights: z.array(z.enum(grantable)).default([]),
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
  const parsed = userShape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
  throw new BadUser(path.join('.') || 'user', message);
}

/**
 * Ids of groups and agents are those of an account. Where there is one, a limit to a part is kept with it, so that it holds when there
 * are more; where there are several it has to say which. `accounts`: ids of all. Errors: BadUser.
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
