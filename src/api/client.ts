// The other end of a connection, as sessions and the audit name it.
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ApiDeps } from './deps.ts';

/** Of the network: who holds the other end of the connection, or of that of a trusted proxy. */
export const addressOf = (incoming: IncomingMessage, { proxies }: Pick<ApiDeps, 'proxies'>): string =>
  proxies?.clientOf(incoming) ?? incoming.socket.remoteAddress ?? 'unknown';

/** The same of what came in through the API. */
export function addressIn(c: Context, deps: Pick<ApiDeps, 'proxies'>): string {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  return incoming ? addressOf(incoming, deps) : 'unknown';
}

export const browserIn = (c: Context): string => (c.req.header('user-agent') ?? '').slice(0, 200);
