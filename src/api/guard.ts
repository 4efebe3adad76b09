// Who may come in, and to what: hosts, origins, sessions, tokens, and the right that each endpoint needs.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { localCaller, type Caller } from '#auth/caller.ts';
import { rightNames } from '#auth/rights.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { contract } from './contract/contract.ts';
import type { Endpoint } from './contract/endpoint.ts';
import type { ApiDeps, TrustedProxies } from './deps.ts';
import { Declined } from './errors.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** Who sends the request; null where nobody has signed in who has to. */
    caller: Caller | null;
  }
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that says nothing about the texts. */
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
    const own = isPublic ? deps.proxies?.url.origin : `${new URL(c.req.url).protocol}//${host}`;
    if (isFromElsewhere(c.req.header(), own ?? ''))
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
/** Whoever sends CHATLEDGER_API_TOKEN. */
const presetCaller: Caller = { reader: presetReader, rights: new Set(rightNames), user: null };

/** Without a header or a session: on loopback, while there is no user, the owner of the machine. Errors: Declined. */
export async function callerOf({ auth, token, loopback }: ApiDeps, c: Context): Promise<Caller | null> {
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const sent = presented(header);
    if (sent !== undefined && token !== null && isEqual(sent, token)) return presetCaller;
    const caller = sent === undefined ? null : auth.byToken(sent);
    if (!caller) throw new Declined('unauthorized', 'the token is wrong, revoked or expired');
    return caller;
  }
  if (auth.isClosed()) return auth.bySession(c.req.header('cookie') ?? '');
  return loopback ? localCaller : null;
}

interface Matched {
  method: string;
  path: RegExp;
  needs: Endpoint['needs'];
}

const matched: readonly Matched[] = [
  ...contract,
  ...(['/openapi.json', '/docs'] as const).map((path) => ({ method: 'get', path, needs: 'nothing' as const })),
].map(({ method, path, needs }) => {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  // `/v2` is another way to ask for the same reports.
  const known = literal.replaceAll(/\{\w+\}/g, '[^/]+').replace(/^\/reports\//, '/(?:v2/)?reports/');
  return { method: method.toUpperCase(), path: new RegExp(`^/api${known}$`), needs };
});

/** What an address needs; undefined: there is nothing at it. Of several that fit all must be the same; a test holds them to it. */
export function neededAt(method: string, path: string): Endpoint['needs'] | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  return matched.find((one) => one.method === asked && one.path.test(path))?.needs;
}

/** Finds out who asks, and refuses what they may not ask. An address that no endpoint has is not looked at any further. */
export const guardCaller =
  (deps: ApiDeps): MiddlewareHandler =>
  async (c, next) => {
    const needs = neededAt(c.req.method, c.req.path);
    const caller = await callerOf(deps, c).catch((error: unknown) => {
      if (needs === 'nothing' && error instanceof Declined) return null;
      throw error;
    });
    c.set('caller', caller);
    if (needs !== 'nothing') {
      if (!caller) throw new Declined('unauthorized', 'sign in, or send Authorization: Bearer <token>');
      if (needs !== undefined && needs !== 'sign_in' && !caller.rights.has(needs))
        throw new Declined('forbidden', `you may not do this: it needs the right ${needs}`);
    }
    await next();
  };
