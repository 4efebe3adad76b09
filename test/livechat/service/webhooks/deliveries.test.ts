// Delivery of webhooks: in order per chat, other chats not held up, retried, given up, after a death of the process, never blocking.
import { mkdtempSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { allowedHost } from '#network/reach.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import type { Change } from '#service/webhooks/change.ts';
import { most_attempts, pauseAfter, startDeliveries } from '#service/webhooks/deliveries.ts';
import { enqueue } from '#service/webhooks/enqueue.ts';
import { tries } from '../../../chance.ts';
import { receiver, until, type ReceivedWebhook } from './receiver.ts';

const setting = 'CHATLEDGER_SERVICE_OUTGOING_HOSTS';
const loopback = { hosts: [allowedHost('127.0.0.1')!], setting };
const clock = { now: 1_780_000_000 };
const ends: (() => void)[] = [];
afterEach(() =>
  ends
    .splice(0)
    .reverse()
    .forEach((end) => end()),
);

async function running(answer?: (received: ReceivedWebhook) => number | undefined, reach = loopback) {
  const it_takes = await receiver(answer);
  const store = openStore(':memory:');
  store.webhooks.setEnabled('mine', true);
  const mistakes: unknown[] = [];
  const deliveries = startDeliveries({
    store,
    now: () => clock.now,
    reach,
    onMistake: (error) => mistakes.push(error),
  });
  ends.push(
    () => it_takes.close(),
    () => store.close(),
    () => deliveries.end(),
    () => expect(mistakes).toEqual([]),
  );
  return { ...it_takes, store, deliveries };
}

function register(store: ChatStore, url: string, id = 'w1'): void {
  const more = { description: null, filters: null, additional_data: [] };
  const registered = {
    id,
    owner_client_id: 'mine',
    action: 'thread_tagged',
    url,
    secret_key: 's',
    type: 'license',
  } as const;
  store.webhooks.add({ ...registered, ...more });
}
const tagged = (chat_id: string, tag: string): Change => ({
  action: 'thread_tagged',
  payload: { chat_id, thread_id: 'T1', tag },
  chat_id,
});
const cause = (store: ChatStore, ...changes: Change[]) => store.transact(() => enqueue(store, changes, clock.now));
const told = (received: readonly ReceivedWebhook[]) =>
  received.map(({ body: { payload } }) => `${String(payload.chat_id)} ${String(payload.tag)}`);
const failures = (store: ChatStore, id = 'w1') => store.webhooks.failures(id, Number.MAX_SAFE_INTEGER, 100);
const waiting = (store: ChatStore) => store.webhooks.due(Number.MAX_SAFE_INTEGER, []).length;

describe('a delivery', () => {
  it('is one request with the envelope and an id of its own', async () => {
    const { store, url, received } = await running();
    register(store, `${url}/hook?x=1`);
    cause(store, tagged('C1', 'a'), tagged('C2', 'b'));
    await until(() => received.length === 2 && waiting(store) === 0);
    const [{ path, headers, body }] = received as [ReceivedWebhook];
    expect(path).toBe('/hook?x=1');
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-webhook-action': 'thread_tagged',
    });
    expect(body).toMatchObject({
      webhook_id: 'w1',
      secret_key: 's',
      payload: { chat_id: 'C1', thread_id: 'T1', tag: 'a' },
    });
    expect(new Set(received.map((each) => each.headers['x-webhook-delivery'])).size).toBe(2);
  });
  it('comes in order within a chat, however many chats there are', async () => {
    const { store, url, received } = await running();
    register(store, url);
    const tags = Array.from({ length: 40 }, (_, index) => index);
    for (const tag of tags) cause(store, ...['C1', 'C2', 'C3'].map((chat) => tagged(chat, String(tag))));
    await until(() => received.length === 120 && waiting(store) === 0);
    for (const chat of ['C1', 'C2', 'C3'])
      expect(told(received).filter((each) => each.startsWith(chat))).toEqual(tags.map((tag) => `${chat} ${tag}`));
  });
  it('that failed is tried again after a pause, and holds up its own chat only', async () => {
    let refusals = 2;
    const { store, url, received } = await running(({ body }) =>
      body.payload.chat_id === 'C1' && refusals-- > 0 ? 500 : 200,
    );
    register(store, url);
    cause(store, tagged('C1', 'a'), tagged('C1', 'b'), tagged('C2', 'c'));
    await until(() => received.length === 2 && store.webhooks.due(clock.now, []).length === 0);
    expect(told(received).sort()).toEqual(['C1 a', 'C2 c']);
    for (const attempt of [1, 2]) {
      clock.now += pauseAfter(attempt) - 1;
      expect(store.webhooks.due(clock.now, [])).toEqual([]);
      clock.now += 1;
      await until(() => received.length > attempt + 1 && store.webhooks.due(clock.now, []).length === 0);
    }
    await until(() => received.length === 5 && waiting(store) === 0);
    expect(told(received).slice(2)).toEqual(['C1 a', 'C1 a', 'C1 b']);
    const ids = received
      .filter(({ body }) => body.payload.tag === 'a')
      .map(({ headers }) => headers['x-webhook-delivery']);
    expect(new Set(ids).size).toBe(1);
  });
  it('is given up after the last attempt, kept with the reason, and the chat goes on', async () => {
    const { store, url, received } = await running(({ body }) => (body.payload.tag === 'bad' ? 503 : 204));
    register(store, url);
    cause(store, tagged('C1', 'bad'), tagged('C1', 'good'));
    for (let attempt = 1; attempt < most_attempts; attempt += 1) {
      await until(() => received.length === attempt && store.webhooks.due(clock.now, []).length === 0);
      clock.now += pauseAfter(attempt);
    }
    await until(() => received.length === most_attempts + 1 && waiting(store) === 0);
    expect(told(received).at(-1)).toBe('C1 good');
    expect(failures(store)).toMatchObject([
      { chat_id: 'C1', action: 'thread_tagged', attempts: most_attempts, reason: 'answered with 503', at: clock.now },
    ]);
    expect(JSON.parse(failures(store)[0]!.body)).toMatchObject({ payload: { tag: 'bad' } });
  });
  it('follows no redirect', async () => {
    const { store, url, received } = await running(() => 302);
    register(store, url);
    cause(store, tagged('C1', 'a'));
    await until(() => received.length === 1 && store.webhooks.due(clock.now, []).length === 0);
    expect(received.map(({ path }) => path)).toEqual(['/']);
    expect(waiting(store)).toBe(1);
  });
  it('to a place that may not be asked is given up at once, and nothing is sent', async () => {
    const { store, url, received } = await running(undefined, { hosts: [], setting });
    register(store, url);
    cause(store, tagged('C1', 'a'));
    await until(() => failures(store).length === 1);
    expect(failures(store)[0]!.reason).toBe(`${new URL(url).host} is no public address: allow the host in ${setting}`);
    expect(received).toEqual([]);
  });
  it('of a removed webhook ends without a trace', async () => {
    const { store, url, received } = await running(() => undefined);
    register(store, url);
    cause(store, tagged('C1', 'a'), tagged('C1', 'b'));
    await until(() => received.length === 1);
    store.transact(() => store.webhooks.remove('w1', clock.now));
    expect([waiting(store), failures(store)]).toEqual([0, []]);
  });
  it('of a slow receiver holds up no other receiver, nor who causes it', async () => {
    const slow = await receiver(() => undefined);
    ends.push(() => slow.close());
    const { store, url, received } = await running();
    register(store, slow.url, 'slow');
    register(store, url, 'fast');
    const chats = Array.from({ length: 200 }, (_, index) => tagged(`C${index}`, 'a'));
    const started = performance.now();
    cause(store, ...chats);
    expect(performance.now() - started).toBeLessThan(2000);
    await until(() => received.length === 200);
    expect(slow.received.length).toBeLessThanOrEqual(4);
  });
});

describe('a death of the process', () => {
  it('loses no delivery that was acknowledged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chatledger-'));
    const file = join(folder, 'service.sqlite');
    ends.push(() => rmSync(folder, { recursive: true }));
    const silent = await receiver(() => undefined);
    const first = openStore(file);
    first.webhooks.setEnabled('mine', true);
    register(first, silent.url);
    first.close();
    const script = `
      const { openStore } = await import('#service/store.ts');
      const { startDeliveries } = await import('#service/webhooks/deliveries.ts');
      const { enqueue } = await import('#service/webhooks/enqueue.ts');
      const store = openStore(${JSON.stringify(file)});
      const reach = { hosts: [{ name: '127.0.0.1', port: null }], setting: '' };
      startDeliveries({ store, now: () => ${clock.now}, reach, onMistake: console.error });
      for (const tag of ['a', 'b', 'c']) {
        const payload = { chat_id: 'C1', thread_id: 'T1', tag };
        store.transact(() => enqueue(store, [{ action: 'thread_tagged', payload, chat_id: 'C1' }], ${clock.now}));
        process.stdout.write(tag);
      }
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = '';
    child.stdout.on('data', (piece: Buffer) => (acknowledged += piece.toString()));
    await until(() => acknowledged === 'abc' && silent.received.length === 1);
    child.kill('SIGKILL');
    await new Promise((done) => child.once('exit', done));
    silent.close();
    const store = openStore(file);
    const it_takes = await receiver(() => 200, silent.port);
    const deliveries = startDeliveries({ store, now: () => clock.now, reach: loopback, onMistake: () => undefined });
    ends.push(
      () => it_takes.close(),
      () => store.close(),
      () => deliveries.end(),
    );
    await until(() => it_takes.received.length === 3 && waiting(store) === 0);
    expect(told(it_takes.received)).toEqual(['C1 a', 'C1 b', 'C1 c']);
    expect(it_takes.received[0]!.headers['x-webhook-delivery']).toBe(silent.received[0]!.headers['x-webhook-delivery']);
  });
});

describe('any failures and restarts', () => {
  const change = fc.record({ chat: fc.integer({ min: 0, max: 2 }), failures: fc.integer({ min: 0, max: 3 }) });
  const restarts = fc.array(fc.boolean(), { maxLength: 6 });

  it('leave each delivery made, and those of a chat in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), restarts, async (changes, early) => {
        const left = changes.map(({ failures }) => failures);
        const it_takes = await receiver(({ body }) => (left[Number(body.payload.tag)]!-- > 0 ? 500 : 200));
        const store = openStore(':memory:');
        const start = () =>
          startDeliveries({ store, now: () => clock.now, reach: loopback, onMistake: () => expect.unreachable() });
        let deliveries = start();
        try {
          store.webhooks.setEnabled('mine', true);
          register(store, it_takes.url);
          cause(store, ...changes.map(({ chat }, index) => tagged(`C${chat}`, String(index))));
          for (let round = 0; waiting(store) > 0; round += 1) {
            // An early end leaves attempts under way, which the next start makes again.
            if (early[round]) await new Promise((done) => setTimeout(done, 2));
            else await until(() => store.webhooks.due(clock.now, []).length === 0);
            deliveries.end();
            clock.now += pauseAfter(most_attempts);
            deliveries = start();
          }
          expect(failures(store)).toEqual([]);
          for (const chat of [0, 1, 2]) {
            const caused = changes.flatMap((each, index) => (each.chat === chat ? [String(index)] : []));
            const came = it_takes.received
              .map(({ body }) => body.payload)
              .filter(({ chat_id }) => chat_id === `C${chat}`);
            // Each comes one or more times, and none before all that were caused before it.
            expect([...new Set(came.map(({ tag }) => tag))]).toEqual(caused);
            expect(came.map(({ tag }) => Number(tag))).toEqual(
              came.map(({ tag }) => Number(tag)).sort((a, b) => a - b),
            );
          }
        } finally {
          deliveries.end();
          store.close();
          it_takes.close();
        }
      }),
      { numRuns: tries(25, 1000) },
    );
  });
});
