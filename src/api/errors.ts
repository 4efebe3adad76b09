// The only place that speaks HTTP about errors: one shape, the right status, never a stack.
import { basename, extname } from 'node:path';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { badArguments, notFound, unauthorized, type ErrorBody as VendorBody } from '#contract/errors.ts';
import { callbackName } from '#contract/query.ts';
import { BadArguments, NotPulled } from '#reports/errors.ts';
import type { z } from 'zod';
import type { ErrorBody, ErrorType } from './contract/endpoint.ts';
import { requestId } from './request-id.ts';
import { BadUser, CodeNeeded, NotSignedIn, TooOften } from '#auth/errors.ts';
import { NothingToSee } from '#digests/digest-questions.ts';
import { RendererBusy } from '#digests/render/renderer.ts';
import { Cancelled, TooLate } from '#warehouse/cancellation.ts';
import {
  BlockedWarehouse,
  ClosedWarehouse,
  DamagedWarehouse,
  Refused,
  UnreachableWarehouse,
} from '#warehouse/errors.ts';

const statuses = {
  bad_request: 400,
  unauthorized: 401,
  code_needed: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  too_long: 414,
  range_not_satisfiable: 416,
  too_many: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ErrorType, ContentfulStatusCode>;

/** Seconds after which an overloaded request may be retried. */
const usual_wait = 5;

/** An answer that is an error of the caller or of the moment. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly type: ErrorType;
  readonly choices: readonly string[];
  /** Seconds after which asking again may help, where the answer is 503. */
  readonly retry_after: number;
  constructor(type: ErrorType, message: string, choices: readonly string[] = [], retry_after = usual_wait) {
    super(message);
    this.type = type;
    this.choices = choices;
    this.retry_after = retry_after;
  }
}

function declined(error: unknown): Declined | undefined {
  if (error instanceof Declined) return error;
  if (error instanceof Refused)
    return new Declined(
      error.about === 'metric' && error.choices.length > 0 ? 'not_found' : 'bad_request',
      error.message,
      error.choices,
    );
  if (error instanceof BadUser)
    return new Declined(error.what === 'id' ? 'not_found' : 'bad_request', `${error.what}: ${error.message}`);
  if (error instanceof CodeNeeded) return new Declined('code_needed', error.message);
  if (error instanceof NotSignedIn) return new Declined('unauthorized', error.message);
  if (error instanceof TooOften) return new Declined('too_many', error.message, [], error.retry_after);
  if (error instanceof NothingToSee) return new Declined('forbidden', error.message);
  const sentence = unavailable(error);
  return sentence === undefined ? undefined : new Declined('unavailable', sentence);
}

/** What cannot be answered at the moment, though nothing is wrong with the question or the program. */
function unavailable(error: unknown): string | undefined {
  if (error instanceof TooLate)
    return `${error.message}: ask for fewer days, fewer splits or longer periods (grain=), or again when less is asked`;
  if (error instanceof Cancelled || error instanceof RendererBusy) return error.message;
  if (error instanceof ClosedWarehouse) return 'the snapshot was replaced or the server is stopping: ask again';
  if (error instanceof DamagedWarehouse)
    return `the snapshot ${basename(error.file, extname(error.file))} is damaged or gone: the next pull makes a new one`;
  if (error instanceof UnreachableWarehouse)
    return 'the database with the snapshots does not answer, or lets nobody in: ask again in a while';
  if (error instanceof BlockedWarehouse && /memory|temp_directory|allocate|pin block/i.test(error.message))
    return 'the question needs more memory than questions may take (CHATLEDGER_QUERY_MEMORY, or what a database allows): ask for fewer days or fewer splits';
  return undefined;
}

/** Whose errors are worded as the vendor's. `/v2` is another way to send X-API-Version: 2. */
export const reportsPath = /^\/api\/(v2\/)?reports(\/|$)/;

/** JSONP for a caller that a page of another site could borrow. */
export class JsonpRefused extends Error {
  override readonly name = 'JsonpRefused';
  constructor() {
    super('callback is answered to an Authorization header only, never to a cookie or the open loopback');
  }
}

/** The same refusals as the vendor words them, for `/api/reports`: its clients read its error bodies. */
export function vendorError(c: Context, error: unknown, log: (error: unknown) => void): Response {
  const [status, body] = vendorRefusal(error);
  if (status === 500) log(error);
  if (status === 401) c.header('www-authenticate', 'Bearer realm="chatledger"');
  if (status === 503) c.header('retry-after', String(usual_wait));
  return vendorAnswer(c, JSON.stringify(body), status);
}

function vendorRefusal(error: unknown): [ContentfulStatusCode, VendorBody] {
  if (error instanceof BadArguments) return [400, badArguments([...error.complaints])];
  if (error instanceof NotPulled) return [503, { error: error.message }];
  if (error instanceof JsonpRefused) return [401, { error: error.message }];
  const known = declined(error);
  if (!known) return [500, { error: 'Internal Server Error' }];
  const { type, message } = known;
  const bodies: Partial<Record<ErrorType, VendorBody>> = {
    bad_request: badArguments([message]),
    unauthorized,
    forbidden: { error: message },
    not_found: notFound,
  };
  return [statuses[type], bodies[type] ?? { error: message }];
}

/** JSON, or JSONP where an `Authorization` header came with a `callback`. */
export function vendorAnswer(c: Context, json: string, status: ContentfulStatusCode = 200): Response {
  const callback = c.req.header('authorization') === undefined ? undefined : c.req.queries('callback')?.at(-1);
  const isJsonp = callback !== undefined && callbackName.test(callback);
  c.header('x-content-type-options', 'nosniff');
  if (status !== 200) c.header('cache-control', 'no-store');
  const type = isJsonp ? 'application/javascript' : 'application/json';
  return c.body(isJsonp ? `${callback}(${json});` : json, status, { 'content-type': `${type}; charset=utf-8` });
}

/** A refusal at the port, before routing: error type, message and suggestions. */
export type Objection = readonly [type: ErrorType, message: string, choices?: readonly string[]];

/** Writes an objection in the format of `path`: JSON under /api, the vendor's format under its reports. */
export function written(
  [type, message, choices = []]: Objection,
  path: string,
): { status: number; type: string; body: string } {
  const declined = new Declined(type, message, choices);
  const json = (body: object) => ({
    status: statuses[type],
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  });
  if (reportsPath.test(path)) return json(vendorRefusal(declined)[1]);
  if (/^\/api(\/|$)/.test(path)) return json(bodyOf(declined));
  return { status: statuses[type], type: 'text/plain; charset=utf-8', body: `${message}\n` };
}

/** The body of an error; one that comes from a port names its request, by which the log is searched. */
function bodyOf({ type, message, choices }: Declined): z.infer<typeof ErrorBody> {
  const request_id = requestId();
  return {
    error: {
      ...{ type, message },
      ...(choices.length > 0 ? { choices: [...choices] } : {}),
      ...(request_id === undefined ? {} : { request_id }),
    },
  };
}

/** The answer to an error; unexpected ones go to `log`, and their answer reveals no internals. */
export function errorAnswer(c: Context, error: unknown, log: (error: unknown) => void): Response {
  const known = declined(error);
  if (!known) log(error);
  if (error instanceof UnreachableWarehouse) log(error.message);
  const refused = known ?? new Declined('internal', 'something went wrong here; the log says what');
  const { type, retry_after } = refused;
  if (type === 'unauthorized') c.header('www-authenticate', 'Bearer realm="chatledger"');
  if (type === 'unavailable' || type === 'too_many') c.header('retry-after', String(retry_after));
  c.header('cache-control', 'no-store');
  return c.json(bodyOf(refused), statuses[type]);
}
