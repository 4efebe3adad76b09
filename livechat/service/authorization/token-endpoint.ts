// The token endpoint: an authorization code or a refresh token becomes an access token; what is used twice ends the whole consent.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServiceAccount } from '../account.ts';
import { licenseOf } from '../license.ts';
import { everyScope, hashOf, mintToken, regionOf, secret, usualLifetime, type Region } from '../tokens.ts';
import { hasSecret, scopesIn } from './clients.ts';

/** A no of this endpoint, in the words of OAuth 2.1. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly code: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'unsupported_grant_type';

  constructor(code: OAuthRefusal['code'], description: string) {
    super(description);
    this.code = code;
  }
}

export type Parameters = Readonly<Record<string, string | undefined>>;

const refresh_seconds = 90 * 86_400;

interface Grant {
  agent: string;
  client_id: string;
  grant_id: string;
  /** What the agent agreed to. */
  scopes: string[];
}

/** The answer to a request for a token; `region` is that of the tokens for a code. */
export function tokenAnswer(account: ServiceAccount, asked: Parameters, region: Region): object {
  const client = clientOf(account, asked);
  // What must be withdrawn stays withdrawn although the answer is no: the refusal is thrown after the transaction.
  const answer = account.store.transact((): object | OAuthRefusal => {
    account.store.tokens.removeExpired(account.now());
    if (asked.grant_type === 'authorization_code') return byCode(account, asked, client, region);
    if (asked.grant_type === 'refresh_token') return byRefresh(account, asked, client);
    return new OAuthRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  });
  if (answer instanceof OAuthRefusal) throw answer;
  return answer;
}

/** Withdraws a token; of a refresh token all that came from the same consent. Unknown ones are none of the caller's business. */
export function revoke(account: ServiceAccount, asked: Parameters): void {
  const client_id = clientOf(account, asked);
  if (!asked.token) throw new OAuthRefusal('invalid_request', 'token is required');
  const { tokens } = account.store;
  const hash = hashOf(asked.token);
  const row = tokens.one(hash);
  if (row?.client_id !== client_id) return;
  account.store.transact(() => {
    if (row.kind === 'refresh' && row.grant_id !== null) tokens.removeGrant(row.grant_id);
    else tokens.remove(hash);
  });
}

/** The id of the client that asks. */
function clientOf({ store }: ServiceAccount, { client_id, client_secret }: Parameters): string {
  const client = client_id === undefined ? undefined : store.tokens.client(client_id);
  if (!client || !hasSecret(client, client_secret))
    throw new OAuthRefusal('invalid_client', 'no such client, or not its secret');
  return client.client_id;
}

function byCode(account: ServiceAccount, asked: Parameters, client_id: string, region: Region): object | OAuthRefusal {
  const { tokens } = account.store;
  const hash = hashOf(asked.code ?? '');
  const code = tokens.code(hash);
  const is_good =
    code?.client_id === client_id &&
    code.expires > account.now() &&
    (asked.redirect_uri === undefined || asked.redirect_uri === code.redirect_uri) &&
    isVerifier(asked.code_verifier ?? '', code.challenge);
  if (!code || !is_good)
    return new OAuthRefusal('invalid_grant', 'the code, its verifier or its redirect_uri is wrong or too old');
  if (tokens.useCode(hash)) return issued(account, code, code.scopes, region);
  tokens.removeGrant(code.grant_id);
  return new OAuthRefusal('invalid_grant', 'the code was used before: its tokens are withdrawn');
}

function byRefresh(account: ServiceAccount, asked: Parameters, client_id: string): object | OAuthRefusal {
  const { tokens } = account.store;
  const token = asked.refresh_token ?? '';
  const row = tokens.one(hashOf(token));
  const is_good = row?.kind === 'refresh' && row.client_id === client_id && (row.expires ?? Infinity) > account.now();
  if (!is_good || row.grant_id === null)
    return new OAuthRefusal('invalid_grant', 'the refresh token is wrong or too old');
  const scopes = scopesIn(asked.scope, row.scopes);
  if (!scopes) return new OAuthRefusal('invalid_scope', 'scope: the agent did not agree to one of them');
  const { grant_id, agent } = row;
  if (tokens.use(hashOf(token)))
    return issued(account, { ...row, agent, client_id, grant_id }, scopes, regionOf(token) ?? 'dal');
  tokens.removeGrant(grant_id);
  return new OAuthRefusal(
    'invalid_grant',
    'the refresh token was used before: all tokens of the consent are withdrawn',
  );
}

function issued({ store, now }: ServiceAccount, grant: Grant, scopes: string[], region: Region): object {
  const { agent, client_id, grant_id } = grant;
  const access = { agent, scopes, region, client_id, grant_id, seconds: usualLifetime };
  const access_token = mintToken(store, access, now());
  const refresh_token = `${region}:${secret()}`;
  const kept = { kind: 'refresh', agent, scopes: grant.scopes, expires: now() + refresh_seconds } as const;
  store.tokens.put(hashOf(refresh_token), { ...kept, client_id, grant_id });
  return {
    ...{ access_token, token_type: 'Bearer', expires_in: usualLifetime, refresh_token },
    ...{ scope: scopes.filter((scope) => scope !== everyScope).join(' '), entity_id: agent },
    ...licenseOf(store),
  };
}

function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const asked = Buffer.from(challenge);
  return made.length === asked.length && timingSafeEqual(made, asked);
}
