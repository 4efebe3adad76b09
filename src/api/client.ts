// The other end of a connection, as sessions and the audit name it.
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ApiDeps } from './deps.ts';

/** Of the network: who holds the other end of the connection, or of that of a trusted proxy. */
export function addressIn(c: Context, { proxies }: Pick<ApiDeps, 'proxies'>): string {
  const incoming = (c.env as Partial<HttpBindings> | undefined)?.incoming;
  if (!incoming) return 'unknown';
  return proxies?.clientOf(incoming) ?? incoming.socket.remoteAddress ?? 'unknown';
}

export const browserIn = (c: Context): string => (c.req.header('user-agent') ?? '').slice(0, 200);
