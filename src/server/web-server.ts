// The web server: Hono under /api, the pages of the built app for everything else, on one port; links in mails on another.
import { existsSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createApi } from '#api/app.ts';
import { createLinks, digestLinks } from '#api/digest-links.ts';
import type { ApiDeps } from '#api/deps.ts';
import { requestId } from '#api/request-id.ts';
import { protectShared } from './answer-headers.ts';
import { build_handler } from './build.ts';
import { compress, type NodeHandler } from './compress.ts';
import { Stopped } from './errors.ts';
import { createHttp, listen, refuse, type Limits } from './http.ts';
import { watchIdle } from './idle.ts';
import { ownTurn } from './one-at-a-time.ts';
import { pageWaitFor } from './page-wait.ts';
import { refusedPages } from './refused-pages.ts';
import type { BufferedRequest } from './request-body.ts';
import { outlive } from './request-scope.ts';
import { traceId } from './tracing/current.ts';
import { tracedRequest } from './traced-request.ts';
import { isApi, isProbe, isProxied, objectionTo, objectionToLink, pathOf, shared_path } from './admission.ts';

/** Where the app finds the API when it renders a page on the server. */
interface Carrying extends BufferedRequest {
  chatledgerApi?: { fetch: (request: Request) => Response | Promise<Response> };
  chatledgerWait?: () => number | null;
  chatledgerFailed?: (error: unknown) => void;
}

/**
 * Starts listening; the port of links is opened only with a public address, and closes with the other one. @throws Stopped if a port is
 * in use.
 */
export async function openWebServer(
  deps: ApiDeps,
  host: string,
  port: number,
  public_port: number | null = null,
): Promise<Server> {
  const server = await listen(webServer(deps, await pageHandler()), host, port, 'CHATLEDGER_PORT');
  const public_url = deps.digests?.public_url;
  if (public_port === null || !public_url) return server;
  try {
    const links = await listen(linksServer(deps, public_url), host, public_port, 'CHATLEDGER_PUBLIC_PORT');
    server.once('close', () => {
      links.close();
      links.closeAllConnections();
    });
  } catch (error) {
    server.close();
    throw error;
  }
  return server;
}

/** Dashboards and API. */
export function webServer(deps: ApiDeps, answerPage: NodeHandler, limits?: Limits): Server {
  const api = createApi(deps);
  const { proxies, embedders = [] } = deps;
  const door = { isLoginRequired: () => deps.auth.isLoginRequired(), proxies, embedders };
  const answerApi = getRequestListener(api.fetch);
  const idle = watchIdle();
  const watchRefusal = refusedPages(deps);
  // A page is drawn at once when its last answer is there: several of them must not be drawn in one go.
  const inOwnTurn = async (asked: Request, incoming: HttpBindings['incoming']): Promise<Response> => {
    const answer = await outlive(Promise.resolve(api.fetch(asked, { incoming })));
    await ownTurn();
    return answer;
  };
  const answer = (request: Carrying, response: ServerResponse): void => {
    if (isProxied(request, proxies) && proxies.url.protocol === 'https:')
      response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
    if (deps.answered) timed(request, response, deps.answered);
    if (!isProbe(pathOf(request))) idle.busy();
    if (isApi(pathOf(request))) return void answerApi(request, response);
    if (pathOf(request) === shared_path) protectShared(response, embedders);
    watchRefusal(request, response);
    request.chatledgerFailed = (error) => deps.log?.(error);
    request.chatledgerWait = () => pageWaitFor(deps.publishedChats());
    request.chatledgerApi = { fetch: (asked) => inOwnTurn(asked, request) };
    answerPage(request, response, () => refuse(request, response, ['not_found', 'there is no such page']));
  };
  const server = createHttp(
    (request) => objectionTo(request, door),
    (request, response) =>
      tracedRequest(request, response, () => compress(request, response, () => answer(request, response))),
    limits,
  );
  return server.once('close', () => idle.stop());
}

function timed(request: Carrying, response: ServerResponse, answered: NonNullable<ApiDeps['answered']>): void {
  const began = performance.now();
  const [request_id, trace_id] = [requestId(), traceId()];
  response.setMaxListeners(response.getMaxListeners() + 1);
  response.once('close', () =>
    answered({
      ...{ method: request.method ?? 'GET', path: pathOf(request), status: response.statusCode, request_id, trace_id },
      seconds: (performance.now() - began) / 1000,
    }),
  );
}

/** Serves only links from mails, so that a proxy may expose it. */
export function linksServer(deps: ApiDeps, public_url: string): Server {
  const answerLink = getRequestListener(createLinks(deps).fetch);
  const folder = new URL(public_url).pathname.replace(/\/+$/, '');
  return createHttp(
    (request) => objectionToLink(request, public_url),
    (request, response) => {
      const { url = '/' } = request;
      // A proxy may hand on the folder of the public address or leave it out.
      if (folder !== '' && url.startsWith(`${folder}/`)) request.url = url.slice(folder.length);
      if (digestLinks.test(pathOf(request))) return void answerLink(request, response);
      refuse(request, response, ['not_found', 'here are the links in mails and nothing else']);
    },
  );
}

async function pageHandler(): Promise<NodeHandler> {
  if (!existsSync(build_handler))
    throw new Stopped("the app is not built: run 'npm run build' (npm start does it by itself)");
  const { handler } = (await import(pathToFileURL(build_handler).href)) as { handler: NodeHandler };
  return handler;
}
