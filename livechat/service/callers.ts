// Identifies the caller: API key, personal access token or access token of the right region, and the scopes it grants.
import { timingSafeEqual } from 'node:crypto';
import type { ServiceAccount } from './account.ts';
import { licenseOf } from './license.ts';
import { refuse } from './refusals.ts';
import { everyScope, findToken, regionOf, type Region } from './tokens.ts';

export interface ServiceCaller {
  /** Login of the agent, or id of the bot whose token it is. */
  agent: string;
  scopes: readonly string[];
  /** The bot that acts: the one whose token it is, or that the agent named in X-Author-Id. */
  author_id?: string;
  /** The client that has the token. */
  client_id?: string;
}

interface CustomerCaller {
  /** A UUID of version 4. */
  customer_id: string;
  scopes: readonly string[];
  region: Region;
  client_id?: string;
}

/** The agent or bot of a request. Throws 401 for nobody, 421 for a token that belongs to another region than the one asked. */
export function callerOf(account: ServiceAccount, headers: Headers): ServiceCaller {
  const caller = identify(account, headers);
  const author_id = headers.get('x-author-id')?.trim();
  if (!author_id || author_id === caller.author_id) return caller;
  const bot = account.store.bots.one(author_id);
  const may_act = caller.author_id === undefined && (caller.client_id ?? bot?.owner_client_id) === bot?.owner_client_id;
  if (!bot || !may_act) throw refuse.v3('authorization', 'X-Author-Id: no bot that the token may act as');
  return { ...caller, author_id };
}

/** The agent of a request to an interface without bots. */
export function agentOf(account: ServiceAccount, headers: Headers): ServiceCaller {
  const caller = identify(account, headers);
  if (caller.author_id !== undefined) throw refuse.unauthorized();
  return caller;
}

/** The customer of a request to the Customer Chat API. */
export function customerCallerOf(account: ServiceAccount, headers: Headers, url: URL): CustomerCaller {
  demandLicense(account, url);
  const { scheme, credentials } = credentialsIn(headers);
  if (scheme !== 'bearer') throw refuse.v3('authentication', 'No Bearer token');
  const { kind, agent, scopes, client_id } = tokenOf(account, credentials, headers) ?? {};
  if (kind !== 'customer') throw refuse.v3('authentication', 'Invalid access token');
  const region = regionOf(credentials)!;
  return { customer_id: agent!, scopes: scopes!, region, ...(client_id != null && { client_id }) };
}

/** Each request to the Customer Chat API names the account, also one that needs no token. */
export function demandLicense({ store }: ServiceAccount, url: URL): void {
  const asked = url.searchParams.get('license_id');
  if (asked === null) throw refuse.v3('validation', '`license_id` is required in the query');
  if (!/^\d{1,15}$/.test(asked)) throw refuse.v3('validation', '`license_id` must be a whole number');
  if (Number(asked) !== licenseOf(store).license_id) throw refuse.v3('license_not_found');
}

/** Throws 403 unless the caller has one of the scopes; an empty list admits every known caller. */
export function demand(caller: Pick<ServiceCaller, 'scopes'>, scopes: readonly string[]): void {
  if (!mayAsk(caller, scopes)) throw refuse.scope(scopes);
}

/** Whether the caller has one of the scopes, or none is asked. */
export const mayAsk = (caller: Pick<ServiceCaller, 'scopes'>, scopes: readonly string[]): boolean =>
  scopes.length === 0 || caller.scopes.includes(everyScope) || scopes.some((scope) => covers(caller.scopes, scope));

/** To read and write includes to read. */
function covers(owned: readonly string[], scope: string): boolean {
  return owned.includes(scope) || owned.includes(scope.replace(/:ro$/, ':rw'));
}

function credentialsIn(headers: Headers): { scheme: string; credentials: string } {
  const [, scheme = '', credentials = ''] = /^(\w+) +(\S.*)$/.exec(headers.get('authorization') ?? '') ?? [];
  return { scheme: scheme.toLowerCase(), credentials: credentials.trim() };
}

function identify(account: ServiceAccount, headers: Headers): ServiceCaller {
  const { scheme, credentials } = credentialsIn(headers);
  const caller =
    scheme === 'basic'
      ? byPassword(account, Buffer.from(credentials, 'base64').toString('utf8'))
      : scheme === 'bearer'
        ? byToken(account, credentials, headers)
        : undefined;
  if (!caller) throw refuse.unauthorized();
  return caller;
}

function byPassword(account: ServiceAccount, pair: string): ServiceCaller | undefined {
  const colon = pair.indexOf(':');
  const login = pair.slice(0, colon);
  const password = pair.slice(colon + 1);
  const agent = account.staff.agents.find((each) => each.login === login);
  if (colon < 1 || password === '' || !agent) return undefined;
  if (isSame(agent.api_key, password)) return { agent: login, scopes: [everyScope] };
  const token = findToken(account.store, password, account.now());
  return token?.kind === 'personal' && token.agent === login ? { agent: login, scopes: token.scopes } : undefined;
}

function byToken(account: ServiceAccount, token: string, headers: Headers): ServiceCaller | undefined {
  const { kind, agent = '', scopes = [], client_id } = tokenOf(account, token, headers) ?? {};
  const known = { agent, scopes, ...(client_id != null && { client_id }) };
  if (kind === 'bot' && account.store.bots.one(agent)) return { ...known, author_id: agent };
  return kind === 'oauth' && account.staff.agents.some(({ login }) => login === agent) ? known : undefined;
}

/** The row of a token that is good in the region that the request addresses. */
function tokenOf({ store, now }: ServiceAccount, token: string, headers: Headers) {
  const region = regionOf(token);
  if (!region) return undefined;
  if (region !== (headers.get('x-region') ?? 'dal')) throw refuse.region(region);
  return findToken(store, token, now());
}

function isSame(secret: string, given: string): boolean {
  const [a, b] = [Buffer.from(secret), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
