// Users, for those who may let others in.
import type { Context, Hono } from 'hono';
import type { Rows } from '#auth/caller.ts';
import { newPassword } from '#auth/passwords.ts';
import { grantable, roleNames, roles } from '#auth/rights.ts';
import { inAccount } from '#auth/user-shape.ts';
import type { StoredUser } from '#auth/users.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { callerIn, plainRows } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { addUser, changeUser, listUsers, removeSecondFactor, removeUser, resetPassword } from './contract/users.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { presetReader } from './guard.ts';
import { assertAccounts, assertListed } from './listed.ts';
import { bodyOf } from './validation.ts';

export function addUsers(app: Hono, deps: ApiDeps): void {
  const { users, secondFactor } = deps.auth;
  const plain = ({ id, email, name, role, extra_rights, rows, created_at, last_seen_at }: StoredUser) => ({
    ...{ id, email, name, role, extra_rights: [...extra_rights], created_at, last_seen_at, rows: plainRows(rows) },
    has_password: users.hashOf(id) !== undefined,
    has_second_factor: secondFactor.isOn(id),
    has_identity: users.identities(id).length > 0,
  });
  const ids = () => deps.accounts().map(({ id }) => id);
  app.get(listUsers.path, (c) =>
    c.json<AnswerOf<typeof listUsers>>({
      users: users.list().map(plain),
      roles: roleNames.map((role) => ({ role, rights: [...roles[role]] })),
      grantable: [...grantable],
    }),
  );

  app.post(addUser.path, async (c) => {
    assertPerson(c);
    const { password: sent, ...asked } = await bodyOf(c, addUser.body);
    const password = sent ?? newPassword();
    const wanted = inAccount(asked, ids());
    await assertUserListed(deps, wanted.rows);
    const user = await users.add(wanted, password, { isGiven: true });
    return c.json<AnswerOf<typeof addUser>>({ user: plain(user), password: sent === undefined ? password : null });
  });

  app.put(routed(changeUser), async (c) => {
    assertPerson(c);
    const asked = await bodyOf(c, changeUser.body);
    const id = c.req.param('id');
    const wanted = inAccount(asked, ids());
    const before = users.find(id);
    if (before) await assertUserListed(deps, wanted.rows, before.rows);
    const user = users.change(id, wanted);
    return c.json<AnswerOf<typeof changeUser>>(plain(user));
  });

  app.post(routed(resetPassword), async (c) => {
    assertPerson(c);
    const password = newPassword();
    await users.setPassword(c.req.param('id'), password, { andTokens: true, isGiven: true });
    return c.json<AnswerOf<typeof resetPassword>>({ password });
  });

  app.delete(routed(removeUser), (c) => {
    assertPerson(c);
    users.remove(c.req.param('id'));
    return c.body(null, 204);
  });

  app.delete(routed(removeSecondFactor), (c) => {
    assertPerson(c);
    const id = c.req.param('id');
    if (!users.find(id)) throw new Declined('not_found', `there is no user ${id}`);
    secondFactor.remove(id);
    return c.body(null, 204);
  });
}

/** Whoever has an account, a group or an agent keeps it, also when it is listed no more. Errors: Declined. */
async function assertUserListed(deps: ApiDeps, rows: Rows, before: Rows = {}): Promise<void> {
  const ids = deps.accounts().map(({ id }) => id);
  assertAccounts(rows.accounts?.filter((id) => !before.accounts?.includes(id)) ?? [], ids);
  const had = String(rows.accounts) === String(before.accounts) ? before : {};
  const groups = (rows.groups ?? []).filter((group) => !had.groups?.includes(group));
  const agents = rows.agent === undefined || rows.agent === had.agent ? [] : [rows.agent];
  await assertListed(deps, localReader, { accounts: rows.accounts ?? [], groups, agents }, 'a user');
}

/** A token that may change users could make itself an admin: it may list them. Errors: Declined. */
function assertPerson(c: Context): void {
  const { user, reader } = callerIn(c);
  if (!user && reader.id !== presetReader.id)
    throw new Declined('forbidden', 'users are changed by somebody who has signed in, not by a token');
}
