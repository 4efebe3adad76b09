// Access tokens and personal access tokens: created here, shown once, stored only as a hash.
import { createHash, randomBytes } from 'node:crypto';
import type { ChatStore } from './store.ts';
import type { TokenRow } from './token-tables.ts';

/** Data centers; the region is the prefix of an access token. */
export const regions = ['dal', 'fra'] as const;
export type Region = (typeof regions)[number];

interface TokenWish {
  /** Of an agent, a bot or a customer. */
  kind?: 'oauth' | 'bot' | 'customer';
  /** Login of the agent on whose behalf the token acts, or id of the bot or customer. */
  agent: string;
  /** Scopes as the seed names them, or everything. */
  scopes: readonly string[] | 'all';
  /** Lifetime in seconds; without it the token never expires. */
  seconds?: number;
  region?: Region;
  /** The client that it is given to. */
  client_id?: string;
  /** The consent that it comes from. */
  grant_id?: string;
}

/** Stands for every scope. */
export const everyScope = '*';
/** Lifetime of access tokens that are given out over HTTP, in seconds. */
export const usualLifetime = 28_800;

/** Makes an access token, `dal:…` or `fra:…`. `now` is Unix seconds. */
export function mintToken(store: ChatStore, wish: TokenWish, now = currentSeconds()): string {
  const { kind = 'oauth', agent, scopes, seconds, region = 'dal', client_id = null, grant_id = null } = wish;
  const token = `${region}:${secret()}`;
  const expires = seconds === undefined ? null : now + seconds;
  const granted = scopes === 'all' ? [everyScope] : [...scopes];
  store.tokens.put(hashOf(token), { kind, agent, scopes: granted, expires, client_id, grant_id });
  return token;
}

/** Makes a personal access token of an agent: the password of Basic authentication, good for everything. */
export function mintPersonalToken(store: ChatStore, agent: string): string {
  const token = secret();
  const row = {
    kind: 'personal',
    agent,
    scopes: [everyScope],
    expires: null,
    client_id: null,
    grant_id: null,
  } as const;
  store.tokens.put(hashOf(token), { ...row, scopes: [...row.scopes] });
  return token;
}

/** The row of a token that is still good, or undefined. */
export function findToken(store: ChatStore, token: string, now: number): TokenRow | undefined {
  const row = store.tokens.one(hashOf(token));
  return row && (row.expires === null || row.expires > now) ? row : undefined;
}

export const regionOf = (token: string): Region | undefined => regions.find((each) => token.startsWith(`${each}:`));

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Cannot be guessed. */
export const secret = (): string => randomBytes(24).toString('base64url');

function currentSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
