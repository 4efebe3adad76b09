// The second factor: on with a code, asked for at each sign-in, no code twice, recovery codes once, and guesses throttled.
import { TOTP, Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { openDoors, password, type Doors } from './api.ts';

const minute = 60_000;

interface Person {
  doors: Doors;
  id: string;
  cookie: string;
  /** What the app shows now. */
  code(): string;
  recovery: string[];
  signIn(code?: string, secret?: string): Promise<{ status: number; type: string | undefined }>;
}

/** A user who has turned it on. The clock stands still. */
async function withFactor(): Promise<Person> {
  const doors = openDoors(null);
  const { id, cookie } = await doors.userWith('admin');
  const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;
  const begun = await json<{ secret: string; uri: string }>(
    doors.ask('/me/second-factor', { cookie }, { method: 'POST', body: { password } }),
  );
  const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  const code = () => totp.generate({ timestamp: doors.now() });
  const { recovery_codes } = await json<{ recovery_codes: string[] }>(
    doors.ask('/me/second-factor', { cookie }, { method: 'PUT', body: { code: code() } }),
  );
  doors.forward(minute);
  return {
    ...{ doors, id, cookie, code, recovery: recovery_codes },
    async signIn(code, secret = password) {
      const body = { email: 'person1@example.com', password: secret, ...(code === undefined ? {} : { code }) };
      const answer = await doors.ask('/sign-in', {}, { method: 'POST', body });
      const { error } = (await answer.json()) as { error?: { type: string } };
      return { status: answer.status, type: error?.type };
    },
  };
}

describe('a user with a second factor', () => {
  it('is asked for the code once the password is right, and comes in with it', async () => {
    const { signIn, code, recovery } = await withFactor();
    expect(recovery).toHaveLength(10);
    expect(await signIn(undefined, 'wrong wrong wrong')).toEqual({ status: 401, type: 'unauthorized' });
    expect(await signIn()).toEqual({ status: 401, type: 'code_needed' });
    expect(await signIn('000000')).toEqual({ status: 401, type: 'unauthorized' });
    expect((await signIn(code())).status).toBe(200);
  });

  it('uses no code twice, nor an older one after it', async () => {
    const { signIn, code, doors } = await withFactor();
    const older = code();
    doors.forward(30_000);
    const newer = code();
    expect((await signIn(newer)).status).toBe(200);
    expect((await signIn(newer)).status).toBe(401);
    expect((await signIn(older)).status).toBe(401);
    doors.forward(30_000);
    expect((await signIn(code())).status).toBe(200);
  });

  it('whose clock is a step off comes in, and with a code of five minutes ago does not', async () => {
    const { signIn, code, doors } = await withFactor();
    const before = code();
    doors.forward(30_000);
    expect((await signIn(before)).status).toBe(200);
    const old = code();
    doors.forward(5 * minute);
    expect((await signIn(old)).status).toBe(401);
  });

  it('comes in with each recovery code once, in whatever spelling', async () => {
    const { signIn, recovery, doors, id } = await withFactor();
    const [first = '', second = ''] = recovery;
    expect((await signIn(first)).status).toBe(200);
    expect((await signIn(first)).status).toBe(401);
    expect((await signIn(` ${second.toUpperCase().replace('-', ' ')} `)).status).toBe(200);
    expect(doors.auth.secondFactor.left(id)).toBe(8);
    expect(doors.auth.audit.list({ action: 'second_factor.recovered' }, 5)).toHaveLength(2);
  });

  it('is not guessed: asking for the code does not take back what wrong codes cost', async () => {
    const { signIn } = await withFactor();
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      await signIn();
      statuses.push((await signIn(String(100_000 + count))).status);
    }
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(8);
  });

  it('asked for the code again and again is not locked out', async () => {
    const { signIn, code } = await withFactor();
    for (let count = 0; count < 20; count += 1) expect((await signIn()).type).toBe('code_needed');
    expect((await signIn(code())).status).toBe(200);
  });

  it('turns it off with the password alone, and an admin does it for who has lost everything', async () => {
    const { doors, cookie, signIn, id } = await withFactor();
    const off = (secret: string) =>
      doors.ask('/me/second-factor/off', { cookie }, { method: 'POST', body: { password: secret } });
    expect((await off('wrong wrong wrong')).status).toBe(401);
    expect((await off(password)).status).toBe(204);
    expect((await signIn()).status).toBe(200);
    const other = await withFactor();
    const del = (path: string) => other.doors.ask(path, { cookie: other.cookie }, { method: 'DELETE' });
    expect((await del(`/users/${other.id}/second-factor`)).status).toBe(204);
    expect((await del(`/users/nobody/second-factor`)).status).toBe(404);
    expect((await other.signIn()).status).toBe(200);
    expect(doors.auth.audit.list({ action: 'second_factor.off' }, 5).map(({ about }) => about)).toEqual([
      doors.auth.users.find(id)?.email,
    ]);
  });
});

describe('a second factor', () => {
  it('that was begun and not confirmed does not count, and a wrong code does not confirm it', async () => {
    const { ask, userWith, auth, signIn } = openDoors(null);
    const { id, cookie } = await userWith('admin');
    const send = (method: string, body: unknown) => ask('/me/second-factor', { cookie }, { method, body });
    expect((await send('PUT', { code: '123456' })).status).toBe(400);
    expect((await send('POST', { password: 'wrong wrong wrong' })).status).toBe(401);
    expect((await send('POST', { password })).status).toBe(200);
    expect((await send('PUT', { code: '12345' })).status).toBe(400);
    expect(auth.secondFactor.isOn(id)).toBe(false);
    expect((await signIn('person1@example.com')).status).toBe(200);
  });

  it('has a picture that a camera reads as its address', async () => {
    const { ask, userWith } = openDoors(null);
    const { cookie } = await userWith('admin');
    const answer = await ask('/me/second-factor', { cookie }, { method: 'POST', body: { password } });
    const { uri, secret, picture } = (await answer.json()) as {
      uri: string;
      secret: string;
      picture: { size: number; dark: string };
    };
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Chatledger:person1/);
    // Three finder patterns: their corners are dark.
    for (const corner of ['M0 0h', `M${picture.size - 1} 0h`, `M0 ${picture.size - 1}h`])
      expect(picture.dark).toContain(corner);
    expect(picture.dark).not.toContain(`M${picture.size}`);
  });
});
