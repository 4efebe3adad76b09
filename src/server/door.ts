// Opens the one door: Hono under /api, the pages of the built app for everything else, on one port.
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { createApi } from '#api/app.ts';
import { isPublicLink } from '#api/digest-links.ts';
import type { Door } from '#api/door.ts';
import { build_handler } from './build.ts';
import { compress, type Handler } from './compress.ts';
import { Stopped } from './errors.ts';

/** Where the app finds the door when it renders a page on the server. */
interface Carrying extends IncomingMessage {
  chatledgerDoor?: { fetch: (request: Request) => Response | Promise<Response> };
}

const hosts = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** Under its public name it opens what links in mails name, and nothing else: there is no login yet. */
export function isWelcome(
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
  public_url?: string | null,
): boolean {
  const { host = '' } = headers;
  return hosts.test(host) || isPublicLink(public_url, host, url.split('?')[0] ?? '');
}

/** Listens; @throws Stopped when the port is in use. */
export async function openDoor(door: Door, host: string, port: number): Promise<Server> {
  const api = createApi(door);
  const answerApi = getRequestListener(api.fetch);
  const answerPage = await pageHandler();
  const server = createServer((request: Carrying, response) => {
    // A page of another name that resolves to this machine must not read the dashboards.
    if (!isWelcome(request, door.digests?.public_url))
      return refuse(response, 403, 'this server answers to 127.0.0.1 and localhost only');
    compress(request, response, () => answer(request, response));
  });
  const answer = (request: Carrying, response: ServerResponse): void => {
    const path = request.url ?? '/';
    if (path === '/api' || path.startsWith('/api/') || path.startsWith('/api?'))
      return void answerApi(request, response);
    request.chatledgerDoor = { fetch: (asked) => api.fetch(asked) };
    answerPage(request, response, () => refuse(response, 404, 'there is no such page'));
  };
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Stopped(`port ${port} on ${host} is in use: stop what listens there, or set CHATLEDGER_PORT`)
          : error,
      ),
    );
    server.listen(port, host, () => resolve(server));
  });
}

async function pageHandler(): Promise<Handler> {
  if (!existsSync(build_handler))
    throw new Stopped("the app is not built: run 'npm run build' (npm start does it by itself)");
  const { handler } = (await import(pathToFileURL(build_handler).href)) as { handler: Handler };
  return handler;
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}
