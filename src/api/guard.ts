// Access control: hosts, origins, sessions, tokens, and the right that each endpoint requires.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import { actingAs, type PlacedActor } from '#auth/actor.ts';
import { callback_path } from '#auth/auth.ts';
import { callerUnder, isTaken, localCaller, type Caller } from '#auth/caller.ts';
import { rightNames, type Right } from '#auth/rights.ts';
import { allFigures } from '#warehouse/query/agent-figures.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { addressIn } from './client.ts';
import { contract } from './contract/contract.ts';
import type { Endpoint } from './contract/endpoint.ts';
import type { ApiDeps, TrustedProxies } from './deps.ts';
import { pulledElsewhere } from './context.ts';
import { Declined } from './errors.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Who sends the request; null where nobody has signed in who has to. */
    caller: Caller | null;
    /** Description of a change for the audit, where the address does not contain it. */
    changed?: string;
  }
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Whether a page of another origin than `own` asks; programs that are no browser say nothing of it. */
export function isFromElsewhere(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  own: string,
): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== (URL.canParse(own) ? new URL(own).origin : null)) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Whether a host is the public one, in whatever spelling: the port of https may be said. */
export function isPublicName(host: string | undefined, { url }: Pick<TrustedProxies, 'url'>): boolean {
  const address = `${url.protocol}//${host}`;
  return host !== undefined && URL.canParse(address) && new URL(address).origin === url.origin;
}

/** Refuses other sites' pages, and names of this machine that are not its own (DNS rebinding). */
export const guardOrigin =
  (deps: ApiDeps): MiddlewareHandler =>
  async (c, next) => {
    const host = hostOf(c);
    const isPublic = deps.proxies !== undefined && isPublicName(host, deps.proxies);
    if (deps.loopback && !isPublic && !loopbackHosts.includes(host.replace(/:\d+$/, '').toLowerCase()))
      throw new Declined('forbidden', `this server answers as ${loopbackHosts.join(', ')} only, not as ${host}`);
    // The identity provider redirects browsers here; their flow cookie proves that they started the sign-in.
    const isCallback = c.req.method === 'GET' && c.req.path === callback_path;
    const own = isPublic ? deps.proxies?.url.origin : `${new URL(c.req.url).protocol}//${host}`;
    if (!isCallback && isFromElsewhere(c.req.header(), own ?? ''))
      throw new Declined('forbidden', 'requests from pages of other sites are not answered');
    await next();
  };

/** The token in an Authorization header: Bearer, or Basic with the token as password. */
function presented(header: string): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (basic === undefined) return undefined;
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : undefined;
}

export const presetReader: Reader = { id: 'api-token' };
/** The holder of CHATLEDGER_API_TOKEN. */
const presetCaller: Caller = {
  ...{ reader: presetReader, role: 'admin', rights: new Set(rightNames), user: null },
  actor: { who: 'CHATLEDGER_API_TOKEN', user: null },
};

/** The parts of a request that identify its sender. */
interface ShownCredentials {
  authorization?: string | undefined;
  cookie?: string | undefined;
}

/** Who asks, with every right of theirs, as `callerOf` finds them out. */
async function knownCaller({ auth, token, loopback }: ApiDeps, shown: ShownCredentials): Promise<Caller | null> {
  const { authorization, cookie = '' } = shown;
  if (authorization !== undefined) {
    const sent = presented(authorization);
    if (sent !== undefined && token !== null && isEqual(sent, token)) return presetCaller;
    const caller = sent === undefined ? null : (auth.byToken(sent) ?? auth.byShare(sent));
    if (!caller) throw new Declined('unauthorized', 'the token is wrong, revoked or expired');
    return caller;
  }
  if (auth.isLoginRequired()) return auth.sessions.bySession(cookie);
  return loopback ? localCaller : null;
}

/**
 * Without a header or session: on loopback, as long as there are no users, the owner of the machine. The agreement on figures of single
 * agents applies to everybody. Errors: Declined.
 */
export async function callerOf(deps: ApiDeps, shown: ShownCredentials): Promise<Caller | null> {
  const caller = await knownCaller(deps, shown);
  return caller && callerHere(deps, caller);
}

/** Rights to what is only where accounts are pulled. */
const ofFolders: ReadonlySet<Right> = new Set(['files', 'erase']);

/** A caller with the rights that can be used here. */
export function callerHere({ agentFigures = allFigures, readsAll }: ApiDeps, caller: Caller): Caller {
  const agreed = callerUnder(agentFigures, caller);
  if (!readsAll) return agreed;
  return { ...agreed, rights: new Set([...agreed.rights].filter((right) => !ofFolders.has(right))) };
}

/** Why a caller may not do something. */
function refusalOf(needs: Right, { agentFigures = allFigures, readsAll }: ApiDeps): string {
  if (readsAll && ofFolders.has(needs)) return `${pulledElsewhere}: this is done where they are pulled`;
  const refusal = `you may not do this: it needs the right ${needs}`;
  return isTaken(agentFigures, needs)
    ? `${refusal}, which is taken away while figures of single agents are limited (CHATLEDGER_AGENT_FIGURES)`
    : refusal;
}

export const shownIn = (c: Context): ShownCredentials => ({
  authorization: c.req.header('authorization'),
  cookie: c.req.header('cookie'),
});

interface Matched {
  path: RegExp;
  endpoint: Endpoint;
}

const documents: readonly Endpoint[] = (['/openapi.json', '/docs'] as const).map((path) => ({
  ...{ method: 'get', path, needs: 'nothing', summary: 'What can be asked', answers: {}, refusals: {} },
}));

const matched: readonly Matched[] = [...contract, ...documents]
  .map((endpoint) => {
    const literal = endpoint.path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    // `/v2` is another way to ask for the same reports.
    const known = literal.replaceAll(/\{\w+\}/g, '[^/]+').replace(/^\/reports\//, '/(?:v2/)?reports/');
    return { path: new RegExp(`^/api${known}$`), endpoint };
  })
  // Of several matches, the more specific path applies: `/metrics/{id}.csv` before `/metrics/{id}`.
  .sort((one, other) => literalOf(other.endpoint) - literalOf(one.endpoint));

function literalOf({ path }: Endpoint): number {
  return path.replaceAll(/\{\w+\}/g, '').length;
}

/** Each request asks several times; addresses are as many as readers think up. */
const lately = new LRUCache<string, { endpoint: Endpoint | undefined }>({ max: 1000 });

/** The endpoint at an address, or undefined. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  const asked = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  const key = `${asked} ${path}`;
  const known = lately.get(key);
  if (known) return known.endpoint;
  const endpoint = matched.find((each) => each.endpoint.method === asked && each.path.test(path))?.endpoint;
  // A path that is longer than any endpoint's would only take room.
  if (key.length < 200) lately.set(key, { endpoint });
  return endpoint;
}

/** The methods that an address takes. */
export const methodsAt = (path: string): string[] => [
  ...new Set(
    matched.flatMap(({ path: pattern, endpoint }) => (pattern.test(path) ? [endpoint.method.toUpperCase()] : [])),
  ),
];

/** The right that an address needs; undefined: no endpoint. A test verifies that all matching endpoints need the same one. */
export const neededAt = (method: string, path: string): Endpoint['needs'] | undefined =>
  endpointAt(method, path)?.needs;

/** Who sends the request, for the audit. */
export const actorIn = (deps: ApiDeps, c: Context): PlacedActor => ({
  ...(c.get('caller')?.actor ?? { who: 'nobody', user: null }),
  address: addressIn(c, deps),
});

/** What a user must do before anything else. */
const owed = {
  password: 'choose a password of your own first: the one that you were given only lets you in',
  second_factor: 'turn your second factor on first: nobody comes in here without one',
} as const;
/** A shared link opens its page, and nobody but who has it opens that. Errors: Declined. */
function assertOpened(isShare: boolean, needs: Endpoint['needs'] | undefined): void {
  if (!isShare)
    throw new Declined('unauthorized', 'the link is wrong, revoked or expired: ask whoever sent it for another');
  if (needs !== 'share') throw new Declined('forbidden', 'a shared link opens its page and nothing else');
}

/** Identifies the caller and rejects what they may not do. Addresses without an endpoint are not checked further. */
export const guardCaller =
  (deps: ApiDeps): MiddlewareHandler =>
  async (c, next) => {
    const needs = neededAt(c.req.method, c.req.path);
    const found = await callerOf(deps, shownIn(c)).catch((error: unknown) => {
      if ((needs === 'nothing' || needs === 'share') && error instanceof Declined) return null;
      throw error;
    });
    const isShare = found?.share !== undefined;
    const caller = isShare && needs === 'nothing' ? null : found;
    c.set('caller', caller);
    if (needs === 'share' || (isShare && needs !== 'nothing')) assertOpened(isShare, needs);
    else if (needs !== 'nothing') {
      if (!caller) throw new Declined('unauthorized', 'sign in, or send Authorization: Bearer <token>');
      if (caller.owes && needs !== 'sign_in') throw new Declined('forbidden', owed[caller.owes]);
      if (needs !== undefined && needs !== 'sign_in' && !caller.rights.has(needs))
        throw new Declined('forbidden', refusalOf(needs, deps));
    }
    await actingAs(actorIn(deps, c), next);
  };
