// `doctor oidc`: what is wrong with the configuration of single sign-on, in sentences.
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { readConfig, readEnvironment } from '#server/config.ts';
import { signOn } from '#server/sign-on-check.ts';
import { client, lyingProvider, realProvider } from '../access/identity-provider.ts';

const looked = async (env: Record<string, string>) =>
  (await signOn(readConfig(readEnvironment(env, tmpdir())))).map(({ is_well, words }) => `${is_well} ${words}`);

it('a provider that answers and knows the client is well, and the redirect address is told', async () => {
  const { issuer, close } = await realProvider('http://127.0.0.1:3000/api/sign-on/callback', {});
  try {
    const env = {
      ...{ CHATLEDGER_OIDC_ISSUER: issuer, CHATLEDGER_OIDC_CLIENT_ID: client.client_id },
      ...{ CHATLEDGER_OIDC_CLIENT_SECRET: client.client_secret, CHATLEDGER_OIDC_NEW_USERS: '@example.com' },
    };
    expect(await looked(env)).toEqual([
      `true ${issuer} answers; it must know the redirect address http://127.0.0.1:3000/api/sign-on/callback`,
      expect.stringMatching(/^true \d+ keys for ID tokens at /),
      'true it knows the client, and its secret where there is one',
    ]);
    const wrong = await looked({ ...env, CHATLEDGER_OIDC_CLIENT_SECRET: 'another' });
    expect(wrong.at(-1)).toMatch(/^false it refuses the client: .*CHATLEDGER_OIDC_CLIENT_SECRET/);
    expect((await looked({ ...env, CHATLEDGER_OIDC_CLIENT_ID: 'x' })).at(-1)).toMatch(/^false it refuses the client/);
    const nobody = await looked({ ...env, CHATLEDGER_OIDC_NEW_USERS: '', CHATLEDGER_PASSWORD_LOGIN: 'off' });
    expect(nobody.at(-1)).toMatch(/^false nobody becomes a user/);
  } finally {
    await close();
  }
});

it('one that does not answer, is none, or is somebody else is said to be', async () => {
  const env = (issuer: string) => ({ CHATLEDGER_OIDC_ISSUER: issuer, CHATLEDGER_OIDC_CLIENT_ID: 'c' });
  expect(await looked({})).toEqual([]);
  expect((await looked(env('http://127.0.0.1:1'))).join()).toMatch(/^false http:\/\/127\.0\.0\.1:1 cannot be used: /);
  const page = createServer((_, response) => response.end('<p>hello</p>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', () => resolve()));
  const lying = await lyingProvider();
  try {
    const address = page.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect((await looked(env(`http://127.0.0.1:${port}`))).join()).toContain('cannot be used');
    expect((await looked(env(`${lying.issuer.replace('127.0.0.1', 'localhost')}`))).join()).toContain('cannot be used');
    lying.isDown = true;
    expect((await looked(env(lying.issuer))).join()).toContain('cannot be used');
  } finally {
    await lying.close();
    page.close();
  }
});

it('an address that answers with an error is told with its status, and one without end is not read to it', async () => {
  const env = (issuer: string) => ({ CHATLEDGER_OIDC_ISSUER: issuer, CHATLEDGER_OIDC_CLIENT_ID: 'c' });
  let isDown = true;
  let isEndless = false;
  let sent = 0;
  const provider = createServer(({ url = '', headers: { host } }, response) => {
    const issuer = `http://${host}`;
    const about = { issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
    if (isEndless && url === '/keys')
      return void pipeline(function* () {
        for (const part = Buffer.alloc(1_000_000, ' '); sent < 64e6; sent += part.length) yield part;
        yield '{"keys":[{}]}';
      }, response).catch(() => undefined);
    if (isDown || !url.startsWith('/.well-known')) response.writeHead(isDown ? 503 : 404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(about));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', () => resolve()));
  const address = provider.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  try {
    expect((await looked(env(issuer))).join()).toMatch(/cannot be used: .*status code \(503\)$/);
    isDown = false;
    expect((await looked(env(issuer))).join()).toContain(
      `the keys at ${issuer}/keys cannot be read: the answer is 404`,
    );
    isEndless = true;
    expect((await looked(env(issuer))).join()).toContain(
      '/keys cannot be read: the answer to /keys is larger than 16 MB',
    );
    expect(sent).toBeLessThan(64e6);
  } finally {
    provider.close();
  }
});
