// Who may come through the door: hosts, origins and tokens.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { isPublicLink } from './digest-links.ts';
import type { Door } from './door.ts';
import { Declined } from './errors.ts';

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that says nothing about the texts. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Refuses other sites' pages, and names of this machine that are not its own (DNS rebinding). */
export const guardOrigin =
  (door: Door): MiddlewareHandler =>
  async (c, next) => {
    const host = hostOf(c);
    // A link in a mail is opened from a mailbox, which is another site; its token is the right to open it.
    if (isPublicLink(door.digests?.public_url, host, c.req.path)) return next();
    if (door.loopback && !loopbackHosts.includes(host.replace(/:\d+$/, '').toLowerCase()))
      throw new Declined('forbidden', `this server answers as ${loopbackHosts.join(', ')} only, not as ${host}`);
    const origin = c.req.header('origin');
    const isForeign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
    if (isForeign || c.req.header('sec-fetch-site') === 'cross-site')
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
  (door: Door): MiddlewareHandler =>
  async (c, next) => {
    const header = c.req.header('authorization');
    if (header === undefined) {
      if (!door.loopback) throw new Declined('unauthorized', 'send Authorization: Bearer <token>');
      return next();
    }
    const token = presented(header);
    if (token === undefined || door.token === null || !isEqual(token, door.token))
      throw new Declined('unauthorized', 'the token is wrong');
    await next();
  };
