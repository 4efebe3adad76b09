// What connections to a server say whose certificate is not to be trusted: what is wrong, and what the operator can do.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type ConnectionOptions, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordsOf } from '#auth/oidc.ts';
import { post } from '#digests/channels/http.ts';
import { handOver } from '#digests/channels/smtp.ts';
import { unanswered } from '#etl/fetch/refusal.ts';
import type { SourceAccount } from '#etl/source.ts';
import { accountFinding } from '#server/account-finding.ts';
import { certificateProblem } from '#network/certificate.ts';
import { expired, ofLocalhost } from './certificates.ts';

const [unknown, old] = [createServer(ofLocalhost), createServer(expired)];
const servers = [unknown, old];
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const unsigned = /^its certificate is signed by nobody whom this program trusts: .*NODE_EXTRA_CA_CERTS/;

beforeAll(async () => {
  for (const server of servers) {
    server.on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
});
afterAll(() => servers.forEach((server) => server.close()));

/** The error of a connection. */
async function failureOf(server: Server, options: ConnectionOptions = {}): Promise<Error> {
  const socket = connect({ host: '127.0.0.1', port: portOf(server), servername: 'localhost', ...options });
  try {
    const [error] = (await once(socket, 'error')) as [Error];
    return error;
  } finally {
    socket.destroy();
  }
}

test('a certificate that nobody has signed, one that has expired, and one of somebody else are told apart', async () => {
  expect(certificateProblem(await failureOf(unknown))).toMatch(unsigned);
  expect(certificateProblem(await failureOf(old, { ca: expired.cert }))).toBe('its certificate has expired');
  const other = await failureOf(unknown, { ca: ofLocalhost.cert, servername: 'mail.example.com' });
  expect(certificateProblem(other)).toBe('its certificate is for other names than the one that was asked for');
  expect(certificateProblem(new Error('connect ECONNREFUSED 127.0.0.1:1'))).toBeUndefined();
  expect(certificateProblem('text')).toBeUndefined();
});

test('mail, webhooks, the source, the doctor and a provider of single sign-on say it so', async () => {
  const from = { smtp_url: `smtps://localhost:${portOf(unknown)}`, from: 'reports@example.com' };
  const told = {
    kind: 'retry',
    reason: expect.stringMatching(/its certificate is signed by nobody.*NODE_EXTRA_CA_CERTS/),
  };
  expect(await handOver(Buffer.from('Subject: a\r\n\r\nb'), from, 'ann@example.com')).toEqual(told);
  const hosts = [{ name: 'localhost', port: null }];
  expect(
    await post(`https://localhost:${portOf(unknown)}/`, '{}', {}, { hosts, setting: 'CHATLEDGER_WEBHOOK_HOSTS' }),
  ).toEqual(told);
  const at = { id: 'a', base_url: `https://localhost:${portOf(unknown)}`, authorization: 'Basic x', region: 'dal' };
  const doctor = await accountFinding({ accounts: [{ id: 'other' }] } as never, at as SourceAccount);
  expect(doctor).toMatchObject({ is_well: false, words: expect.stringMatching(/^no secure connection to .*nobody/) });
  const error = await failureOf(unknown);
  expect(unanswered(error, 'https://chat.example.com').message).toMatch(
    /^no secure connection to https:\/\/chat\.example\.com \(DEPTH_ZERO_SELF_SIGNED_CERT\): its certificate is signed by nobody/,
  );
  expect(wordsOf(new TypeError('fetch failed', { cause: error }))).toMatch(/^no secure connection: its certificate is/);
});
