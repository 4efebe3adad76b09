// A webhook leaves once the disk has the write that caused it, and those of a chat still come in order.
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { allowedHost } from '#network/reach.ts';
import { openStore } from '#service/store.ts';
import { startDeliveries } from '#service/webhooks/deliveries.ts';
import { enqueue } from '#service/webhooks/enqueue.ts';
import { createHold } from '#service/webhooks/hold.ts';
import { tries } from '../../../chance.ts';
import { slowDisk } from '../slow-disk.ts';
import { receiver, until } from './receiver.ts';

const now = 1_780_000_000;
const ends: (() => void)[] = [];
afterEach(() =>
  ends
    .splice(0)
    .reverse()
    .forEach((end) => end()),
);

/** A store whose way to the disk is held, with a webhook; `cause` tags a thread. */
async function heldStore() {
  const { url, received, close } = await receiver();
  const store = openStore(':memory:');
  const disk = slowDisk();
  store.settled = disk.durability.settled;
  store.webhooks.setEnabled('mine', true);
  const about = { description: null, filters: null, additional_data: [], secret_key: 's', type: 'license' as const };
  store.webhooks.add({ id: 'w1', owner_client_id: 'mine', action: 'thread_tagged', url, ...about });
  const mistakes: unknown[] = [];
  const reach = { hosts: [allowedHost('127.0.0.1')!], setting: 'none' };
  const deliveries = startDeliveries({ store, now: () => now, reach, onMistake: (error) => mistakes.push(error) });
  ends.push(
    close,
    () => store.close(),
    () => deliveries.end(),
  );
  const cause = (chat_id: string): number => {
    const tag = String(disk.state.written + 1);
    const change = { action: 'thread_tagged' as const, payload: { chat_id, thread_id: 'T1', tag }, chat_id };
    store.transact(() => enqueue(store, [change], now));
    disk.durability.written();
    return ++disk.state.written;
  };
  const told = (chat_id?: string): number[] =>
    received
      .map(({ body: { payload } }) => payload)
      .filter((payload) => chat_id === undefined || payload.chat_id === chat_id)
      .map(({ tag }) => Number(tag));
  return { ...disk, store, cause, told, mistakes };
}

/** Longer than the pause after which deliveries look for work by themselves. */
const longEnough = () => new Promise((done) => setTimeout(done, 400));

it('nothing arrives while the disk takes nothing, and all of it in order once it does', async () => {
  const { ends: runs, cause, told } = await heldStore();
  for (let each = 0; each < 20; each++) cause(each % 2 === 0 ? 'C1' : 'C2');
  await longEnough();
  expect([told(), runs.length]).toEqual([[], 1]);
  cause('C1');
  runs.shift()!();
  await until(() => told().length === 20);
  await longEnough();
  expect([told('C1').at(-1), told('C2').at(-1)]).toEqual([19, 20]);
  runs.shift()!();
  await until(() => told().length === 21);
  for (const chat of ['C1', 'C2']) expect(told(chat)).toEqual(told(chat).toSorted((a, b) => a - b));
});

it('a disk that refuses keeps back what it did not take until it takes it', async () => {
  const { ends: runs, cause, told, mistakes } = await heldStore();
  await until(() => runs.length === 0);
  cause('C1');
  await until(() => runs.length === 1);
  runs.shift()!(new Error('the disk is full'));
  await until(() => runs.length === 1);
  expect([told(), mistakes.map(String)]).toEqual([[], ['Error: the disk is full']]);
  runs.shift()!();
  await until(() => told().length === 1);
});

it('whoever caused it and the webhook share one way to the disk', async () => {
  const { state, ends: runs, cause, told, durability } = await heldStore();
  cause('C1');
  const answered = durability.settled();
  await until(() => runs.length === 1);
  await longEnough();
  runs.shift()!();
  await answered;
  await until(() => told().length === 1);
  expect(state.runs).toBe(1);
});

it('no position leaves before the disk has what was written at it, the same ones used again and again', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), position: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constantFrom('release' as const, 'end' as const, 'refuse' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { state, ends: runs, durability } = slowDisk();
      const hold = createHold(durability.settled, { onReleased: () => undefined, onMistake: () => undefined });
      const written = new Map<number, number>();
      const early: number[] = [];
      for (const each of steps) {
        if (each.do === 'add') {
          hold.add(each.position);
          written.set(each.position, ++state.written);
          durability.written();
        } else if (each.do === 'release') hold.release();
        else runs.shift()?.(each.do === 'refuse' ? new Error('the disk is full') : undefined);
        await new Promise((done) => setImmediate(done));
        for (const [position, at] of written) if (at > state.on_disk && !hold.holds(position)) early.push(position);
      }
      expect(early).toEqual([]);
      for (let left = 0; left < 3; left++) {
        hold.release();
        await new Promise((done) => setImmediate(done));
        runs.shift()?.();
        await new Promise((done) => setImmediate(done));
      }
      expect([...written.keys()].filter((position) => hold.holds(position))).toEqual([]);
    }),
    { numRuns: tries(300, 5000) },
  );
});
