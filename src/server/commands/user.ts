// `chatledger user`: who may sign in, from the machine itself; also the way back in when a password is lost.
import type { Auth } from '#auth/auth.ts';
import { BadUser } from '#auth/errors.ts';
import { newPassword } from '#auth/passwords.ts';
import { inAccount, userFrom, type UserInput } from '#auth/user-shape.ts';
import type { StoredUser } from '#auth/users.ts';
import { discovered, wordsOf, type Provider } from '#auth/oidc.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { noSuchAccount, notListed } from '#warehouse/read/account-lists.ts';
import { accountsThere, type OpenNewest, type WithAccounts } from '../accounts-there.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { withAuth } from '../auth.ts';
import { tableOf } from '../text-table.ts';
import { out, outJson, say } from '../terminal.ts';

interface UserOptions {
  name?: string;
  role?: string;
  groups?: string;
  accounts?: string;
  agent?: string;
  give?: string;
  subject?: string;
  off?: boolean;
  json?: boolean;
}

const actions = {
  ...{ add, list, role: change, groups: change, password, remove },
  link,
  'second-factor': secondFactor,
} as const;

/** The settings that the command needs. */
interface UserSettings {
  withAccounts: WithAccounts;
  /** The provider of single sign-on. */
  provider: Provider | null;
}

const idsOf = (accounts: readonly WarehouseAccount[]): string[] => accounts.map(({ id }) => id);

export async function user(action: string, email: string | undefined, options: UserOptions): Promise<void> {
  if (!Object.hasOwn(actions, action))
    throw new Stopped(`user ${action} is no action; choose from ${Object.keys(actions).join(', ')}`);
  await withAuth((auth, config) => {
    const settings = { withAccounts: accountsThere(config), provider: config.provider?.provider ?? null };
    return actions[action as keyof typeof actions](auth, email, options, settings);
  });
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

/** Errors: Stopped, which says of what the sentence is. */
function shaped(value: unknown): UserInput {
  try {
    return userFrom(value);
  } catch (error) {
    throw error instanceof BadUser ? new Stopped(`${error.what}: ${error.message}`) : error;
  }
}

/** Applies the options to the previous values; `--groups all` and `--accounts all` remove a limit. */
function changed(before: Partial<StoredUser> & { email: string }, options: UserOptions): UserInput {
  const { role = before.role ?? 'viewer', name = before.name ?? before.email } = options;
  const [groups, accounts] = [words(options.groups), words(options.accounts)];
  const of = <T>(given: T[] | undefined, kept: readonly T[] | undefined): readonly T[] | undefined =>
    given === undefined ? kept : String(given) === 'all' ? undefined : given;
  const rows = {
    groups: of<string | number>(groups, before.rows?.groups)?.map(Number),
    accounts: of(accounts, before.rows?.accounts),
    agent: role === 'agent' ? (options.agent ?? before.rows?.agent) : undefined,
  };
  return shaped({
    ...{ email: before.email, name, role, extra_rights: words(options.give) ?? before.extra_rights ?? [] },
    // Whoever becomes an admin is not limited any more.
    rows: role === 'admin' ? {} : Object.fromEntries(Object.entries(rows).filter(([, value]) => value !== undefined)),
  });
}

/** With the account that a limit is about; what is `kept` need not be there any more. Whoever sees all of all accounts is let in also while nobody can say which there are. */
async function placed(
  user: UserInput,
  { withAccounts }: UserSettings,
  { isNew = true, kept = {} }: { isNew?: boolean; kept?: StoredUser['rows'] } = {},
): Promise<UserInput> {
  if (Object.keys(user.rows).length === 0) return user;
  return withAccounts(async (accounts, open) => {
    const unknown = noSuchAccount(
      user.rows.accounts?.filter((id) => !kept.accounts?.includes(id)) ?? [],
      idsOf(accounts),
    );
    if (unknown) throw new Stopped(unknown.sentence);
    const wanted = inAccount(user, idsOf(accounts));
    if (isNew) await assertListed(withoutKept(wanted.rows, kept), accounts, open);
    return wanted;
  });
}

/** Groups and agents are kept within the same accounts only. */
function withoutKept(rows: UserInput['rows'], kept: StoredUser['rows']): UserInput['rows'] {
  const had = String(rows.accounts) === String(kept.accounts) ? kept : {};
  const { agent, ...others } = rows;
  return {
    ...others,
    groups: (rows.groups ?? []).filter((group) => !had.groups?.includes(group)),
    ...(agent === undefined || agent === had.agent ? {} : { agent }),
  };
}

async function add(
  { users }: Auth,
  email: string | undefined,
  options: UserOptions,
  settings: UserSettings,
): Promise<void> {
  const password = newPassword();
  const wanted = await placed(changed({ email: emailOf(email) }, options), settings);
  const user = await users.add(wanted, password, { isGiven: true });
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
        all.map((one) => [
          one.email,
          one.name,
          one.role,
          seen(one),
          one.extra_rights.join(', '),
          one.last_seen_at ?? 'never',
        ]),
      ),
    );
}

function seen({ rows: { accounts, groups, agent } }: StoredUser): string {
  const parts = [
    ...(accounts ? [`accounts ${accounts.join(', ')}`] : []),
    ...(groups ? [`groups ${groups.join(', ')}`] : []),
    ...(agent === undefined ? [] : [`chats of ${agent}`]),
  ];
  return parts.join('; ') || 'all chats';
}

/**
 * A mistyped group or login would show nothing, without a word. Before the first publication, and in an account that lists none yet, any
 * may be named; where the snapshot cannot be read, a warning says that nothing was checked. Errors: Stopped.
 */
async function assertListed(
  rows: UserInput['rows'],
  accounts: readonly WarehouseAccount[],
  open: OpenNewest,
): Promise<void> {
  const [groups, agents] = [rows.groups ?? [], rows.agent === undefined ? [] : [rows.agent]];
  if (groups.length + agents.length === 0) return;
  try {
    const unknown = await open((snapshot) => notListed({ ...rows, agents }, accounts, snapshot));
    if (unknown) throw new Stopped(unknown.sentence);
  } catch (error) {
    if (error instanceof Stopped || !(error instanceof Error) || !stoppedByFile(error)) throw error;
    const named = [
      ...(groups.length > 0 ? [`groups ${groups.join(', ')}`] : []),
      ...(agents.length > 0 ? [`agent ${agents.join(', ')}`] : []),
    ];
    say(`${named.join(' and ')} could not be checked, and what does not exist shows no chats: ${error.message}`);
  }
}

async function change(
  { users }: Auth,
  email: string | undefined,
  options: UserOptions,
  settings: UserSettings,
): Promise<void> {
  const before = users.named(emailOf(email));
  // Whoever keeps a part may keep it, also when the account lists it no more.
  const isNew = [options.groups, options.agent, options.accounts].some((given) => given !== undefined);
  const wanted = await placed(changed(before, options), settings, { isNew, kept: before.rows });
  const after = users.change(before.id, wanted);
  if (options.json) return outJson(after);
  out(
    `${after.email}: ${after.role}, ${seen(after)}${after.extra_rights.length > 0 ? `, also ${after.extra_rights.join(', ')}` : ''}`,
  );
}

async function password(
  { users, passwords, hasPasswords }: Auth,
  email: string | undefined,
  { json }: UserOptions,
): Promise<void> {
  const { id, email: whose } = users.named(emailOf(email));
  const password = newPassword();
  await users.setPassword(id, password, { andTokens: true, isGiven: true });
  if (!hasPasswords) passwords.allowOnce(id);
  if (json) return outJson({ email: whose, password });
  const once = hasPasswords ? '' : ' It lets them in once, within an hour, since passwords are switched off.';
  out(`${whose} is signed out everywhere, and tokens are revoked.${once} The new password, shown this once:`, password);
}

function remove({ users }: Auth, email: string | undefined, { json }: UserOptions): void {
  const user = users.named(emailOf(email));
  users.remove(user.id);
  if (json) return outJson({ removed: user.email });
  out(`${user.email} may not sign in any more; sessions and tokens are gone`);
}

async function link(
  { users }: Auth,
  email: string | undefined,
  { subject, json }: UserOptions,
  { provider }: UserSettings,
): Promise<void> {
  const user = users.named(emailOf(email));
  if (provider === null) throw new Stopped('no identity provider is configured: set CHATLEDGER_OIDC_ISSUER');
  if (!subject) throw new Stopped('say with --subject who they are at the provider (the claim sub)');
  const { issuer } = await metadataOf(provider);
  users.link(user.id, { issuer, subject });
  if (json) return outJson({ email: user.email, issuer, subject });
  out(`${user.email} may sign in as ${subject} at ${issuer}`);
}

/** The provider's own issuer, which its tokens repeat. Errors: Stopped. */
async function metadataOf(provider: Provider): Promise<{ issuer: string }> {
  try {
    return (await discovered(provider)).serverMetadata();
  } catch (error) {
    throw new Stopped(`${provider.issuer} cannot be used: ${wordsOf(error)}`, exitCodes.unreachable);
  }
}

function secondFactor(
  { users, secondFactor }: Auth,
  email: string | undefined,
  { off = false, json }: UserOptions,
): void {
  const user = users.named(emailOf(email));
  const wasOn = off ? secondFactor.remove(user.id) : secondFactor.isOn(user.id);
  if (json) return outJson({ email: user.email, is_on: wasOn && !off });
  out(
    `the second factor of ${user.email} ${off ? (wasOn ? 'is off now' : 'was off') : wasOn ? 'is on; --off turns it off' : 'is off'}`,
  );
}
