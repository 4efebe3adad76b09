// Which requests each port admits, decided from the head of a request before anything is answered. Pure.
import type { IncomingMessage } from 'node:http';
import type { Objection } from '#api/errors.ts';
import { isFromElsewhere, isPublicName } from '#api/guard.ts';
import type { TrustedProxies } from '#api/deps.ts';
import { callback_path } from '#auth/auth.ts';

export type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'headersDistinct' | 'httpVersion'>;

/** An address longer than this is no question of ours. */
const longest_target = 8 * 1024;
const loopbackNames = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

export const pathOf = ({ url = '/' }: Pick<RequestHead, 'url'>): string => url.split('?', 1)[0] ?? '/';
export const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Where programs ask how this one is; they are no readers, and some speak HTTP/1.0. */
export const isProbe = (path: string): boolean => path === '/api/health' || path === '/api/ready';

/** The problem with a request, regardless of its sender. */
export function malformed({ url = '', headersDistinct }: RequestHead): Objection | undefined {
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

/** Headers in which a proxy states whom it forwards for. */
const forwarding =
  /^(forwarded|via|client-ip|true-client-ip|fastly-client-ip|x-(forwarded|original|real|client|cluster|envoy|amzn|azure|arr|appengine|rewrite|proxy)(-.*)?|x-(host|proxyuser-ip)|x-cloud-trace-context|cdn-loop|(cf|fly|akamai|incap|x-sucuri|x-vercel|x-nf)-.*)$/i;

/** How a request shows that it was forwarded; nothing when it does not. */
function forwardedBy({ headers, httpVersion }: RequestHead, path: string): string | undefined {
  const named = Object.keys(headers).find((name) => forwarding.test(name));
  if (named !== undefined) return named;
  if (httpVersion !== '1.1' && !isProbe(path)) return `HTTP/${httpVersion}`;
  // A page that the browser knows by another name than ours came through something that renames us.
  const { referer, host = '' } = headers;
  const isRenamed =
    headers['sec-fetch-site'] === 'same-origin' &&
    referer !== undefined &&
    originOf(referer) !== originOf(`http://${host}`);
  return isRenamed ? 'another name in Referer than in Host' : undefined;
}

const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null);

/** Who may connect to the port of dashboards and API besides this machine. */
interface AdmissionRules {
  /** Origins whose pages may embed shared pages. */
  embedders: readonly string[];
  /** Everybody has to sign in. */
  isLoginRequired: () => boolean;
  proxies: TrustedProxies | undefined;
}

const loopbackAddress = /^(127\.|::1$|::ffff:127\.)/;

/** Whether a trusted proxy hands a request on: under the public name, or marked as forwarded. */
export function isProxied(head: RequestHead & Peer, proxies: TrustedProxies | undefined): proxies is TrustedProxies {
  if (!proxies?.isTrusted(head.socket.remoteAddress)) return false;
  return isPublicName(head.headers.host, proxies) || forwardedBy(head, pathOf(head)) !== undefined;
}

type Peer = Pick<IncomingMessage, 'socket'>;

/** The objection to the route by which a request arrived. */
function objectionToWay(head: RequestHead & Peer, { isLoginRequired, proxies }: AdmissionRules): Objection | undefined {
  const { host = '' } = head.headers;
  if (isProxied(head, proxies)) {
    if (!isLoginRequired())
      return [
        'forbidden',
        'there are no users yet: make the first admin on the server itself (the page "Let others in", or `chatledger user add`)',
      ];
    if (isPublicName(host, proxies)) return undefined;
    return ['forbidden', `this server answers as ${proxies.url.host} only: let the proxy send that as Host`];
  }
  const forwarded = forwardedBy(head, pathOf(head));
  if (forwarded !== undefined)
    return [
      'forbidden',
      `this port refuses what a proxy forwards (${forwarded}): ask from this machine, through ssh -L if need be, ` +
        'name the proxy in CHATLEDGER_TRUSTED_PROXIES, or ' +
        'let the proxy forward to CHATLEDGER_PUBLIC_PORT, which opens the links in mails and nothing else',
    ];
  if (!loopbackAddress.test(head.socket.remoteAddress ?? ''))
    return ['forbidden', 'this machine and the proxies in CHATLEDGER_TRUSTED_PROXIES may ask here, and nobody else'];
  if (!loopbackNames.test(host)) return ['forbidden', 'this server answers to 127.0.0.1 and localhost only'];
  return undefined;
}

/**
 * For the port of dashboards and API: admits this machine and what a trusted proxy forwards; rejects pages of other sites and of other
 * names that resolve to it.
 */
export function objectionTo(head: RequestHead & Peer, door: AdmissionRules): Objection | undefined {
  const { method = 'GET', headers } = head;
  const path = pathOf(head);
  const bad = objectionToWay(head, door) ?? malformed(head);
  if (bad) return bad;
  const isNavigation =
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (
    !(isNavigation && (!isApi(path) || path === callback_path)) &&
    !isEmbedding(head, door.embedders) &&
    isFromElsewhere(headers, isProxied(head, door.proxies) ? door.proxies.url.origin : `http://${headers.host}`)
  )
    return ['forbidden', 'requests from pages of other sites are not answered'];
  const allowed = isApi(path) ? apiMethods : pageMethods;
  if (!allowed.includes(method))
    return ['not_allowed', `${method} is not answered here, but ${allowed.join(', ')}`, allowed];
  return undefined;
}

/** The page that links without a sign-in open; their key follows `#` and is never sent with an address. */
export const shared_path = '/share';

/** Whether a page of another site frames a shared page; the browser holds to the origins that the answer names. */
function isEmbedding(head: RequestHead, embedders: readonly string[]): boolean {
  const { method, headers } = head;
  const { referer, origin, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = headers;
  const isFrame = method === 'GET' && origin === undefined && mode === 'navigate' && target === 'iframe';
  const isNamed = referer === undefined || embedders.includes(originOf(referer) ?? '');
  return embedders.length > 0 && pathOf(head) === shared_path && isFrame && isNamed;
}

const pageMethods = ['GET', 'HEAD'];
const apiMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** For the port of links: admits the host name of their address, or the one that a local proxy uses. */
export function objectionToLink(head: RequestHead, public_url: string): Objection | undefined {
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
