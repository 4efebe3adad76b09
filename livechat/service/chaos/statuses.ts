// Faults of the status line and the headers: a no, a not now, and a clock that is wrong.
import { notFound, unauthorized } from '#contract/errors.ts';
import { errorV3, errorsV3, type ErrorTypeV3 } from '#contract/errors-v3.ts';
import type { UnsentAnswer, Fault, FaultContext } from './fault.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}): UnsentAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

export const page = (status: number, title: string): UnsentAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(
    `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  ),
});

/** The message of v2, or the equivalent error type of v3. */
const said = ({ question }: FaultContext, v2: unknown, v3: ErrorTypeV3): unknown => (question.is_v3 ? errorV3(v3) : v2);

const passing = (
  status: number,
  words: string,
  v3: ErrorTypeV3,
  what: string,
  headers: (scene: FaultContext) => Record<string, string> = () => ({}),
): Fault => ({
  effect: 'passing',
  what,
  refuse: (scene) => json(status, said(scene, { error: words }, v3), headers(scene)),
});

const refusing = (status: number, v2: unknown, v3: ErrorTypeV3, what: string): Fault => ({
  effect: 'refusing',
  what,
  refuse: (scene) => json(status, said(scene, v2, v3)),
});

/** Unix seconds as the header `Date` writes them. */
export const httpDate = (second: number): string => new Date(second * 1000).toUTCString();

const inSeconds = ({ retry_after }: FaultContext) => ({ 'retry-after': String(retry_after) });
const asDate = ({ now, retry_after }: FaultContext) => ({ 'retry-after': httpDate(now + retry_after) });

const clockOff = (hours: number, what: string): Fault => ({
  effect: 'harmless',
  what,
  damage: (answer, { now }) => ({ ...answer, headers: { ...answer.headers, date: httpDate(now + hours * 3600) } }),
});

export const statuses = {
  '204': {
    effect: 'passing',
    what: '204 with no content',
    refuse: () => ({ status: 204, headers: {}, body: Buffer.alloc(0) }),
  },
  '302': {
    effect: 'refusing',
    what: '302 to a page to log in at',
    refuse: () => ({ ...page(302, 'Log in'), headers: { 'content-type': 'text/html', location: '/login' } }),
  },
  '401': refusing(401, unauthorized, 'authentication', '401: the credentials are refused'),
  '403': refusing(403, { error: 'Not in your plan' }, 'authorization', '403: not in the plan'),
  '404': refusing(404, notFound, 'not_found', '404: there is no such thing'),
  '408': passing(408, 'Request Timeout', 'request_timeout', '408: the service gave up waiting'),
  '410': refusing(410, { error: 'Gone' }, 'not_found', '410: the method was switched off'),
  misdirected_request: {
    effect: 'refusing',
    what: '421: the other region is the right one, which `data` names',
    refuse: ({ question }) => {
      const region = question.region === 'fra' ? 'dal' : 'fra';
      const [status, message] = errorsV3.misdirected_request;
      return json(status, errorV3('misdirected_request', message, { region }));
    },
  },
  '425': passing(425, 'Too Early', 'service_unavailable', '425: too early'),
  '429': passing(429, 'Too Many Requests', 'too_many_requests', '429 with Retry-After in seconds', inSeconds),
  '429_date': passing(429, 'Too Many Requests', 'too_many_requests', '429 with Retry-After as a date', asDate),
  '429_bare': passing(429, 'Too Many Requests', 'too_many_requests', '429 without Retry-After'),
  '500': passing(500, 'Internal Server Error', 'internal', '500 with an error body'),
  '502': passing(502, 'Bad Gateway', 'service_unavailable', '502 with an error body'),
  '503': passing(503, 'Service Unavailable', 'service_unavailable', '503 with Retry-After in seconds', inSeconds),
  '503_date': passing(503, 'Service Unavailable', 'service_unavailable', '503 with Retry-After as a date', asDate),
  '504': passing(504, 'Gateway Timeout', 'request_timeout', '504 with an error body'),
  html_502: {
    effect: 'passing',
    what: '502 with an HTML page of a gateway',
    refuse: () => page(502, '502 Bad Gateway'),
  },
  clock_ahead: clockOff(3, 'the header Date is three hours ahead'),
  clock_behind: clockOff(-72, 'the header Date is three days behind'),
} as const satisfies Record<string, Fault>;
