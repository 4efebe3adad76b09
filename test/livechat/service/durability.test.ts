// Whoever is answered has been written to the disk, and those who wait at the same time share the way there.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRoutes } from '#service/routes.ts';
import { mintToken } from '#service/tokens.ts';
import { tries } from '../../chance.ts';
import { slowDisk } from './slow-disk.ts';
import { ann, tinyAccount } from './tiny.ts';

/** Lets everything go on that waits for nothing but its turn, and for the one after it. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done));
}

it('settles nobody before what they wrote is on the disk, and all of them with it', async () => {
  const step = fc.constantFrom('write', 'wait', 'wait', 'end', 'refuse');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { state, ends, durability } = slowDisk();
      let waiting = 0;
      const early: number[] = [];
      const end = async (error?: Error): Promise<void> => {
        ends.shift()?.(error);
        await turns();
      };
      for (const each of steps) {
        if (each === 'write') {
          state.written += 1;
          durability.written();
        } else if (each === 'wait') {
          const needed = state.written;
          waiting += 1;
          void durability
            .settled()
            .then(
              () => void (state.on_disk < needed && early.push(needed)),
              () => undefined,
            )
            .finally(() => (waiting -= 1));
          await turns();
        } else await end(each === 'refuse' ? new Error('the disk is full') : undefined);
        expect(ends.length).toBeLessThanOrEqual(1);
      }
      while (ends.length > 0) await end();
      expect(early).toEqual([]);
      expect(waiting).toBe(0);
    }),
    { numRuns: tries(300, 5000) },
  );
});

it('takes one run for all who wait while another one is under way', async () => {
  const { state, ends, durability } = slowDisk();
  durability.written();
  const first = durability.settled();
  await turns();
  const others = Array.from({ length: 50 }, () => {
    durability.written();
    return durability.settled();
  });
  ends.shift()!();
  await first;
  await turns();
  ends.shift()!();
  await Promise.all(others);
  expect(state.runs).toBe(2);
  await durability.settled();
  expect(state.runs).toBe(2);
});

it('takes one run for all who write in one turn of the event loop', async () => {
  const { state, ends, durability } = slowDisk();
  const all = Array.from({ length: 50 }, () => {
    durability.written();
    return durability.settled();
  });
  await turns();
  ends.shift()!();
  await Promise.all(all);
  expect(state.runs).toBe(1);
});

it('an action is answered when the store has settled', async () => {
  const { account } = tinyAccount({ now: '2026-05-06T12:00:00Z' });
  const token = mintToken(account.store, { agent: ann, scopes: 'all' });
  let settle = (): void => undefined;
  const settled = new Promise<void>((done) => (settle = done));
  account.store.settled = () => settled;
  const routes = createRoutes(account, () => undefined, { reach: { hosts: [], setting: 'none' } });
  let status: number | undefined;
  const answer = (async () => {
    const response = await routes.request('/v3.5/agent/action/create_customer', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"Mary"}',
    });
    status = response.status;
  })();
  for (let turn = 0; turn < 5; turn++) await turns();
  expect(account.store.live.rows('select name from customers')).toEqual([{ name: 'Mary' }]);
  expect(status).toBeUndefined();
  settle();
  await answer;
  expect(status).toBe(200);
});
