// Who is let in at each port, before anything is answered: pure looks at the head of a request.
import type { IncomingMessage } from 'node:http';
import type { Objection } from '#api/errors.ts';
import { isFromElsewhere } from '#api/guard.ts';

export type Head = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'headersDistinct' | 'httpVersion'>;

/** An address longer than this is no question of ours. */
const longest_target = 8 * 1024;
const loopbackNames = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

export const pathOf = ({ url = '/' }: Pick<Head, 'url'>): string => url.split('?', 1)[0] ?? '/';
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** What is wrong with a request whoever sends it. */
export function malformed({ url = '', headersDistinct }: Head): Objection | undefined {
  if ((headersDistinct.host?.length ?? 0) > 1)
    return ['bad_request', 'the request names several hosts: send one Host header'];
  if (url.length > longest_target)
    return ['too_long', `the address is longer than ${longest_target} characters: ask for less at once`];
  if (!url.startsWith('/')) return ['bad_request', 'the address must begin with /'];
  if (!/^[!-[\]-~]*$/.test(url)) return ['bad_request', 'the address holds a character that must be written with %'];
  if (!isDecodable(url))
    return ['bad_request', 'the address holds a % that begins no character: write the sign % as %25'];
  return undefined;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

/** Headers by which a proxy tells on whose behalf it asks. */
const forwarding =
  /^(forwarded|via|client-ip|true-client-ip|fastly-client-ip|x-(forwarded|original|real|client|cluster|envoy|amzn|azure|arr|appengine|rewrite|proxy)(-.*)?|x-(host|proxyuser-ip)|x-cloud-trace-context|cdn-loop|(cf|fly|akamai|incap|x-sucuri|x-vercel|x-nf)-.*)$/i;

/** How a request shows that it was forwarded; nothing when it does not. */
function forwardedBy({ headers, httpVersion }: Head, path: string): string | undefined {
  const named = Object.keys(headers).find((name) => forwarding.test(name));
  if (named !== undefined) return named;
  if (httpVersion !== '1.1' && path !== '/api/health') return `HTTP/${httpVersion}`;
  // A page that the browser knows by another name than ours came through something that renames us.
  const { referer, host = '' } = headers;
  const isRenamed =
    headers['sec-fetch-site'] === 'same-origin' &&
    referer !== undefined &&
    originOf(referer) !== originOf(`http://${host}`);
  return isRenamed ? 'another name in Referer than in Host' : undefined;
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

/**
 * Of the port of dashboards and API. Until there is a login only this machine may ask: no page of another name that resolves to
 * it, no page of another site, and nothing that a proxy forwards.
 */
export function objectionTo(head: Head): Objection | undefined {
  const { method = 'GET', headers } = head;
  const path = pathOf(head);
  const forwarded = forwardedBy(head, path);
  if (forwarded !== undefined)
    return [
      'forbidden',
      `this port has no login yet and refuses what a proxy forwards (${forwarded}): ask from this machine, through ssh -L if need be, ` +
        'and let the proxy forward to CHATLEDGER_PUBLIC_PORT, which opens the links in mails and nothing else',
    ];
  const { host = '' } = headers;
  if (!loopbackNames.test(host)) return ['forbidden', 'this server answers to 127.0.0.1 and localhost only'];
  const bad = malformed(head);
  if (bad) return bad;
  const isNavigation =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (!(isNavigation && !isApi(path)) && isFromElsewhere(headers, `http://${host}`))
    return ['forbidden', 'requests from pages of other sites are not answered'];
  const allowed = isApi(path) ? apiMethods : pageMethods;
  if (!allowed.includes(method))
    return ['not_allowed', `${method} is not answered here, but ${allowed.join(', ')}`, allowed];
  return undefined;
}

const pageMethods = ['GET', 'HEAD'];
const apiMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Of the port of links: by the name in their address, or by the one that a proxy on this machine uses. */
export function objectionToLink(head: Head, public_url: string): Objection | undefined {
  const { host = '' } = head.headers;
  const { protocol, host: ours } = new URL(public_url);
  const isOurs = /^[\w.:[\]-]+$/.test(host) && originOf(`${protocol}//${host}`) === `${protocol}//${ours}`;
  if (!isOurs && !loopbackNames.test(host))
    return [
      'forbidden',
      `this server answers as ${ours} only: let the proxy send that as Host (CHATLEDGER_PUBLIC_URL)`,
    ];
  return malformed(head);
}
