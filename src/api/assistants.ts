// The tools of assistants over HTTP: each of their questions goes through this API again, as the caller.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context, Hono } from 'hono';
import { assistantServer } from './assistant-tools/server.ts';
import type { AskApi } from './assistant-tools/asking.ts';
import { callAssistantTools } from './contract/assistants.ts';
import type { ApiDeps } from './deps.ts';

/** What says who asks, and from where. */
const carried = ['authorization', 'cookie', 'host', 'user-agent', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto'];

function askingAs(app: Hono, c: Context): AskApi {
  return async (path, body) => {
    const headers = new Headers();
    for (const name of carried) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    if (body !== undefined) headers.set('content-type', 'application/json');
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return app.request(new URL(`/api${path}`, c.req.url).href, { headers, ...sent }, c.env as object);
  };
}

/** Whoever sent a request that is none has been answered so: it is no fault of the program. */
const isRefusal = ({ message }: Error): boolean => message.startsWith('Rejected inbound request');

export function addAssistants(app: Hono, deps: ApiDeps): void {
  app.post(callAssistantTools.path, async (c) => {
    c.header('cache-control', 'no-store');
    const handler = createMcpHandler(
      () =>
        assistantServer({
          ask: askingAs(app, c),
          origin: deps.proxies?.url.href.replace(/\/+$/, '') ?? new URL(c.req.url).origin,
          version: deps.version,
          rights: c.get('caller')?.rights ?? new Set(),
        }),
      {
        maxSubscriptions: 0,
        maxRequestBodySize: most_bytes,
        onerror: (error) => void (isRefusal(error) || deps.log?.(error)),
      },
    );
    return handler.fetch(c.req.raw);
  });
}

const most_bytes = 64 * 1024;
