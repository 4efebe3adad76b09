// Users, for those who may let others in.
import type { Context, Hono } from 'hono';
import { newPassword } from '#auth/passwords.ts';
import { grantable, roleNames, roles } from '#auth/rights.ts';
import { inAccount } from '#auth/user-shape.ts';
import type { StoredUser } from '#auth/users.ts';
import { callerIn, plainRows } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { addUser, changeUser, listUsers, removeSecondFactor, removeUser, resetPassword } from './contract/users.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { presetReader } from './guard.ts';
import { bodyOf } from './validation.ts';

export function addUsers(app: Hono, { auth: { users, secondFactor }, accounts }: ApiDeps): void {
  const plain = ({ id, email, name, role, extra_rights, rows, created_at, last_seen_at }: StoredUser) => ({
    ...{ id, email, name, role, extra_rights: [...extra_rights], created_at, last_seen_at, rows: plainRows(rows) },
    has_password: users.hashOf(id) !== undefined,
    has_second_factor: secondFactor.isOn(id),
    has_identity: users.identities(id).length > 0,
  });
  const ids = () => accounts().map(({ id }) => id);
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
    const user = await users.add(inAccount(asked, ids()), password, { isGiven: true });
    return c.json<AnswerOf<typeof addUser>>({ user: plain(user), password: sent === undefined ? password : null });
  });

  app.put(routed(changeUser), async (c) => {
    assertPerson(c);
    const asked = await bodyOf(c, changeUser.body);
    const user = users.change(c.req.param('id'), inAccount(asked, ids()));
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

/** A token that may change users could make itself an admin: it may list them. Errors: Declined. */
function assertPerson(c: Context): void {
  const { user, reader } = callerIn(c);
  if (!user && reader.id !== presetReader.id)
    throw new Declined('forbidden', 'users are changed by somebody who has signed in, not by a token');
}
