// The stream of events hears when its reader has left: signed out, shut out, or no more the owner of an open machine.
import { expect, it } from 'vitest';
import { openDoors, password, type Doors } from './api.ts';

/** A stream that is open and has said something, and whether it ends. */
async function listening({ ask }: Doors, headers: Record<string, string> = {}) {
  const { status, body } = await ask('/events', headers);
  const reader = body?.getReader();
  if (status !== 200 || !reader) throw new Error(`no stream but ${status}`);
  expect((await reader.read()).done).toBe(false);
  return {
    async ends(): Promise<boolean> {
      for (;;) {
        const late = new Promise<null>((resolve) => void setTimeout(() => resolve(null), 1000).unref());
        const part = await Promise.race([reader.read().catch(() => ({ done: true })), late]);
        if (part === null) return false;
        if (part.done) return true;
      }
    },
  };
}

it('ends with the session, at once, and no other with it', async () => {
  const doors = openDoors(null);
  const { cookie } = await doors.userWith('admin');
  const { id, cookie: other } = await doors.userWith('viewer');
  const [hers, his] = [await listening(doors, { cookie }), await listening(doors, { cookie: other })];
  await doors.ask('/sign-out', { cookie }, { method: 'POST' });
  expect([await hers.ends(), await his.ends()]).toEqual([true, false]);
  doors.auth.users.remove(id);
  expect(await his.ends()).toBe(true);
});

it('of whoever sits at an open machine ends with the first user', async () => {
  const doors = openDoors(null);
  const owners = await listening(doors);
  await doors.auth.addFirstAdmin({ email: 'olga@example.com', name: 'Olga', password });
  expect(await owners.ends()).toBe(true);
});
