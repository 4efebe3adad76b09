// What callers can make the service ask: no inner address however it is written or found, no redirect, nothing endless.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { allowedHost, isPublic, OutOfReach, type Lookup, type Reach } from '#network/reach.ts';
import { outgoing } from '#service/outgoing.ts';
import { tries } from '../../chance.ts';

const setting = 'CHATLEDGER_SERVICE_OUTGOING_HOSTS';
const bounds = { milliseconds: 5000, bytes: 1000 };
const reach = (...hosts: string[]): Reach => ({ hosts: hosts.map((host) => allowedHost(host)!), setting });
const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

async function server(answer: RequestListener) {
  const paths: string[] = [];
  const made = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(made, 'listening');
  ends.push(() => {
    made.close();
    made.closeAllConnections();
  });
  return { port: (made.address() as AddressInfo).port, paths };
}
const refused = (address: string, own: Partial<Reach> = {}) =>
  expect(outgoing(address, { method: 'GET' }, bounds, { ...reach(), ...own }), address).rejects.toThrow(OutOfReach);

/** Four bytes in the spellings that addresses of the web know. */
const spellings = ([a, b, c, d]: [number, number, number, number]): string[] => {
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (byte: number) => byte.toString(16);
  return [
    `${a}.${b}.${c}.${d}`,
    String(number),
    `0x${hex(number)}`,
    `0${number.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.0x${hex(b)}.${c}.0${d.toString(8)}`,
    `${a}.${b}.${c}.${d}.`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    `[64:ff9b::${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    `[2002:${hex(a * 256 + b)}:${hex(c * 256 + d)}::1]`,
    `[::${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
  ];
};
const byte = fc.integer({ min: 0, max: 255 });
const inner = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);

describe('an inner address', () => {
  it('is refused in every spelling', async () => {
    await fc.assert(
      fc.asyncProperty(inner, async (bytes) => {
        for (const host of spellings(bytes)) await refused(`http://${host}:8080/x`);
      }),
      { numRuns: tries(100, 5000) },
    );
  });
  it('is refused when a name leads to it, alone or in every answer', async () => {
    await fc.assert(
      fc.asyncProperty(inner, async (bytes) => {
        const address = bytes.join('.');
        const lookup: Lookup = (_name, _options, done) => done(null, [{ address, family: 4 }]);
        await refused('http://inner.example/', { lookup });
      }),
      { numRuns: tries(100, 5000) },
    );
  });
  it('is refused in IPv6', async () => {
    for (const host of [
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      'fec0::1',
      '2001:db8::1',
      '64:ff9b:1::1',
    ])
      await refused(`http://[${host}]/`);
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost']) await refused(`http://${host}/`);
  });
  it('is no property of public ones', () => {
    expect(['1.1.1.1', '8.8.8.8', '2606:4700::1111'].map(isPublic)).toEqual([true, true, true]);
  });
});

describe('a request', () => {
  it('goes where the name was found to lead, and resolves it once', async () => {
    const { port, paths } = await server((_request, response) => response.end('here'));
    let lookups = 0;
    const lookup: Lookup = (_name, _options, done) => {
      lookups += 1;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    };
    const answer = await outgoing(`http://hooks.internal:${port}/a`, { method: 'GET' }, bounds, {
      ...reach('hooks.internal'),
      lookup,
    });
    expect([answer.status, answer.body.toString(), answer.is_cut, lookups, paths]).toEqual([
      200,
      'here',
      false,
      1,
      ['/a'],
    ]);
  });
  it('follows no redirect, and tells of it', async () => {
    const { port, paths } = await server((_request, response) => response.writeHead(307, { location: '/inner' }).end());
    const answer = await outgoing(
      `http://127.0.0.1:${port}/`,
      { method: 'POST', body: '{}' },
      bounds,
      reach('127.0.0.1'),
    );
    expect([answer.status, paths]).toEqual([307, ['/']]);
  });
  it('is of http or https only', async () => {
    for (const address of [
      'file:///etc/passwd',
      'ftp://1.1.1.1/',
      'gopher://1.1.1.1/',
      'data:text/plain,x',
      'unix:/tmp/x',
    ])
      await refused(address, reach('127.0.0.1'));
  });
  it('reads no more than it may, however long the answer is', async () => {
    const { port } = await server((_request, response) => {
      const more = (): void =>
        void (response.write('x'.repeat(100_000)) ? setImmediate(more) : response.once('drain', more));
      more();
    });
    const answer = await outgoing(`http://127.0.0.1:${port}/`, { method: 'GET' }, bounds, reach('127.0.0.1'));
    expect([answer.body.length, answer.is_cut]).toEqual([1000, true]);
  });
  it('ends in time, whether nothing comes or a byte now and then', async () => {
    const silent = await server(() => undefined);
    const dripping = await server((_request, response) => {
      const timer = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(timer));
    });
    for (const { port } of [silent, dripping]) {
      const started = performance.now();
      const asked = outgoing(
        `http://127.0.0.1:${port}/`,
        { method: 'GET' },
        { ...bounds, milliseconds: 400 },
        reach('127.0.0.1'),
      );
      await expect(asked).rejects.toThrow('no answer within 0.4 s');
      expect(performance.now() - started).toBeLessThan(4000);
    }
  });
  it('can be ended early', async () => {
    const { port, paths } = await server(() => undefined);
    const ending = new AbortController();
    const asked = outgoing(
      `http://127.0.0.1:${port}/`,
      { method: 'GET' },
      { ...bounds, signal: ending.signal },
      reach('127.0.0.1'),
    );
    setTimeout(() => ending.abort(new Error('the service ends')), 50);
    await expect(asked).rejects.toThrow('the service ends');
    expect(paths.length).toBeLessThanOrEqual(1);
  });
});
