// Answers that are kept go out compressed to whoever takes them so, are compressed once, and say the same.
import { createHook } from 'node:async_hooks';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnswerCache } from '#api/answers.ts';
import { compress } from '#server/compress.ts';

const rows = (count: number) => Array.from({ length: count }, (_, day) => ({ day, state: 'final', chats: day * 7 }));
const bodies: Record<string, object> = {
  '/api/small': { rows: rows(10) },
  '/api/usual': { rows: rows(400) },
  '/api/fresh': { rows: rows(400) },
  '/api/long': { rows: rows(20_000) },
};

/** How often each was made. */
const made: string[] = [];
const answers = new AnswerCache();
const app = new Hono().get('/api/:name', (c) =>
  answers.answerAs(c, c.req.path, () => {
    made.push(c.req.path);
    return Promise.resolve(bodies[c.req.path] ?? {});
  }),
);

let server: Server;
beforeAll(async () => {
  const answer = getRequestListener(app.fetch);
  server = createServer((asked, response) => compress(asked, response, () => void answer(asked, response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

interface Told {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Told> {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', path, headers, method }).end();
  const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer> & Told & { statusCode: number }];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) };
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  ...{ br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync },
};
const plainOf = ({ headers, body }: Told): string =>
  (decoders[headers['content-encoding'] ?? '']?.(body) ?? body).toString();

/** How many compressors Node made for all that ran meanwhile, whoever asked for them. */
async function compressorsDuring(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_, type) => void (count += type === 'ZLIB' ? 1 : 0) }).enable();
  await work().finally(() => hook.disable());
  return count;
}

describe('a kept answer', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.2', 'gzip'],
    ['BR', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['identity, br;q=0.5', undefined],
    // What compresses other answers while they are sent takes these.
    ['deflate', 'deflate'],
    ['*', 'br'],
    ['', undefined],
  ])('for whoever takes “%s” is in %s', async (takes, encoding) => {
    const told = await ask('/api/usual', { 'accept-encoding': takes });
    expect([told.status, told.headers['content-encoding']]).toEqual([200, encoding]);
    expect(told.headers.vary?.toLowerCase()).toBe('accept-encoding');
    expect(plainOf(told)).toBe(JSON.stringify(bodies['/api/usual']));
    const { 'content-length': announced = told.body.length } = told.headers;
    expect(Number(announced)).toBe(told.body.length);
  });

  it('is compressed once in each encoding, however many take it at once and later', async () => {
    const compressors = await compressorsDuring(async () => {
      const takes = ['br', 'gzip', 'br', 'gzip', 'br', 'gzip'];
      const asked = (): Promise<Told[]> =>
        Promise.all(takes.map((one) => ask('/api/fresh', { 'accept-encoding': one })));
      const told = [...(await asked()), ...(await asked())];
      expect(told.map(({ headers }) => headers['content-encoding'])).toEqual([...takes, ...takes]);
      expect(new Set(told.map(({ headers }) => headers.etag)).size).toBe(1);
    });
    expect(compressors).toBe(2);
    expect(made.filter((path) => path === '/api/fresh')).toHaveLength(1);
  });

  it('is not sent again to whoever has it, in whatever encoding', async () => {
    const { etag = '' } = (await ask('/api/usual')).headers;
    const told = await ask('/api/usual', { 'accept-encoding': 'br', 'if-none-match': etag });
    expect([told.status, told.body.length]).toEqual([304, 0]);
  });

  it('goes out as it is where it is short, and is compressed while it is sent where it is long', async () => {
    const short = await ask('/api/small', { 'accept-encoding': 'br' });
    expect([short.headers['content-encoding'], plainOf(short)]).toEqual([
      undefined,
      JSON.stringify(bodies['/api/small']),
    ]);
    const long = await ask('/api/long', { 'accept-encoding': 'br' });
    expect([long.headers['content-encoding'], long.headers['content-length']]).toEqual(['br', undefined]);
    expect(plainOf(long)).toBe(JSON.stringify(bodies['/api/long']));
  });

  it('asked for its headers alone is not compressed', async () => {
    const { status, headers, body } = await ask('/api/usual', { 'accept-encoding': 'br' }, 'HEAD');
    expect([status, headers['content-encoding'], body.length]).toEqual([200, undefined, 0]);
  });

  it('is read by pages, which ask without a connection, as it is', async () => {
    const answer = await app.request('http://127.0.0.1/api/usual', { headers: { 'accept-encoding': 'br' } });
    expect([answer.headers.get('content-encoding'), await answer.json()]).toEqual([null, bodies['/api/usual']]);
  });
});
