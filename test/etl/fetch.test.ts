// One question to a source that misbehaves on the wire: what is tried again, what is told, and when it is given up.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { Final, Garbled, Oversized, Postponed, Retryable, Unauthorized, Unreachable } from '#etl/errors.ts';
import { createFetcher } from '#etl/fetch/fetch.ts';
import { failureOf, type ReceivedResponse } from '#etl/fetched.ts';
import { createRetryBudget, retrying } from '#etl/fetch/retry-budget.ts';
import { impatient } from './pulled.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const clock = (): number => 1_790_000_000;

function fetcherOf(base_url: string, limits = impatient) {
  const source = {
    id: 'default',
    base_url,
    authorization: 'Basic x',
    region: 'dal',
    timezone: 'UTC',
    since: '2026-01-01',
  };
  const fetcher = createFetcher({ ...source, requests_per_second: null }, clock, limits);
  ends.push(() => fetcher.close());
  const heard: ReceivedResponse[] = [];
  return { heard, ask: (path = '/x') => fetcher.ask(path, (attempt) => heard.push(attempt)), fetcher };
}

/** A source that answers each request with the next of the listed answers, and the last one for ever. */
const sourceOf = (...answers: RequestListener[]) => sourceWithin(impatient, ...answers);

/** Large bodies take their time on a busy machine. */
const unhurried = { ...impatient, timeout_ms: 60_000 };

async function sourceWithin(limits: typeof impatient, ...answers: RequestListener[]) {
  let requests = 0;
  const server = createServer((request, response) =>
    answers[Math.min(requests++, answers.length - 1)]?.(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  return fetcherOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, limits);
}

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, headers)
      .end(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body));
const ok = says(200, { fine: true });

test('interim answers without an end are no answer', async () => {
  const { ask, heard } = await sourceOf((_, response) => {
    const timer = setInterval(() => response.writeEarlyHints({ link: '</x>; rel=preload' }), 20);
    response.once('close', () => clearInterval(timer));
  });
  await expect(ask()).rejects.toThrow(Retryable);
  expect(heard.every(({ status, error }) => status === 0 && error !== null)).toBe(true);
});

test('every attempt is told with what came: status, headers that matter, body, error', async () => {
  const { ask, heard } = await sourceOf(
    says(503, '<h1>Busy</h1>', { 'retry-after': '0', 'x-request-id': 'r1', server: 'secret' }),
    ok,
  );
  const { json, received } = await ask();
  expect(json).toEqual({ fine: true });
  expect(heard.map(({ status, attempts, error }) => [status, attempts, error])).toEqual([
    [503, 1, '/x was answered with 503: an HTML page'],
    [200, 2, null],
  ]);
  expect(heard[0]).toMatchObject({
    body: '<h1>Busy</h1>',
    headers: { 'retry-after': '0', 'x-request-id': 'r1' },
    bytes: 13,
  });
  expect(heard[0]?.headers).not.toHaveProperty('server');
  expect(received).toBe(heard[1]);
});

test('refused credentials are not tried again, and say one clear sentence', async () => {
  const { ask, heard } = await sourceOf(says(401, { error: 'Check your API Key' }));
  await expect(ask()).rejects.toThrow(new Unauthorized('Check your API Key'));
  expect(heard.length).toBe(1);
});

test.each([
  [403, 'not_in_plan'],
  [404, 'gone'],
  [410, 'gone'],
  [400, 'failed'],
])('%i is taken at its word: %s', async (status, state) => {
  const { ask, heard } = await sourceOf(says(status, { error: 'no' }));
  const error: unknown = await ask().catch((cause: unknown) => cause);
  expect([failureOf(error).state, heard.length]).toEqual([state, 1]);
});

test.each([408, 425, 429, 500, 502, 503, 504, 599])('%i is tried again', async (status) => {
  const { ask, heard } = await sourceOf(says(status, ''), ok);
  await ask();
  expect(heard.length).toBe(2);
});

test('a source that only says 500 is given up after six tries', async () => {
  const { ask, heard } = await sourceOf(says(500, ''));
  const error: unknown = await ask().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Retryable);
  expect([failureOf(error).state, heard.length]).toEqual(['failed', 6]);
});

test.each([
  ['empty', says(200, '')],
  ['an HTML page', says(200, '<!doctype html><p>Down</p>')],
  ['no whole JSON', says(200, '{"a": [1,')],
  ['no whole JSON', says(200, '"text"')],
  ['cannot be unpacked', says(200, gzipSync('{"a":1}').subarray(0, 20), { 'content-encoding': 'gzip' })],
  ['packed in an unknown way', says(200, 'x', { 'content-encoding': 'zstd' })],
  ['no UTF-8', says(200, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
  ['an error: broken', says(200, { error: 'broken' })],
])('a body that is %s is asked for again, three times in all, and then set aside', async (words, answer) => {
  const { ask, heard } = await sourceOf(answer);
  const error: unknown = await ask().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Garbled);
  expect(failureOf(error).state).toBe('quarantined');
  expect([heard.length, heard[0]?.error]).toEqual([3, expect.stringContaining(words)]);
});

test('a packed body is unpacked, and both sizes are counted', async () => {
  const packed = gzipSync(JSON.stringify({ words: 'hello '.repeat(5000) }));
  const { ask, heard } = await sourceOf(says(200, packed, { 'content-encoding': 'gzip' }));
  await ask();
  expect([heard[0]?.bytes, heard[0]?.body.length]).toEqual([packed.length, 30_012]);
});

test('a body over 16 MB is not read on, and its beginning is kept', async () => {
  const { ask, heard } = await sourceWithin(unhurried, says(200, Buffer.alloc(17 * 1024 * 1024, ' ')));
  await expect(ask()).rejects.toBeInstanceOf(Oversized);
  expect(heard[0]?.body.length).toBe(64 * 1024);
});

test.each([
  [12, 'unpacks to more than 100 times its size'],
  [200, 'is larger than 16 MB'],
])(
  'a small body that unpacks to %i MB is not read on: it %s',
  async (megabytes, words) => {
    const bomb = gzipSync(Buffer.alloc(megabytes * 1024 * 1024, ' '));
    const { ask, heard } = await sourceWithin(unhurried, says(200, bomb, { 'content-encoding': 'gzip' }));
    await expect(ask()).rejects.toThrow(words);
    expect(heard[0]?.body.length).toBeLessThanOrEqual(1024 * 1024);
  },
  20_000,
);

test('an answer that trickles in longer than the limit is given up and asked for again', async () => {
  const { ask, heard } = await sourceOf((_, response) => {
    response.writeHead(200).flushHeaders();
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  }, ok);
  await ask();
  expect(heard[0]?.error).toContain('took longer than 0.4 s');
});

test('a misdirected request goes to the region that the error names, and so do those after it', async () => {
  const regions: unknown[] = [];
  const { ask } = await sourceOf((request, response) => {
    regions.push(request.headers['x-region']);
    if (request.headers['x-region'] === 'fra') return ok(request, response);
    return says(421, { error: { type: 'misdirected_request', message: 'Wrong region', data: { region: 'fra' } } })(
      request,
      response,
    );
  });
  await ask();
  await ask();
  expect(regions).toEqual(['dal', 'fra', 'fra']);
});

test('Retry-After is waited for, in seconds or as a date of the source`s own clock', async () => {
  const wrong = 'Tue, 01 Jan 2030 00:00:00 GMT';
  const { ask, heard } = await sourceOf(
    says(429, '', { 'retry-after': '1' }),
    says(503, '', { date: wrong, 'retry-after': 'Tue, 01 Jan 2030 00:00:01 GMT' }),
    ok,
  );
  const started = performance.now();
  await ask();
  expect(performance.now() - started).toBeGreaterThan(1900);
  expect(heard.length).toBe(3);
});

test('an answer nested a hundred thousand deep is set aside, and brackets within texts are no nesting', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const { ask } = await sourceOf(says(200, deep));
  await expect(ask()).rejects.toThrow(/nested deeper than 200/);
  const { ask: askOfTexts } = await sourceOf(says(200, { text: '[{'.repeat(5000) }));
  expect((await askOfTexts()).json).toEqual({ text: '[{'.repeat(5000) });
});

test('the name of a packing is read in any case', async () => {
  const { ask } = await sourceOf(says(200, gzipSync('{"fine":true}'), { 'content-encoding': 'GZip' }));
  expect((await ask()).json).toEqual({ fine: true });
});

test('a source that takes every question and answers none ends the pull instead of holding it for hours', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  const limits = { ...impatient, timeout_ms: 100, request_seconds: 0.5 };
  const { fetcher, heard } = fetcherOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, limits);
  const errors = await Promise.all(
    Array.from({ length: 24 }, () => fetcher.ask('/x').catch((error: unknown) => error)),
  );
  expect(String(errors.at(-1))).toMatch(
    /it took the question and stayed silent .*, and nothing was answered for \d+ s/,
  );
  expect(errors.at(-1)).toBeInstanceOf(Unreachable);
  // Six tries each would be 144.
  expect(heard.length).toBeLessThan(60);
});

test('a source that asks to wait for an hour ends the pull: the next one goes on', async () => {
  const { ask, heard } = await sourceOf(says(429, '', { 'retry-after': '3600' }));
  await expect(ask()).rejects.toThrow(Postponed);
  expect(heard.length).toBe(1);
});

test.each([
  ['http://127.0.0.1:9', 'nothing answers at http://127.0.0.1:9: nobody listens there (ECONNREFUSED)'],
  ['http://no-such-host.invalid', 'nothing answers at http://no-such-host.invalid: the name '],
])('%s is nobody: told after three tries', async (url, words) => {
  const { ask, heard } = fetcherOf(url);
  const error: unknown = await ask().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Unreachable);
  expect(String(error)).toContain(words);
  expect([heard.length, heard[0]?.status]).toEqual([3, 0]);
});

test('a port that speaks no TLS is told at once', async () => {
  const { ask: plain, fetcher } = await sourceOf(ok);
  await plain();
  await fetcher.close();
  const server = createServer(ok);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  const { ask, heard } = fetcherOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(ask()).rejects.toThrow('no secure connection');
  expect(heard.length).toBe(1);
});

test('waiting has an end, for one request and for a pull', () => {
  const budget = createRetryBudget({ ...retrying, request_seconds: 10, pull_seconds: 15, answer_seconds: 2 });
  const [one, other] = [budget.request(), budget.request()];
  const busy = new Retryable('busy', 500);
  expect([one.isWorthAnother(busy, 1, 8000), one.isWorthAnother(busy, 2, 8000)]).toEqual([true, false]);
  expect([other.isWorthAnother(busy, 1, 8000), other.isWorthAnother(busy, 1, 7000)]).toEqual([false, true]);
  budget.answered();
  expect(budget.request().isWorthAnother(busy, 1, 2000)).toBe(true);
  expect(budget.request().isWorthAnother(new Final('no'), 1, 0)).toBe(false);
});

test('the clock of the source is compared with ours', async () => {
  const { ask, fetcher } = await sourceOf(says(200, {}, { date: new Date((clock() + 7200) * 1000).toUTCString() }));
  expect(fetcher.skew()).toBe(null);
  await ask();
  expect(fetcher.skew()).toBe(7200);
});
