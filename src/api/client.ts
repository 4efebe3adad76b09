// The other end of a connection, as sessions and the audit name it.
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ApiDeps } from './deps.ts';

/** IP address of the client: the peer of the connection, or of a trusted proxy's connection. */
export const addressOf = (incoming: IncomingMessage, { proxies }: Pick<ApiDeps, 'proxies'>): string =>
  proxies?.clientOf(incoming) ?? incoming.socket.remoteAddress ?? 'unknown';

/** The same for a request to the API. */
export function addressIn(c: Context, deps: Pick<ApiDeps, 'proxies'>): string {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  return incoming ? addressOf(incoming, deps) : 'unknown';
}

export const browserIn = (c: Context): string => (c.req.header('user-agent') ?? '').slice(0, 200);
