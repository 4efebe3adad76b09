// Handling common to all requests: checks version and origin, and writes the answer as JSON or JSONP.
import { callbackName } from '#contract/query.ts';
import { badArguments } from '#contract/errors.ts';
import { refuse } from './refusals.ts';

/** Pages of the service: a link of another site may lead there. */
const linked = ['/', '/oauth/authorize'];

/**
 * Browsers state the origin of a request; pages of other sites may not call, not even from localhost. `bound` is the host that the
 * service is bound to.
 */
export function refuseForeign({ method, headers, url }: Request, bound: string): void {
  const origin = headers.get('origin');
  const host = headers.get('host');
  const is_own = origin === null || (origin === `http://${host}` && isOwnHost(host, bound));
  const is_link = (): boolean => method === 'GET' && linked.includes(new URL(url).pathname);
  if (!is_own || (headers.get('sec-fetch-site') === 'cross-site' && !is_link())) throw refuse.origin();
}

/** Whether `host` names this machine or what the service is bound to: a name of others might only lead here. */
export function isOwnHost(host: string | null, bound: string): boolean {
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const own = ['127.0.0.1', 'localhost', '[::1]', bound, `[${bound}]`];
  return own.includes(new URL(`http://${host}`).hostname);
}

export function refuseVersion(headers: Headers): void {
  const version = headers.get('x-api-version');
  if (version === null || version === '2' || version === '2.0') return;
  throw refuse.arguments(`X-API-Version: must be 2, not ${version.slice(0, 20)}`);
}

/** The body as text, or nothing where it has more bytes than that. */
export async function textWithin(request: Request, longest: number): Promise<string | undefined> {
  const length = request.headers.get('content-length');
  // No more arrives than this says, and as a whole it is read in a quarter of the time.
  if (length !== null) return Number(length) > longest ? undefined : request.text();
  const bytes = await bytesWithin(request, longest);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** The body, or nothing where it has more bytes than that. */
export async function bytesWithin({ body }: Request, longest: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let taken = 0;
  // Leaving the loop ends the reading, so that no more than this is ever held.
  for await (const piece of body ?? []) {
    taken += piece.byteLength;
    if (taken > longest) return undefined;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** `/v2/agents` is another way to say `/agents` with X-API-Version: 2. */
export function unversioned(request: Request): Request {
  if (!request.url.includes('/v2/')) return request;
  const url = new URL(request.url);
  if (!url.pathname.startsWith('/v2/')) return request;
  url.pathname = url.pathname.slice('/v2'.length);
  return new Request(url, request);
}

/** JSON, or JSONP if a `callback` was given; an invalid callback name gives 400 whatever the answer was. */
export function answerText(status: number, body: unknown, search: URLSearchParams): Response {
  const callback = search.getAll('callback').at(-1);
  if (callback === undefined) return response(status, JSON.stringify(body), 'application/json');
  if (callbackName.test(callback)) {
    return response(status, `${callback}(${JSON.stringify(body)});`, 'application/javascript');
  }
  const complaint = badArguments(['callback: must be the name of a function']);
  return response(status === 200 ? 400 : status, JSON.stringify(status === 200 ? complaint : body), 'application/json');
}

function response(status: number, text: string, type: string): Response {
  return new Response(text, {
    status,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}
