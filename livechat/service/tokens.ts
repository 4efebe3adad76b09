// Access tokens and personal access tokens: created here, shown once, stored only as a hash.
import { createHash, randomBytes } from 'node:crypto';
import type { ChatStore, TokenRow } from './store.ts';

/** Data centers; the region is the prefix of an access token. */
export const regions = ['dal', 'fra'] as const;
type Region = (typeof regions)[number];

interface TokenWish {
  /** Login of the agent on whose behalf the token acts. */
  agent: string;
  /** Scopes as the seed names them, or everything. */
  scopes: readonly string[] | 'all';
  /** Lifetime; without it the token never expires. */
  days?: number;
  region?: Region;
}

/** Stands for every scope. */
export const everyScope = '*';

/** Makes an OAuth access token, `dal:…` or `fra:…`. `now` is Unix seconds. */
export function mintToken(
  store: ChatStore,
  { agent, scopes, days, region = 'dal' }: TokenWish,
  now = seconds(),
): string {
  const token = `${region}:${randomBytes(24).toString('base64url')}`;
  const expires = days === undefined ? null : now + days * 86_400;
  store.putToken(hashOf(token), {
    kind: 'oauth',
    agent,
    scopes: scopes === 'all' ? [everyScope] : [...scopes],
    expires,
  });
  return token;
}

/** Makes a personal access token of an agent: the password of Basic authentication, good for everything. */
export function mintPersonalToken(store: ChatStore, agent: string): string {
  const token = randomBytes(24).toString('base64url');
  store.putToken(hashOf(token), { kind: 'personal', agent, scopes: [everyScope], expires: null });
  return token;
}

/** The row of a token that is still good, or undefined. */
export function findToken(store: ChatStore, token: string, now: number): TokenRow | undefined {
  const row = store.token(hashOf(token));
  return row && (row.expires === null || row.expires > now) ? row : undefined;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
