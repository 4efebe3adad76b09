// Long answers are compressed as they are written, at the pace of who reads them, and short ones and events are left alone.
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { compress } from '#server/compress.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

async function served(answer: (response: ServerResponse) => void): Promise<IncomingMessage> {
  server = createServer((request, response) => compress(request, response, () => answer(response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = get({ port, host: '127.0.0.1', headers: { 'accept-encoding': 'br' } });
  const [answered] = (await once(asked, 'response')) as [IncomingMessage];
  return answered;
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Writes as page and API do: after a full buffer, when there is room again. */
async function write(response: ServerResponse, chunks: readonly string[]): Promise<void> {
  response.setHeader('content-type', 'text/html');
  for (const chunk of chunks)
    if (!response.write(chunk)) await new Promise<void>((resolve) => response.once('drain', resolve));
  response.end();
}

const chunks = Array.from({ length: 60 }, () => randomBytes(30_000).toString('base64'));

describe('compression', () => {
  test('an answer that waits for its reader many times comes whole, and leaves no listeners behind', async () => {
    const warnings: string[] = [];
    const warned = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', warned);
    const answer = await served((response) => void write(response, chunks));
    expect(answer.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(await bodyOf(answer)).toString()).toBe(chunks.join(''));
    await new Promise(setImmediate);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  test('short answers and events are not compressed', async () => {
    const short = await served((response) => response.setHeader('content-type', 'text/html').end('short'));
    expect([short.headers['content-encoding'], String(await bodyOf(short))]).toEqual([undefined, 'short']);
    server?.close();
    const events = await served((response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write(`data: ${'x'.repeat(10_000)}\n\n`);
      response.end();
    });
    expect(events.headers['content-encoding']).toBeUndefined();
    await bodyOf(events);
  });
});
