// Handling common to all requests: checks version and origin, and writes the answer as JSON or JSONP.
import { callbackName } from '#contract/query.ts';
import { badArguments } from '#contract/errors.ts';
import { refuse } from './refusals.ts';

/** Browsers state the origin of a request; pages of other sites may not call, not even from localhost. */
export function refuseForeign(headers: Headers): void {
  if (headers.has('origin') || headers.get('sec-fetch-site') === 'cross-site') throw refuse.origin();
}

export function refuseVersion(headers: Headers): void {
  const version = headers.get('x-api-version');
  if (version === null || version === '2' || version === '2.0') return;
  throw refuse.arguments(`X-API-Version: must be 2, not ${version.slice(0, 20)}`);
}

/** `/v2/agents` is another way to say `/agents` with X-API-Version: 2. */
export function unversioned(request: Request): Request {
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
