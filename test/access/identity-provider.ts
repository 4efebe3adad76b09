// Identity providers for tests: a real one, and one that lies as it is told.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';
import Provider from 'oidc-provider';

export interface IdentityProvider {
  issuer: string;
  close(): Promise<void>;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
const closing = (server: Server) => (): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export const client = { client_id: 'chatledger', client_secret: 'a secret of the client' };

/** A certified one, in which whoever comes is the account that the hint of the address names. */
export async function realProvider(
  redirect_uri: string,
  accounts: Readonly<Record<string, Record<string, unknown>>>,
): Promise<IdentityProvider> {
  const server = createServer();
  await listening(server);
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  const provider = new Provider(issuer, {
    clients: [
      { ...client, redirect_uris: [redirect_uri], response_types: ['code'], grant_types: ['authorization_code'] },
    ],
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => {
      const found = accounts[id];
      return found && { accountId: id, claims: () => ({ sub: id, ...found }) };
    },
  });
  server.on('request', provider.callback());
  return { issuer, close: closing(server) };
}

/** Goes through the pages of the real one as a browser would, as `login`. The address that it sends the browser back to. */
export async function throughPages(url: string, login: string, back: string): Promise<URL> {
  const jar = new Map<string, string>();
  let [next, form]: [string, Record<string, string> | undefined] = [url, undefined];
  for (let step = 0; step < 20; step += 1) {
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    form = undefined;
    const location = answer.headers.get('location');
    if (location) {
      next = new URL(location, next).href;
      if (next.startsWith(back)) return new URL(next);
      continue;
    }
    const page: string = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`the provider shows a page without a form: ${page.slice(0, 500)}`);
    next = new URL(action, next).href;
    const prompt: string = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? '';
    form = prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
  }
  throw new Error('the provider leads round in circles');
}

export interface Lie {
  /** In place of the claims that are right. */
  claims?: JWTPayload;
  /** Claims that are left out. */
  without?: string[];
  /** With a key that nobody publishes. */
  isForged?: boolean;
  isUnsigned?: boolean;
  hasNoToken?: boolean;
}

export interface LyingProvider extends IdentityProvider {
  /** What the next token says. */
  next: Lie;
  /** Takes another key into use. */
  rotate(): Promise<void>;
  /** Takes the way to it: the address that it sends the browser back to. */
  through(url: string): URL;
  isDown: boolean;
}

export async function lyingProvider(): Promise<LyingProvider> {
  const server = createServer();
  await listening(server);
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  const made = async (kid: string) => ({ kid, ...(await generateKeyPair('RS256', { extractable: true })) });
  let count = 1;
  let key = await made('1');
  const forged: CryptoKey = (await generateKeyPair('RS256')).privateKey;
  let nonce = '';

  async function idToken({ claims = {}, without = [], isForged, isUnsigned }: Lie): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: client.client_id, sub: 'u1', nonce, iat: now, exp: now + 300 };
    const said = Object.fromEntries(
      Object.entries({ ...right, ...claims }).filter(([name]) => !without.includes(name)),
    );
    if (isUnsigned) return new UnsecuredJWT(said).encode();
    return new SignJWT(said)
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .sign(isForged ? forged : key.privateKey);
  }

  const provider: LyingProvider = {
    ...{ issuer, next: {}, isDown: false, close: closing(server) },
    async rotate() {
      key = await made(String((count += 1)));
    },
    through(url) {
      const asked = new URL(url).searchParams;
      nonce = asked.get('nonce') ?? '';
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'one', state: asked.get('state') ?? '', iss: issuer }).toString();
      return back;
    },
  };
  const answers: Record<string, () => Promise<unknown>> = {
    '/.well-known/openid-configuration': () =>
      Promise.resolve({
        ...{ issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` },
        ...{ authorization_endpoint: `${issuer}/authorize`, id_token_signing_alg_values_supported: ['RS256'] },
        ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
        authorization_response_iss_parameter_supported: true,
      }),
    '/keys': async () => ({ keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid, alg: 'RS256', use: 'sig' }] }),
    '/token': async () => ({
      ...{ access_token: 'a', token_type: 'Bearer' },
      ...(provider.next.hasNoToken ? {} : { id_token: await idToken(provider.next) }),
    }),
  };
  server.on('request', (request, response) => {
    const answer = answers[request.url ?? ''];
    if (provider.isDown || !answer) return void response.writeHead(503).end();
    void answer().then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return provider;
}
