// Signing in and out with a password, and one's own sessions and password.
import type { Context, Hono } from 'hono';
import type { Caller } from '#auth/caller.ts';
import type { PasswordReset } from '#auth/password-reset.ts';
import type { SignedIn } from '#auth/sessions.ts';
import { addressIn, browserIn } from './client.ts';
import { plainRows, userIn } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import {
  askForReset,
  changePassword,
  endSession,
  finishReset,
  getMe,
  listSessions,
  listWays,
  makeFirstAdmin,
  signIn,
  signOut,
  type Me,
} from './contract/sign-in.ts';
import { callerHere } from './guard.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf } from './validation.ts';

const meOf = (caller: Caller | null, { auth: { isLoginRequired, hasSharing }, readsAll = false }: ApiDeps): Me => {
  const rows = plainRows(caller?.reader.rows ?? {});
  const { agents_from = null } = caller?.reader.rows ?? {};
  return {
    ...{ is_login_required: isLoginRequired(), user: caller?.user ?? null, rights: [...(caller?.rights ?? [])] },
    rows: Object.keys(rows).length > 0 ? rows : null,
    agents_from,
    owes: caller?.owes ?? null,
    can_share: hasSharing && caller?.user != null,
    publishes: !readsAll,
  };
};

function answerSignedIn(c: Context, deps: ApiDeps, { caller, cookies }: SignedIn): Response {
  for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
  return c.json<AnswerOf<typeof signIn>>(meOf(callerHere(deps, caller), deps));
}

export function addSignIn(app: Hono, deps: ApiDeps): void {
  const { auth } = deps;
  const { sessions, passwords } = auth;
  const from = (c: Context) => ({ address: addressIn(c, deps), browser: browserIn(c) });
  app.get(getMe.path, (c) => {
    const caller = c.get('caller');
    return c.json<AnswerOf<typeof getMe>>(meOf(caller, deps));
  });

  app.get(listWays.path, (c) => {
    const { hasPasswords, singleSignOn } = auth;
    const provider = singleSignOn && { name: singleSignOn.name };
    const can_reset = auth.passwordReset !== null;
    return c.json<AnswerOf<typeof listWays>>({ has_passwords: hasPasswords, can_reset, provider });
  });

  app.post(signIn.path, async (c) => {
    const asked = await bodyOf(c, signIn.body);
    if (!auth.isLoginRequired()) throw new Declined('unauthorized', 'there are no users here: nobody has to sign in');
    return answerSignedIn(c, deps, await passwords.signIn({ ...asked, ...from(c) }));
  });

  app.post(signOut.path, async (c) => {
    for (const cookie of await sessions.signOut(c.req.header('cookie') ?? ''))
      c.header('set-cookie', cookie, { append: true });
    return c.body(null, 204);
  });

  app.post(makeFirstAdmin.path, async (c) => {
    const { email, name, password } = await bodyOf(c, makeFirstAdmin.body);
    if (auth.isLoginRequired())
      throw new Declined('conflict', 'there are users already: one of the admins lets others in');
    return answerSignedIn(c, deps, await sessions.start(await auth.addFirstAdmin({ email, name, password }), from(c)));
  });

  app.put(changePassword.path, async (c) => {
    const asked = await bodyOf(c, changePassword.body);
    const { cookies } = await passwords.changePassword(userIn(c).id, { ...asked, ...from(c) });
    for (const cookie of cookies) c.header('set-cookie', cookie, { append: true });
    return c.body(null, 204);
  });

  const reset = (): PasswordReset => {
    if (!auth.passwordReset)
      throw new Declined(
        'not_found',
        'no mail can be sent here: an admin or `chatledger user password` gives a new one',
      );
    return auth.passwordReset;
  };
  app.post(askForReset.path, async (c) => {
    const { email } = await bodyOf(c, askForReset.body);
    await reset().ask(email, addressIn(c, deps));
    return c.body(null, 204);
  });

  app.put(finishReset.path, async (c) => {
    const { key, password } = await bodyOf(c, finishReset.body);
    await reset().finish(key, password);
    return c.body(null, 204);
  });

  app.get(listSessions.path, (c) => {
    const { id, session } = userIn(c);
    return c.json<AnswerOf<typeof listSessions>>({
      sessions: sessions.list(id).map((one) => ({ ...one, is_this: one.id === session })),
    });
  });

  app.delete(routed(endSession), (c) => {
    if (!sessions.end(userIn(c).id, c.req.param('id'), 'from the profile'))
      throw new Declined('not_found', 'you have no such session');
    return c.body(null, 204);
  });
}
