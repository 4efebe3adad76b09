// What somebody has to do before anything else: a password of their own, a second factor where it is required.
import { DatabaseSync } from 'node:sqlite';
import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { openAuth } from '#auth/auth.ts';
import { cookieIn, openDoors, password } from './api.ts';

const day = 86_400_000;
const own = 'another battery staple';
const json = async (answer: Promise<Response> | Response) => (await (await answer).json()) as Record<string, never>;

it('a password that was given opens the profile alone, until its user has chosen another', async () => {
  const { ask, signIn, userWith } = openDoors(null);
  const { cookie: admin } = await userWith('admin');
  const vera = { email: 'vera@example.com', name: 'Vera', role: 'manager', extra_rights: [], rows: {} };
  const { password: given } = await json(ask('/users', { cookie: admin }, { method: 'POST', body: vera }));
  const cookie = cookieIn(await signIn('vera@example.com', given));
  const statuses = async (with_: string) =>
    Promise.all(
      ['/metrics', '/annotations', '/digests', '/sessions', '/me'].map(
        async (path) => (await ask(path, { cookie: with_ })).status,
      ),
    );
  expect(await statuses(cookie)).toEqual([403, 403, 403, 200, 200]);
  expect((await json(ask('/metrics', { cookie }))).error).toMatchObject({
    message: expect.stringContaining('choose a password of your own'),
  });
  const change = await ask('/me/password', { cookie }, { method: 'PUT', body: { password: given, next: own } });
  expect(change.status).toBe(204);
  expect((await statuses(cookieIn(change))).slice(0, 2)).toEqual([200, 200]);
});

it('a password that was given is good for a week', async () => {
  const { ask, signIn, userWith, forward } = openDoors(null);
  const { cookie, id } = await userWith('admin');
  const { password: given } = await json(ask(`/users/${id}/password`, { cookie }, { method: 'POST' }));
  forward(6 * day);
  expect((await signIn('person1@example.com', given)).status).toBe(200);
  forward(2 * day);
  const late = await signIn('person1@example.com', given);
  expect([late.status, (await json(late)).error]).toEqual([
    401,
    expect.objectContaining({ message: expect.stringContaining('has expired') }),
  ]);
});

it('a second factor that is required comes first, and turning it off shuts out again', async () => {
  let now = Date.now();
  const auth = openAuth(new DatabaseSync(':memory:'), {
    url: 'http://127.0.0.1:3000',
    clock: () => now,
    needsFactor: true,
  });
  const { ask, userWith } = openDoors(null, { auth });
  const { cookie } = await userWith('admin');
  const post = (path: string) => ask(path, { cookie }, { method: 'POST', body: { password } });
  expect((await ask('/metrics', { cookie })).status).toBe(403);
  const { secret = '' } = (await (await post('/me/second-factor')).json()) as { secret?: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
  expect((await ask('/me/second-factor', { cookie }, { method: 'PUT', body: { code } })).status).toBe(200);
  expect((await ask('/metrics', { cookie })).status).toBe(200);
  expect((await post('/me/second-factor/off')).status).toBe(204);
  expect((await ask('/metrics', { cookie })).status).toBe(403);
  now += 1;
});

it('who signs in by the provider owes no second factor here', async () => {
  const auth = openAuth(new DatabaseSync(':memory:'), {
    url: 'http://127.0.0.1:3000',
    clock: Date.now,
    needsFactor: true,
  });
  await auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
  const user = { email: 'v@example.com', name: 'Vera', role: 'viewer' as const, extra_rights: [], rows: {} };
  const vera = await auth.users.add(user, null, { identity: { issuer: 'https://id.example', subject: 'v' } });
  const { caller } = await auth.sessions.start(vera, { address: '', browser: '' });
  expect([caller.owes, [...caller.rights]]).toEqual([undefined, ['numbers:read']]);
});

it('a session ends thirty days after it began, however often it is used', async () => {
  const { ask, userWith, forward, auth } = openDoors(null);
  const { cookie, id } = await userWith('admin');
  for (let count = 0; count < 29; count += 1) {
    forward(day);
    auth.sessions.forget();
    expect((await ask('/metrics', { cookie })).status).toBe(200);
  }
  forward(day + 60_000);
  auth.sessions.forget();
  expect((await ask('/metrics', { cookie })).status).toBe(401);
  expect(auth.sessions.list(id)).toEqual([]);
});
