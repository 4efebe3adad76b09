// A lost password: a link by mail, once and within an hour, that tells strangers nothing.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openAuth } from '#auth/auth.ts';
import type { ResetLetter } from '#auth/password-reset.ts';
import { openDoors, password, type Doors } from './api.ts';

const next = 'another battery staple';

/** With a mail server that keeps what it takes; its clock can be put forward. */
function withMail(): Doors & {
  letters: ResetLetter[];
  put(key: string, secret?: string): Promise<number>;
  keyOf(): string;
} {
  const letters: ResetLetter[] = [];
  let now = Date.now();
  const auth = openAuth(new DatabaseSync(':memory:'), {
    ...{ url: 'https://chats.example', clock: () => now },
    send: (letter) => Promise.resolve(void letters.push(letter)),
  });
  const doors = openDoors(null, { auth });
  return {
    ...{ ...doors, auth, letters, forward: (by) => (now += by) },
    put: async (key, secret = next) =>
      (await doors.ask('/password-reset', {}, { method: 'PUT', body: { key, password: secret } })).status,
    keyOf: () => /#(\S+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? '',
  };
}
async function asked({ ask }: Doors, email: string): Promise<number> {
  const { status } = await ask('/password-reset', {}, { method: 'POST', body: { email } });
  // The letter is written after the answer.
  await new Promise((resolve) => setTimeout(resolve, 5));
  return status;
}

describe('a lost password', () => {
  it('is replaced by the link, which ends sessions and tokens, and is good once', async () => {
    const doors = withMail();
    const user = await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    const { cookies } = await doors.auth.sessions.start(user, { address: '', browser: '' });
    const { secret } = doors.auth.tokens.add(user, { name: 'one', rights: ['numbers:read'], days: 1 });
    expect(await asked(doors, 'Anna@example.com')).toBe(204);
    expect(doors.letters).toMatchObject([
      { to: 'anna@example.com', text: expect.stringContaining('https://chats.example/sign-in/reset#') },
    ]);
    expect(await doors.put(doors.keyOf(), 'short')).toBe(400);
    expect(await doors.put(doors.keyOf())).toBe(204);
    expect(await doors.put(doors.keyOf())).toBe(401);
    expect(await doors.auth.sessions.bySession(cookies.join('; '))).toBeNull();
    expect(doors.auth.byToken(secret)).toBeNull();
    expect((await doors.signIn('anna@example.com')).status).toBe(401);
    expect((await doors.signIn('anna@example.com', next)).status).toBe(200);
  });

  it('that was tried too often lets in once it is replaced, at every address, and nobody else at one that is closed', async () => {
    const doors = withMail();
    await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    await doors.auth.users.add(
      { email: 'ben@example.com', name: 'Ben', role: 'viewer', extra_rights: [], rows: {} },
      password,
    );
    const at = (address: string, email: string, secret: string) =>
      doors.auth.passwords.signIn({ email, password: secret, address, browser: '' });
    const places = ['198.51.100.1', '203.0.113.1'];
    for (const place of places)
      for (const email of ['anna@example.com', 'ben@example.com']) {
        for (let count = 0; count < 8; count += 1)
          await expect(at(place, email, 'wrong password 1')).rejects.toThrow('is wrong');
        await expect(at(place, email, password)).rejects.toThrow('too many tries');
      }
    await asked(doors, 'anna@example.com');
    expect(await doors.put(doors.keyOf())).toBe(204);
    for (const place of places) {
      expect((await at(place, 'anna@example.com', next)).caller.user).toMatchObject({ email: 'anna@example.com' });
      await expect(at(place, 'ben@example.com', password)).rejects.toThrow('too many tries');
    }
    // The new password is guessed as seldom as the one before, and all tries of an address still count together.
    const one = '198.51.100.1';
    for (let count = 0; count < 8; count += 1)
      await expect(at(one, 'anna@example.com', 'wrong password 1')).rejects.toThrow('is wrong');
    await expect(at(one, 'anna@example.com', next)).rejects.toThrow('too many tries');
    for (let count = 0; count < 16; count += 1)
      await expect(at(one, `nobody${count}@example.com`, 'wrong password 1')).rejects.toThrow('is wrong');
    await asked(doors, 'anna@example.com');
    expect(await doors.put(doors.keyOf(), 'a third battery staple')).toBe(204);
    await expect(at(one, 'anna@example.com', 'a third battery staple')).rejects.toThrow('too many tries');
  }, 60_000);

  it('is not replaced by a link that is too old, by an older one after a newer was used, or by a guess', async () => {
    const doors = withMail();
    await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    await asked(doors, 'anna@example.com');
    const first = doors.keyOf();
    doors.forward(3_600_001);
    expect(await doors.put(first)).toBe(401);
    await asked(doors, 'anna@example.com');
    const second = doors.keyOf();
    await asked(doors, 'anna@example.com');
    expect(await doors.put(doors.keyOf())).toBe(204);
    expect(await doors.put(second)).toBe(401);
    expect(await doors.put('')).toBe(401);
    expect(await doors.put('x'.repeat(43))).toBe(401);
  });

  it('is not replaced by a link from before an admin gave another password or address', async () => {
    const doors = withMail();
    const anna = await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    await asked(doors, 'anna@example.com');
    await doors.auth.users.setPassword(anna.id, 'one more battery staple');
    expect(await doors.put(doors.keyOf())).toBe(401);
    await asked(doors, 'anna@example.com');
    doors.auth.users.change(anna.id, {
      email: 'a@example.com',
      name: 'Anna',
      role: 'admin',
      extra_rights: [],
      rows: {},
    });
    expect(await doors.put(doors.keyOf())).toBe(401);
  });

  it('is replaced once when two use the link at the same time', async () => {
    const doors = withMail();
    await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    await asked(doors, 'anna@example.com');
    const both = await Promise.all([doors.put(doors.keyOf()), doors.put(doors.keyOf(), 'a third battery staple')]);
    expect(both.sort()).toEqual([204, 401]);
  });

  it('is asked for by strangers in vain: the same answer for nobody, few letters, and then a pause', async () => {
    const doors = withMail();
    await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    const answers: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      answers.push(await asked(doors, 'anna@example.com'));
      answers.push(await asked(doors, 'nobody@example.com'));
    }
    expect(new Set(answers)).toEqual(new Set([204]));
    expect(doors.letters).toHaveLength(3);
    expect(await asked(doors, 'anna@example.com')).toBe(429);
  });

  it('of somebody who signs in with the provider only is not made', async () => {
    const doors = withMail();
    await doors.auth.addFirstAdmin({ email: 'anna@example.com', name: 'Anna', password });
    await doors.auth.users.add(
      { email: 'vera@example.com', name: 'Vera', role: 'viewer', extra_rights: [], rows: {} },
      null,
      { identity: { issuer: 'https://id.example', subject: 'vera' } },
    );
    expect(await asked(doors, 'vera@example.com')).toBe(204);
    expect(doors.letters).toEqual([]);
  });

  it('is replaced by an admin where no mail can be sent', async () => {
    const doors = openDoors(null);
    expect(await asked(doors, 'anna@example.com')).toBe(404);
    const ways = (await (await doors.ask('/sign-in')).json()) as { can_reset: boolean };
    expect(ways.can_reset).toBe(false);
  });
});
