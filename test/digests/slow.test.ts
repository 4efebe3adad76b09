// Hosts that take their time: each exchange has a deadline, and nobody waits for the host of somebody else.
import { once } from 'node:events';
import { createServer as createWeb, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server as Net, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { post } from '#digests/channels/http.ts';
import { round, sendReady } from '#digests/scheduler.ts';
import { createSending } from '#digests/sending.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { account } from '../warehouse/account.ts';
import { allowing, digestDeps, digest } from './deps.ts';
import { promisedApi } from '../api/promised-api.ts';

let engine: Store;
const open: (Server | Net)[] = [];
const sockets = new Set<Socket>();
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());
afterEach(() => {
  for (const server of open.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

async function listening<Kind extends Server | Net>(server: Kind, host: string): Promise<string> {
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));
  open.push(server.listen(0, host) as Kind);
  await once(server, 'listening');
  return `${host}:${(server.address() as AddressInfo).port}`;
}

/** A receiver on a loopback address that does with each request what `answer` says. */
const receiver = async (host: string, answer: (response: ServerResponse, request: IncomingMessage) => void) =>
  `http://${await listening(
    createWeb((request, response) => void request.resume().on('end', () => answer(response, request))),
    host,
  )}/hook`;

/** Says a byte now and then for as long as somebody listens. */
function trickle(write: () => void, socket: Socket): void {
  const timer = setInterval(write, 20);
  socket.on('close', () => clearInterval(timer));
}

const all = allowing('127.0.0.1', '127.0.0.2', '127.0.0.3');
const within = (exchange_ms: number) => ({ ...all, exchange_ms });

describe('an exchange', () => {
  it('with an answer that never ends is over at the deadline, and its status counts', async () => {
    const url = await receiver('127.0.0.1', (response) => {
      response.writeHead(200);
      trickle(() => response.write('x'), response.socket as Socket);
    });
    expect(await post(url, '{}', {}, within(300))).toEqual({ kind: 'sent' });
  });

  it('with headers that never end is over at the deadline, and nobody knows what came of it', async () => {
    const host = await listening(
      createServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        trickle(() => socket.write('x'), socket);
      }),
      '127.0.0.1',
    );
    expect(await post(`http://${host}/`, '{}', {}, within(300))).toEqual({
      kind: 'unknown',
      reason: `the answer was lost: ${host}: no answer within 0.3 s`,
    });
  });

  it('with a body that nobody takes is over at the deadline', async () => {
    const host = await listening(
      createServer((socket) => void socket.pause()),
      '127.0.0.1',
    );
    expect((await post(`http://${host}/`, 'x'.repeat(20_000_000), {}, within(300))).kind).toBe('unknown');
  });

  it('with a name that is never found, or a handshake that never comes, was not begun and may be tried again', async () => {
    const lost = { ...within(300), lookup: () => undefined };
    expect(await post('http://lost.example/', '{}', {}, lost)).toMatchObject({ kind: 'retry' });
    const host = await listening(
      createServer((socket) => void socket.resume()),
      '127.0.0.1',
    );
    expect(await post(`https://${host}/`, '{}', {}, within(300))).toMatchObject({ kind: 'retry' });
    const plain = await receiver('127.0.0.1', (response) => response.end());
    expect(await post(plain.replace('http:', 'https:'), '{}', {}, all)).toMatchObject({ kind: 'retry' });
  });

  it('has half a minute', async () => {
    const url = await receiver('127.0.0.1', () => undefined);
    const { timeout } = AbortSignal;
    const deadlines = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50));
    expect(await post(url, '{}', {}, all)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('no answer within 30 s') as string,
    });
    expect(deadlines.mock.calls).toEqual([[30_000]]);
    deadlines.mockRestore();
  });
});

describe('a mail server', () => {
  /** Says its lines one for each that it hears, then a byte now and then without an end. */
  const server = (...lines: string[]) =>
    createServer((socket) => {
      const said = [...lines];
      const say = (): void => {
        const line = said.shift();
        if (line !== undefined) socket.write(line);
        else trickle(() => socket.write('2'), socket);
      };
      socket.on('data', (heard: Buffer) => {
        for (const line of heard.toString().split('\r\n').slice(0, -1))
          if (/^(EHLO|MAIL|RCPT|DATA|\.$)/.test(line)) say();
      });
      say();
    });
  const stateAfter = async (made: Net) => {
    const smtp_url = `smtp://${await listening(made, '127.0.0.1')}`;
    const it = digestDeps(engine, [digest()], { post: { smtp_url, from: 'ledger@example.com', exchange_ms: 400 } });
    await round(it);
    await round(it);
    return it.store.ledger.history('week', 1)[0];
  };

  it('that greets without an end is tried again later', async () => {
    expect(await stateAfter(server())).toMatchObject({
      ...{ state: 'retrying', attempts: 1 },
      reason: 'the mail server cannot be reached: no end within 0.4 s',
    });
  });

  it('that took the whole mail and confirms without an end leaves it unknown', async () => {
    const made = server('220 x\r\n', '250 x\r\n', '250 ok\r\n', '250 ok\r\n', '354 go\r\n');
    expect(await stateAfter(made)).toMatchObject({
      ...{ state: 'unknown', attempts: 1 },
      reason: 'the connection was lost before the mail server confirmed it: no end within 0.4 s',
    });
  });
});

describe('a slow host', () => {
  /** One that answers when it is told to, and how many were with it at once. */
  async function slow(host: string) {
    const waiting: ServerResponse[] = [];
    const it = { url: '', most: 0, heard: 0, let_go: () => undefined as void, came: Promise.withResolvers<void>() };
    let at_once = 0;
    it.url = await receiver(host, (response) => {
      it.heard += 1;
      it.most = Math.max(it.most, ++at_once);
      response.on('close', () => (at_once -= 1));
      waiting.push(response);
      it.came.resolve();
    });
    it.let_go = () => waiting.splice(0).forEach((response) => response.writeHead(204).end());
    return it;
  }
  const webhook = (url: string) => ({ kind: 'webhook', url });

  it('keeps neither other hosts nor what is due meanwhile, and gets each digest once', async () => {
    const late = await slow('127.0.0.1');
    const quick = await receiver('127.0.0.2', (response) => response.writeHead(204).end());
    const readers = [{ name: 'ann' }, { name: 'bob' }];
    const first = digest({ readers, channels: [webhook(late.url), webhook(quick), { kind: 'folder' }] });
    const it = digestDeps(engine, [first], { webhooks: all });
    const rounds = [round(it)];
    await late.came.promise;
    // Another digest becomes due while the host of the first one thinks.
    it.store.save(digest({ id: 'other', channels: [webhook(quick)] }), it.now - 3600);
    await round(it);
    rounds.push(round(it));
    const stateOf = (id: string, word: string) =>
      it.store.ledger
        .history(id, 9)
        .filter(({ channel }) => channel.includes(word))
        .map(({ state }) => state)
        .sort();
    expect(stateOf('other', quick)).toEqual(['sent']);
    expect(stateOf('week', late.url)).toEqual(['sending', 'waiting']);
    const answering = setInterval(() => late.let_go(), 5);
    await Promise.all(rounds);
    clearInterval(answering);
    expect([stateOf('week', late.url), stateOf('week', quick), stateOf('week', 'folder')]).toEqual(
      Array(3).fill(['sent', 'sent']),
    );
    expect([late.heard, late.most]).toEqual([2, 1]);
  });

  it('is asked by one at a time also when its addresses differ and somebody sends by hand', async () => {
    const host = await slow('127.0.0.1');
    const it = digestDeps(
      engine,
      [1, 2, 3].map((at) => digest({ id: `d${at}`, channels: [webhook(`${host.url}/${at}`)] })),
      { webhooks: all },
    );
    const api = promisedApi(apiDeps(engine, { digests: it }));
    const ended = [round(it)];
    await host.came.promise;
    ended.push(sendReady(it, { digest: 'd2', period: '2026-W19' }), round(it));
    const run = api.request('http://127.0.0.1:3000/api/digests/d3/run', { method: 'POST' });
    const answering = setInterval(() => host.let_go(), 5);
    expect(await (await run).json()).toMatchObject({ sends: [{ state: 'sent', attempts: 1 }] });
    await Promise.all(ended);
    clearInterval(answering);
    expect([host.heard, host.most]).toEqual([3, 1]);
  });

  it('of which there are many leaves no more than eight connections open at once', async () => {
    const sending = createSending();
    let [now, most] = [0, 0];
    const task = async (): Promise<void> => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    };
    await Promise.all(Array.from({ length: 40 }, (_, at) => sending.add(`host ${at % 20}`, `key ${at}`, task)));
    expect(most).toBe(8);
  });

  it('whose turn has not come is left alone when the program ends, and one that fails keeps no other', async () => {
    const sending = createSending();
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const broken = sending.add('host', 'a', () => Promise.reject(new Error('broken')));
    const first = sending.add('host', 'b', () => (begun.push('b'), gate.promise));
    const second = sending.add('host', 'c', () => (begun.push('c'), Promise.resolve()));
    await expect(broken).rejects.toThrow('broken');
    await expect.poll(() => begun).toEqual(['b']);
    sending.stop();
    gate.resolve();
    await Promise.all([first, second]);
    expect([begun, sending.has('b'), sending.has('c')]).toEqual([['b'], false, false]);
  });
});
