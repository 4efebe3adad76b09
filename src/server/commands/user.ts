// `chatledger user`: who may sign in, from the machine itself; also the way back in when a password is lost.
import type { Auth } from '#auth/auth.ts';
import { BadUser } from '#auth/errors.ts';
import { newPassword } from '#auth/passwords.ts';
import { written, type User, type Written } from '#auth/users.ts';
import { ZodError } from 'zod';
import { readConfig } from '../config.ts';
import { Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { openAuthIn } from '../auth.ts';
import { tableOf } from '../table.ts';
import { out, outJson } from '../terminal.ts';

export interface UserOptions {
  name?: string;
  role?: string;
  groups?: string;
  accounts?: string;
  agent?: string;
  give?: string;
  json?: boolean;
}

const actions = { add, list, role: change, groups: change, password, remove } as const;

export async function user(action: string, email: string | undefined, options: UserOptions): Promise<void> {
  if (!Object.hasOwn(actions, action))
    throw new Stopped(`user ${action} is no action; choose from ${Object.keys(actions).join(', ')}`);
  const config = readConfig();
  const { auth, close } = openAuthIn(openFolder(config.folder), config);
  try {
    const ids = config.accounts.map(({ id }) => id);
    await actions[action as keyof typeof actions](auth, email, options, ids);
  } catch (error) {
    if (error instanceof BadUser) throw new Stopped(error.message);
    if (error instanceof ZodError)
      throw new Stopped(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
    throw error;
  } finally {
    close();
  }
}

function emailOf(email: string | undefined): string {
  if (email === undefined) throw new Stopped('say whose: the e-mail address after the action');
  return email;
}

const words = (list: string | undefined): string[] | undefined =>
  list
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** What the options say, over what was there before; `--groups all` and `--accounts all` take a limit away. */
function changed(before: Partial<User> & { email: string }, options: UserOptions, ids: readonly string[]): Written {
  const { role = before.role ?? 'viewer', name = before.name ?? before.email } = options;
  const [groups, accounts] = [words(options.groups), words(options.accounts)];
  const of = <T>(given: T[] | undefined, kept: readonly T[] | undefined): readonly T[] | undefined =>
    given === undefined ? kept : String(given) === 'all' ? undefined : given;
  const rows = {
    groups: of<string | number>(groups, before.rows?.groups)?.map(Number),
    accounts: of(accounts, before.rows?.accounts),
    agent: role === 'agent' ? (options.agent ?? before.rows?.agent) : undefined,
  };
  if (rows.groups && !rows.accounts && ids.length > 1)
    throw new Stopped(`--groups needs --accounts, whose groups they are: ${ids.join(', ')}`);
  return written.parse({
    ...{ email: before.email, name, role, given: words(options.give) ?? before.given ?? [] },
    rows: Object.fromEntries(Object.entries(rows).filter(([, value]) => value !== undefined)),
  });
}

async function add({ users }: Auth, email: string | undefined, options: UserOptions, ids: string[]): Promise<void> {
  const password = newPassword();
  const user = await users.add(changed({ email: emailOf(email) }, options, ids), password);
  if (options.json) return outJson({ ...user, password });
  out(`${user.email} may sign in as ${user.role}. The password, shown this once:`, password);
}

function list({ users }: Auth, _email: string | undefined, { json }: UserOptions): void {
  const all = users.list();
  if (json) outJson({ users: all });
  else if (all.length === 0) out('there are no users: whoever sits at this machine sees and may do everything');
  else
    out(
      ...tableOf(
        ['e-mail', 'name', 'role', 'sees', 'also', 'last seen'],
        all.map((one) => [one.email, one.name, one.role, seen(one), one.given.join(', '), one.last_seen_at ?? 'never']),
      ),
    );
}

function seen({ rows: { accounts, groups, agent } }: User): string {
  const parts = [
    ...(accounts ? [`accounts ${accounts.join(', ')}`] : []),
    ...(groups ? [`groups ${groups.join(', ')}`] : []),
    ...(agent === undefined ? [] : [`chats of ${agent}`]),
  ];
  return parts.join('; ') || 'all chats';
}

function change({ users }: Auth, email: string | undefined, options: UserOptions, ids: string[]): void {
  const before = users.named(emailOf(email));
  const after = users.change(before.id, changed(before, options, ids));
  if (options.json) return outJson(after);
  out(
    `${after.email}: ${after.role}, ${seen(after)}${after.given.length > 0 ? `, also ${after.given.join(', ')}` : ''}`,
  );
}

async function password({ users }: Auth, email: string | undefined, { json }: UserOptions): Promise<void> {
  const { id, email: whose } = users.named(emailOf(email));
  const password = newPassword();
  await users.setPassword(id, password, { andTokens: true });
  if (json) return outJson({ email: whose, password });
  out(`${whose} is signed out everywhere, and tokens are revoked. The new password, shown this once:`, password);
}

function remove({ users }: Auth, email: string | undefined, { json }: UserOptions): void {
  const user = users.named(emailOf(email));
  users.remove(user.id);
  if (json) return outJson({ removed: user.email });
  out(`${user.email} may not sign in any more; sessions and tokens are gone`);
}
