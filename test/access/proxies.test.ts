// Who is let in at the port of dashboards and API: this machine, and named proxies once there are users.
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { proxiesAt } from '#server/proxies.ts';
import { objectionTo, type RequestHead } from '#server/admission.ts';

const proxies = proxiesAt('https://numbers.example', ['10.0.0.0/8', '192.0.2.7', '::1']);

function headOf(peer: string, headers: Record<string, string>, more: Partial<RequestHead> = {}) {
  const socket = { remoteAddress: peer } as Socket;
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return { socket, headers, headersDistinct, method: 'GET', url: '/api/accounts', httpVersion: '1.1', ...more };
}
const refusal = (
  peer: string,
  headers: Record<string, string>,
  isLoginRequired = true,
  named: typeof proxies | null = proxies,
) =>
  objectionTo(headOf(peer, headers), {
    isLoginRequired: () => isLoginRequired,
    proxies: named ?? undefined,
    embedders: [],
  })?.[1];

const publicly = { host: 'numbers.example', 'x-forwarded-for': '203.0.113.9' };

describe('the port of dashboards and API', () => {
  it('answers this machine under its own names', () => {
    for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000'])
      for (const peer of ['127.0.0.1', '::ffff:127.0.0.1']) expect(refusal(peer, { host })).toBeUndefined();
    expect(refusal('127.0.0.1', { host: 'evil.example' })).toContain('127.0.0.1 and localhost only');
  });

  it('answers a named proxy under the public name, once there are users', () => {
    for (const peer of ['10.1.2.3', '192.0.2.7', '::1', '::ffff:10.1.2.3'])
      expect(refusal(peer, publicly)).toBeUndefined();
    for (const host of ['Numbers.Example', 'numbers.example:443'])
      expect(refusal('10.1.2.3', { ...publicly, host })).toBeUndefined();
    expect(refusal('10.1.2.3', publicly, false)).toContain('there are no users yet');
    expect(refusal('10.1.2.3', { host: 'numbers.example' }, false)).toContain('there are no users yet');
    expect(refusal('10.1.2.3', { ...publicly, host: 'evil.example' })).toContain('answers as numbers.example only');
    expect(refusal('10.1.2.3', { ...publicly, host: '127.0.0.1:3000' })).toContain('answers as numbers.example only');
  });

  it('answers nobody else, whatever they say of themselves', () => {
    expect(refusal('203.0.113.9', { host: '127.0.0.1:3000' })).toContain('and nobody else');
    expect(refusal('203.0.113.9', { host: 'numbers.example' })).toContain('and nobody else');
    expect(refusal('203.0.113.9', publicly)).toContain('CHATLEDGER_TRUSTED_PROXIES');
    expect(refusal('127.0.0.1', publicly)).toContain('CHATLEDGER_TRUSTED_PROXIES');
    expect(refusal('10.1.2.3', publicly, true, null)).toContain('CHATLEDGER_TRUSTED_PROXIES');
  });

  it('answers no page of another site, behind a proxy either', () => {
    const from = (origin: string) => refusal('10.1.2.3', { ...publicly, origin });
    expect(from('https://numbers.example')).toBeUndefined();
    expect(from('http://numbers.example')).toContain('pages of other sites');
    expect(from('https://evil.example')).toContain('pages of other sites');
  });
});

describe('the address of whoever asks', () => {
  const clientOf = (peer: string, forwarded?: string) =>
    proxies.clientOf(headOf(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }));

  it.each([
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.9, 192.0.2.7', '198.51.100.1'],
    ['10.0.0.1', 'owner, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.2.3.4, 203.0.113.9:51234', '203.0.113.9'],
    ['10.0.0.1', '1.2.3.4, [2001:db8::7]:443', '2001:db8::7'],
    ['10.0.0.1', '1.2.3.4, unknown, 10.0.0.3', '10.0.0.3'],
    ['10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['10.0.0.1', 'nonsense', '10.0.0.1'],
  ])('%s that forwards for %s is %s', (peer, forwarded, client) => {
    expect(clientOf(peer, forwarded)).toBe(client);
  });

  it('is that of the connection, where nothing is said', () => {
    expect(clientOf('10.0.0.1')).toBe('10.0.0.1');
  });
});
