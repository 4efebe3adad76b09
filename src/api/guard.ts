// Who may come through the deps: hosts, origins and tokens.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';

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

/** Refuses other sites' pages, and names of this machine that are not its own (DNS rebinding). */
export const guardOrigin =
  (deps: ApiDeps): MiddlewareHandler =>
  async (c, next) => {
    const host = hostOf(c);
    if (deps.loopback && !loopbackHosts.includes(host.replace(/:\d+$/, '').toLowerCase()))
      throw new Declined('forbidden', `this server answers as ${loopbackHosts.join(', ')} only, not as ${host}`);
    if (isFromElsewhere(c.req.header(), `${new URL(c.req.url).protocol}//${host}`))
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

/** Until there is a login: without a header the one local user on loopback, with one the preset token. */
export const guardCaller =
  (deps: ApiDeps): MiddlewareHandler =>
  async (c, next) => {
    const header = c.req.header('authorization');
    if (header === undefined) {
      if (!deps.loopback) throw new Declined('unauthorized', 'send Authorization: Bearer <token>');
      return next();
    }
    const token = presented(header);
    if (token === undefined || deps.token === null || !isEqual(token, deps.token))
      throw new Declined('unauthorized', 'the token is wrong');
    await next();
  };
