// Identifies the caller: API key, personal access token or access token of the right region, and the scopes it grants.
import { timingSafeEqual } from 'node:crypto';
import type { ServiceAccount } from './account.ts';
import { refuse } from './refusals.ts';
import { everyScope, findToken, regions } from './tokens.ts';

export interface ServiceCaller {
  /** Login of the agent. */
  agent: string;
  scopes: readonly string[];
}

/** The caller of a request. Throws 401 for nobody, 421 for a token that belongs to another region than the one asked. */
export function callerOf(account: ServiceAccount, headers: Headers): ServiceCaller {
  const [, scheme, credentials] = /^(\w+) +(\S.*)$/.exec(headers.get('authorization') ?? '') ?? [];
  const caller =
    scheme?.toLowerCase() === 'basic'
      ? byPassword(account, Buffer.from(credentials!, 'base64').toString('utf8'))
      : scheme?.toLowerCase() === 'bearer'
        ? byToken(account, credentials!.trim(), headers.get('x-region') ?? 'dal')
        : undefined;
  if (!caller || !account.staff.agents.some((agent) => agent.login === caller.agent)) throw refuse.unauthorized();
  return caller;
}

/** Throws 403 unless the caller has one of the scopes; an empty list admits every known caller. */
export function demand(caller: ServiceCaller, scopes: readonly string[]): void {
  if (!mayAsk(caller, scopes)) throw refuse.scope(scopes);
}

/** Whether the caller has one of the scopes, or none is asked. */
export const mayAsk = (caller: ServiceCaller, scopes: readonly string[]): boolean =>
  scopes.length === 0 || caller.scopes.includes(everyScope) || scopes.some((scope) => covers(caller.scopes, scope));

/** To read and write includes to read. */
function covers(owned: readonly string[], scope: string): boolean {
  return owned.includes(scope) || owned.includes(scope.replace(/:ro$/, ':rw'));
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

function byToken(account: ServiceAccount, token: string, asked: string): ServiceCaller | undefined {
  const region = regions.find((each) => token.startsWith(`${each}:`));
  if (!region) return undefined;
  if (region !== asked) throw refuse.region(region);
  const row = findToken(account.store, token, account.now());
  return row?.kind === 'oauth' ? { agent: row.agent, scopes: row.scopes } : undefined;
}

function isSame(secret: string, given: string): boolean {
  const [a, b] = [Buffer.from(secret), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
