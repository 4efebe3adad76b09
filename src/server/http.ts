// An HTTP server that slow clients cannot block: limits the size and arrival time of requests, and answers those that exceed them.
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { written, type Objection } from '#api/errors.ts';
import { asRequest, chosenId, request_id_header } from '#api/request-id.ts';
import { protect, standing } from './answer-headers.ts';
import { cannotListen } from './errors.ts';
import { openScope } from './request-scope.ts';
import { hasBody, isAnnouncedTooLong, most_bytes, takeBody, type BufferedRequest } from './request-body.ts';
import type { SettingName } from './settings.ts';
import { isApi, malformed, pathOf } from './admission.ts';

export interface Limits {
  /** From the first byte of a connection or request to the end of its headers, and to the end of its body. */
  head_ms: number;
  request_ms: number;
  /** How long a connection stays without a request. */
  idle_ms: number;
  /** How long an answer waits for a reader who takes nothing of it. */
  unread_ms: number;
  /** Maximum number of connections; further ones are closed at once. */
  connections: number;
}

const limits: Limits = { head_ms: 15_000, request_ms: 30_000, idle_ms: 30_000, unread_ms: 60_000, connections: 1000 };

/** Time for a refused sender to read the reason before the connection is closed. */
const linger_ms = 500;

type RequestHandler = (request: BufferedRequest, response: ServerResponse) => void;

/** `objection` checks the headers of a request; `answer` gets the admitted ones, with their bodies buffered. */
export function createHttp(
  objection: (request: IncomingMessage) => Objection | undefined,
  answer: RequestHandler,
  { head_ms, request_ms, idle_ms, unread_ms, connections }: Limits = limits,
): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: head_ms,
    requestTimeout: request_ms,
    keepAliveTimeout: idle_ms,
    connectionsCheckingInterval: Math.min(2000, head_ms),
  });
  // TRICKY: Node drops the headers beyond a number without a word, and one of them may be the one that must be seen.
  server.maxHeadersCount = 0;
  server.maxRequestsPerSocket = 1000;
  server.maxConnections = connections;
  const answering = new WeakMap<Socket, number>();
  // TRICKY: with a listener Node closes no idle connection by itself, and without one it would cut off answers that take long to make.
  server.setTimeout(unread_ms, (socket: Socket) => {
    if (socket.writableLength > 0 || (answering.get(socket) ?? 0) === 0) socket.destroy();
  });
  const named = (request: BufferedRequest, response: ServerResponse, work: typeof come): void => {
    const id = chosenId(request.headers[request_id_header], randomUUID);
    response.setHeader(request_id_header, id);
    request.headers[request_id_header] = id;
    asRequest(id, () => work(request, response));
  };
  const come = (request: BufferedRequest, response: ServerResponse): void => {
    const { socket } = request;
    answering.set(socket, (answering.get(socket) ?? 0) + 1);
    response.once('close', () => answering.set(socket, (answering.get(socket) ?? 1) - 1));
    protect(response);
    const objected = objection(request);
    if (objected && objected[0] !== 'not_allowed') return refuse(request, response, objected);
    void takeBody(request).then((how) => {
      if (how === 'long') refuse(request, response, ['too_large', `the body is longer than ${most_bytes} bytes`]);
      if (how === 'whole' && objected) refuse(request, response, objected);
      if (how === 'whole' && !objected) inScopeOf(request, response, () => answer(request, response));
    });
  };
  server.on('request', (request: BufferedRequest, response: ServerResponse) => named(request, response, come));
  server.on('checkContinue', (request: BufferedRequest, response: ServerResponse) => {
    if (!objection(request) && !isAnnouncedTooLong(request)) response.writeContinue();
    named(request, response, come);
  });
  const disappoint = (request: BufferedRequest, response: ServerResponse): void => {
    protect(response);
    refuse(
      request,
      response,
      malformed(request) ?? ['bad_request', 'the only expectation that is met is 100-continue'],
    );
  };
  server.on('checkExpectation', (request: BufferedRequest, response: ServerResponse) =>
    named(request, response, disappoint),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => complain(error.code, socket));
  server.on('connect', (_, socket: Socket) => complain('CONNECT', socket));
  return server;
}

/** Open questions and files end with their connection; those that a complete answer left behind, a little later. */
function inScopeOf(request: IncomingMessage, response: ServerResponse, work: () => void): void {
  const scope = openScope(pageOf(request));
  response.once('close', () => (response.writableFinished ? scope.leave() : scope.end()));
  scope.run(work);
}

/** The requested page, or the page for which a browser requests data, plus the requester; files of the app belong to none. */
function pageOf(request: IncomingMessage): string | undefined {
  const { url = '/', headers, socket } = request;
  if (url.startsWith('/_app/')) return undefined;
  const page = isApi(pathOf(request)) ? headers.referer?.replace(/^https?:/, '') : `//${headers.host}${url}`;
  const by = [socket.remoteAddress, headers.cookie, headers.authorization];
  return page === undefined ? undefined : JSON.stringify([page, ...by]);
}

/** Sends a refusal. The rest of the body stays unread, and the sender is disconnected. */
export function refuse(request: IncomingMessage, response: ServerResponse, objected: Objection): void {
  const { status, type, body } = written(objected, pathOf(request));
  const [kind, , choices] = objected;
  const isUnread = hasBody(request) && !request.complete;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...(kind === 'not_allowed' && choices ? { allow: choices.join(', ') } : {}),
    ...(isUnread ? { connection: 'close' } : {}),
  });
  if (!isUnread) return void response.end(body);
  // TRICKY: closing a connection while its sender is writing resets it, and the answer is lost.
  request.pause();
  if (request.method === 'HEAD') response.flushHeaders();
  else response.write(body);
  const cut = setTimeout(() => request.socket.destroy(), linger_ms).unref();
  request.socket.once('close', () => clearTimeout(cut));
}

const complaints: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'address and headers together are longer than 16 KB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of a chunk are too long'],
  CONNECT: [405, 'this server is no proxy'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to come'],
};

/** Anything that is not HTTP, or arrives too slowly, never becomes a request. */
function complain(code: string | undefined, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroy();
  const [status, sentence] = complaints[code ?? ''] ?? [400, 'this is not a request that HTTP knows'];
  const headers = { ...standing, 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(sentence) + 1;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}content-length: ${length}\r\nconnection: close\r\n\r\n${sentence}\n`,
  );
  setTimeout(() => socket.destroy(), linger_ms).unref();
}

/** @throws Stopped when it cannot listen there; `setting` is the one that names it. */
export function listen(server: Server, host: string, port: number, setting: SettingName): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port, setting)));
    server.listen(port, host, () => resolve(server));
  });
}
