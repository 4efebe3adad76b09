// The port of dashboards and API: what it lets in, how much it takes, how long it waits, and what it says with everything.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDeps } from '#api/deps.ts';
import { requestId } from '#api/request-id.ts';
import { webServer } from '#server/web-server.ts';
import type { Limits } from '#server/http.ts';
import type { NodeHandler } from '#server/compress.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { account } from '../warehouse/account.ts';
import { flood, heard, opened, say, untilClosed, type Heard } from './raw.ts';

let engine: Store;
beforeAll(async () => void (engine = await account([{ start: '2026-05-05T10:00:00Z', tags: ['used'] }])));
afterAll(() => engine.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const page: NodeHandler = (_, response) => void response.setHeader('content-type', 'text/html').end('<p>a page</p>');
const patient: Limits = { head_ms: 60_000, request_ms: 60_000, idle_ms: 60_000, unread_ms: 60_000, connections: 2000 };

async function serve(differs: Partial<ApiDeps> = {}, limits: Partial<Limits> = {}, answerPage = page): Promise<Server> {
  const server = webServer(apiDeps(engine, differs), answerPage, { ...patient, ...limits });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

describe('a body', () => {
  const endless = 64e6;

  test.each([
    'PUT /api/annotations',
    'PUT /api/digests/x',
    'POST /api/pulls',
    'POST /api/nothing',
    'GET /api/health',
    'GET /',
    'POST /',
    'POST /nothing',
    'TRACE /api/health',
    'DELETE /api/views/x',
  ])('is counted while it is read, and %s ends at 64 KB', async (request) => {
    const { status, body, headers, taken } = await flood(await serve(), request, endless);
    expect([status, headers.get('connection')]).toEqual([413, 'close']);
    expect(body).toContain('the body is longer than 65536 bytes');
    expect(taken).toBeLessThan(endless / 2);
  });

  test('that announces too much is refused before it is sent, also to who asks first', async () => {
    const server = await serve();
    const lines = ['Content-Type: application/json', 'Content-Length: 700000000'];
    for (const more of [[], ['Expect: 100-continue']]) {
      const answer = await say(server, 'PUT /api/annotations', [...lines, ...more]);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'application/json; charset=utf-8']);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { type: 'too_large' } });
    }
  });

  test('of 64 KB is read, in pieces too, and after 100 Continue', async () => {
    const server = await serve();
    const body = JSON.stringify({ title: 'x', note: ' '.repeat(65_536 - 23) });
    expect(body).toHaveLength(65_536);
    const json = ['Content-Type: application/json', 'X-Request-Id: proxy-1234'];
    const whole = await say(server, 'PUT /api/annotations', [...json, `Content-Length: ${body.length}`], { body });
    expect([whole.status, whole.body]).toEqual([400, expect.stringContaining('bad_request')]);
    const chunked = `8000\r\n${body.slice(0, 0x8000)}\r\n8000\r\n${body.slice(0x8000)}\r\n0\r\n\r\n`;
    const pieces = await say(server, 'PUT /api/annotations', [...json, 'Transfer-Encoding: chunked'], {
      body: chunked,
    });
    expect([pieces.status, pieces.body]).toEqual([400, whole.body]);
    const asked = await say(server, 'PUT /api/annotations', [...json, 'Expect: 100-continue', 'Content-Length: 2'], {
      body: '{}',
    });
    expect([asked.status, heard(asked.body).status]).toEqual([100, 400]);
  });

  test('refused under the reports is refused in their words', async () => {
    const answer = await flood(await serve(), 'POST /api/reports/chats/total_chats', endless);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([413, { error: 'the body is longer than 65536 bytes' }]);
  });
});

describe('time', () => {
  test.each([
    ['never says anything', ''],
    ['stops in its head', 'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nX-Slow: '],
    ['stops in its body', 'PUT /api/annotations HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nContent-Length: 9\r\n\r\n{'],
  ])('a sender who %s is cut off with 408', async (_, text) => {
    const server = await serve({}, { head_ms: 100, request_ms: 300 });
    const socket = await opened(server);
    socket.write(text);
    const answer = await untilClosed(socket);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([408, 'nosniff']);
  });

  test('a connection without a further request is closed', async () => {
    const server = await serve({}, { idle_ms: 100 });
    const socket = await opened(server);
    socket.write('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:3000\r\n\r\n');
    expect((await untilClosed(socket)).status).toBe(200);
  });

  test('a reader who takes nothing of a long answer is cut off', async () => {
    const ended = Promise.withResolvers<boolean>();
    const long: NodeHandler = (_, response) => {
      response.once('close', () => ended.resolve(response.writableFinished));
      response.end(Buffer.alloc(32e6));
    };
    const socket = await opened(await serve({}, { unread_ms: 200 }, long));
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1:3000\r\n\r\n');
    expect(await ended.promise).toBe(false);
    socket.destroy();
  });

  test('an answer that takes long to make is waited for', async () => {
    const slow: NodeHandler = (_, response) => void setTimeout(() => response.end('at last'), 600);
    expect((await say(await serve({}, { unread_ms: 100 }, slow), 'GET /')).body).toContain('at last');
  });

  test('more connections than there is room for are closed as they come', async () => {
    const server = await serve({}, { connections: 2 });
    const idle = [await opened(server), await opened(server)];
    expect((await untilClosed(await opened(server))).status).toBe(0);
    for (const socket of idle) socket.destroy();
  });
});

describe('what is no question', () => {
  const odd = [
    ['GET /%', 400],
    ['GET /%c3%28', 400],
    ['GET /api/metrics/%E0%A4%A', 400],
    ['GET /api/metrics/total_chats?tag=100%', 400],
    ['GET /?tag=%ff', 400],
    ['GET /?tag=Zo\u00eb', 400],
    ['GET /\\evil.example', 400],
    ['GET *', 400],
    ['GET http://127.0.0.1:3000/', 400],
    ['GET @evil.example/', 400],
    [`GET /${'a'.repeat(9000)}`, 414],
    [`GET /${'a'.repeat(20_000)}`, 431],
    ['CONNECT evil.example:443', 405],
    ['TRACE /', 405],
    ['PROPFIND /', 405],
    ['OPTIONS /', 405],
    ['QUERY /api/metrics', 405],
    ['OPTIONS /api/metrics', 405],
    ['HEAD /', 200],
    ['HEAD /api/metrics', 200],
    ['HEAD /api/events', 200],
    ['not HTTP at all', 400],
  ] as const;
  test.each(odd.map((it) => [it[0].slice(0, 60), ...it] as const))(
    '%s… is answered (%#)',
    async (_, request, status) => {
      const answer = await say(await serve(), request);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test('two hosts, none, and an expectation that nobody knows are refused', async () => {
    const server = await serve();
    const twice = await say(server, 'GET /', ['Host: localhost']);
    expect([twice.status, twice.body]).toEqual([400, 'the request names several hosts: send one Host header\n']);
    expect((await say(server, 'GET /', [], { host: '' })).status).toBe(400);
    expect((await say(server, 'GET /', ['Expect: a miracle'])).status).toBe(400);
  });
});

describe('a forwarded request', () => {
  test.each([
    'Forwarded: for=192.0.2.1',
    'Via: 1.1 proxy',
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-Host: numbers.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded: yes',
    'X-Real-IP: 192.0.2.1',
    'X-Client-IP: 192.0.2.1',
    'X-Original-URL: /',
    'X-Rewrite-URL: /',
    'CF-Connecting-IP: 192.0.2.1',
    'True-Client-IP: 192.0.2.1',
    'Fastly-Client-IP: 192.0.2.1',
    'X-Amzn-Trace-Id: Root=1',
    'X-Envoy-External-Address: 192.0.2.1',
    'X-Cloud-Trace-Context: 1/1',
  ])('is refused, on pages and API: %s', async (line) => {
    const server = await serve();
    for (const path of ['/', '/api/metrics', '/api/health', '/favicon.svg']) {
      const { status, body } = await say(server, `GET ${path}`, [line]);
      expect([path, status]).toEqual([path, 403]);
      expect(body).toContain('let the proxy forward to CHATLEDGER_PUBLIC_PORT');
    }
  });

  test('is seen behind thousands of other headers', async () => {
    const many = Array.from({ length: 2500 }, () => 'a:');
    expect((await say(await serve(), 'GET /', [...many, 'Via: 1.1 proxy'])).status).toBe(403);
  });

  test('of HTTP/1.0 is refused, but for health', async () => {
    const server = await serve();
    const old = (path: string) => say(server, `GET ${path}`, [], { version: 'HTTP/1.0' });
    expect((await old('/')).status).toBe(403);
    expect((await old('/api/metrics')).status).toBe(403);
    expect((await old('/api/health')).status).toBe(200);
    expect((await old('/api/ready')).status).toBe(200);
  });

  test('whose host was rewritten is known by the page that it comes from', async () => {
    const server = await serve();
    const from = (referer: string) =>
      say(server, 'GET /api/metrics', ['Sec-Fetch-Site: same-origin', `Referer: ${referer}`]);
    expect((await from('https://numbers.example/queue')).status).toBe(403);
    expect((await from('http://127.0.0.1:3000/queue')).status).toBe(200);
  });
});

describe('a page of another site', () => {
  const navigation = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];

  test.each([
    ['GET /', ['Sec-Fetch-Site: cross-site', ...navigation], 200],
    ['GET /', ['Sec-Fetch-Site: same-site', ...navigation], 200],
    ['GET /', ['Sec-Fetch-Site: none', ...navigation], 200],
    ['GET /', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty'], 200],
    ['GET /', [], 200],
    ['GET /', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'], 403],
    ['GET /', ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script'], 403],
    ['GET /', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'], 403],
    ['GET /', ['Sec-Fetch-Site: cross-site'], 403],
    ['HEAD /', ['Sec-Fetch-Site: cross-site', ...navigation], 403],
    ['GET /', ['Origin: https://elsewhere.example'], 403],
    ['GET /', ['Origin: https://127.0.0.1:3000'], 403],
    ['GET /', ['Origin: http://127.0.0.1:3000'], 200],
    ['GET /api/metrics', ['Sec-Fetch-Site: cross-site', ...navigation], 403],
    ['GET /api/metrics', ['Sec-Fetch-Site: same-site'], 403],
    ['GET /api/metrics', ['Origin: https://127.0.0.1:3000'], 403],
    ['GET /api/metrics', ['Origin: http://127.0.0.1:3000'], 200],
    ['GET /api/metrics', ['Origin: http://127.0.0.1:3001'], 403],
  ])('%s with %j is answered with %d', async (request, lines, status) => {
    expect((await say(await serve(), request, lines)).status).toBe(status);
  });

  test('of another name that resolves to this machine is refused', async () => {
    const server = await serve();
    for (const host of ['rebound.example', '127.0.0.1.example', 'x@127.0.0.1:3000', 'localhost:3000:1', '0.0.0.0:3000'])
      expect([host, (await say(server, 'GET /', [], { host })).status]).toEqual([host, 403]);
  });
});

describe('the id of a request', () => {
  const idOf = (answer: Pick<Heard, 'headers'>): string => answer.headers.get('x-request-id') ?? '';

  test.each(['GET /', 'GET /api/health', 'GET /api/nothing', 'TRACE /api/health', 'GET /%', 'PUT /api/annotations'])(
    'is made anew, and in the answer to %s',
    async (request) => {
      const server = await serve();
      const ids = [idOf(await say(server, request)), idOf(await say(server, request))];
      for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
      expect(ids[0]).not.toBe(ids[1]);
    },
  );

  test('is that of a sender, where it is well formed', async () => {
    const server = await serve();
    const sent = async (...lines: string[]) => idOf(await say(server, 'GET /api/health', lines));
    expect(await sent('X-Request-Id: proxy_17.a-b')).toBe('proxy_17.a-b');
    for (const wrong of ['short', 'a'.repeat(65), 'two words here', 'someone@example.com', '{"level":"error"}', ''])
      expect([wrong, await sent(`X-Request-Id: ${wrong}`)]).toEqual([wrong, expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(await sent('X-Request-Id: proxy-one', 'X-Request-Id: proxy-two')).toMatch(/^[\da-f-]{36}$/);
  });

  test.each(['GET /api/nothing', 'TRACE /api/health', 'GET /api/%', 'GET /api/metrics/nothing'])(
    'is in the body of an error: %s',
    async (request) => {
      const answer = await say(await serve(), request, ['X-Request-Id: proxy-1234']);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { request_id: 'proxy-1234' } });
    },
  );

  test('reaches the page that is made, and the log when that fails', async () => {
    const logged: unknown[] = [];
    const seen: unknown[] = [];
    const server = await serve({ log: (error) => logged.push([error, requestId()]) }, {}, (request, response) => {
      seen.push(request.headers['x-request-id']);
      (request as { chatledgerFailed?: (error: Error) => void }).chatledgerFailed?.(new Error('broken'));
      response.end();
    });
    await say(server, 'GET /queue', ['X-Request-Id: proxy-1234']);
    expect(logged).toEqual([[new Error('broken'), 'proxy-1234']]);
    await say(server, 'GET /queue', ['X-Request-Id: ?']);
    expect(seen).toEqual(['proxy-1234', expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  test('is told with the answer to whoever counts, and known where an error is logged', async () => {
    const told: unknown[] = [];
    const known: unknown[] = [];
    const server = await serve({
      answered: (request) => told.push(request),
      log: () => known.push(requestId()),
      published: () => {
        throw new Error('broken');
      },
    });
    const answer = await say(server, 'GET /api/health', ['X-Request-Id: proxy-1234']);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([500, { error: { request_id: 'proxy-1234' } }]);
    expect(known).toEqual(['proxy-1234']);
    await expect.poll(() => told).toMatchObject([{ method: 'GET', status: 500, request_id: 'proxy-1234' }]);
    expect(requestId()).toBe(undefined);
  });
});

describe('headers of answers', () => {
  const metric = '/api/metrics/total_chats?from=2026-05-05&to=2026-05-05';

  test.each([
    ['GET /', 200],
    ['GET /api/health', 200],
    ['GET /api/docs', 200],
    [`GET ${metric}`, 200],
    ['GET /api/panels/overview/volume.csv', 200],
    ['GET /api/nothing', 404],
    ['GET /api/metrics/nothing', 404],
    ['POST /', 405],
    ['GET /%', 400],
    ['not HTTP at all', 400],
  ])('%s protects what it says', async (request, status) => {
    const { headers, ...answer } = await say(await serve(), request);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'cache-control': request.includes(metric) ? 'private, no-cache' : 'no-store',
    });
  });

  test('what may be kept for ever stays so, and what has an ETag is asked about', async () => {
    const kept =
      (headers: Record<string, string>): NodeHandler =>
      (_, response) =>
        void response.writeHead(200, headers).end();
    const cached = async (headers: Record<string, string>) =>
      (await say(await serve({}, {}, kept(headers)), 'GET /x')).headers.get('cache-control');
    expect(await cached({ 'cache-control': 'public,max-age=31536000,immutable', etag: '"x"' })).toBe(
      'public,max-age=31536000,immutable',
    );
    expect(await cached({ etag: '"x"' })).toBe('private, no-cache');
    expect(await cached({ 'cache-control': 'private, no-cache' })).toBe('no-store');
    expect(await cached({})).toBe('no-store');
  });
});

describe('events', () => {
  const listen = 'GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:3000\r\n\r\n';

  test('a hundred readers listen; the next is told when to ask again', async () => {
    const server = await serve();
    const readers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = await opened(server);
        socket.write(listen);
        await once(socket, 'data');
        return socket;
      }),
    );
    const refused = await say(server, 'GET /api/events');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect(refused.body).toContain('100 readers listen already');
    const left = readers.pop();
    left?.destroy();
    await expect.poll(async () => (await firstOf(server)).slice(0, 15), { timeout: 20_000 }).toBe('HTTP/1.1 200 OK');
    for (const socket of readers) socket.destroy();
  });

  async function firstOf(server: Server): Promise<string> {
    const socket = await opened(server);
    socket.write(listen);
    const [part] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return part.toString();
  }

  test('a reader who takes nothing is dropped', async () => {
    let step = 0;
    const long = 'x'.repeat(2e6);
    const server = await serve({
      pull: () => ({ last_success_at: null, running: true, stage: long, done: ++step, total: 9, pulled_since: null }),
    });
    const dropped = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
    const socket = await opened(server);
    socket.pause();
    socket.write(listen);
    await dropped;
    socket.destroy();
  });
});

test('hundreds of odd requests never meet an error of the program', async () => {
  const logged: unknown[] = [];
  const server = await serve({ log: (error) => void logged.push(error) });
  const statuses = await Promise.all(
    odd(600).map(async ([request, lines]) => [request, (await say(server, request, lines)).status]),
  );
  expect(statuses.filter(([, status]) => status === 0 || status === 500)).toEqual([]);
  expect(logged).toEqual([]);
});

/** Made by a fixed row of numbers, so that one that fails is met again. */
function odd(count: number): [string, string[]][] {
  let state = 7;
  const next = (most: number): number => (state = (state * 48_271) % 2_147_483_647) % most;
  const one = <Item>(list: readonly Item[]): Item => list[next(list.length)] as Item;
  const methods = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'];
  const paths = [
    'metrics',
    'metrics/total_chats',
    'metrics/chat_ratings',
    'receipts/total_chats',
    'chats',
    'chats/x',
    'reports/chats/total_chats',
    'v2/reports/chats/ratings',
    'reconciliation',
    'restatements',
    'snapshots',
    'panels/overview/volume.csv',
    'pulls',
    'views',
    'views/x',
    'annotations',
    'accounts',
    'digests',
    'nothing',
    'docs',
  ];
  const names = [
    'from',
    'to',
    'grain',
    'split',
    'group',
    'agent',
    'tag',
    'timezone',
    'compare',
    'account',
    'as_of',
    'limit',
    'query',
    'period',
    'measure',
    'at.agent',
    '__proto__',
    'constructor',
    'callback',
    'date_from',
    'group_by',
    'weekday',
    'target',
    'version',
  ];
  const values = [
    '',
    '0',
    '-1',
    '1e309',
    '2026-05-05',
    '2026-02-30',
    '9999-12-31',
    '-271821-04-20',
    'day',
    'hour',
    'agent,tag',
    'UTC',
    'Mars/Base',
    '__proto__',
    '%00',
    '%F0%9F%98%80',
    '%E2%80%AE',
    "'",
    '"',
    'a'.repeat(900),
    'null',
    '[]',
    '2026-05-05T10:00:00Z',
    '%0d%0a',
  ];
  const headers = [
    'Accept-Language: x-@@, de;q=z',
    'Authorization: Basic !',
    'Range: bytes=5-1',
    'If-None-Match: *',
    'Accept-Encoding: br;q=x',
    'Content-Type: application/json',
    'X-API-Version: 3',
    'Cookie: theme=%',
    'X-HTTP-Method-Override: DELETE',
    '__proto__: x',
  ];
  return Array.from({ length: count }, () => {
    const question = Array.from({ length: next(5) }, () => `${one(names)}${one(['=', '=', '[]='])}${one(values)}`);
    const path = `${one(paths)}${one(['', '', '', '/', '/..', `/${one(values)}`])}`;
    return [`${one(methods)} /api/${path}?${question.join('&')}`, next(3) === 0 ? [one(headers)] : []];
  });
}
