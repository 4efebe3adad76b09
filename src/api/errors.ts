// The only place that speaks HTTP about errors: one shape, the right status, never a stack.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from '@hono/zod-openapi';
import { badArguments, notFound, unauthorized, type ErrorBody as VendorBody } from '#contract/errors.ts';
import { callbackName } from '#contract/query.ts';
import { BadArguments, NotPulled } from '#reports/errors.ts';
import { Refused } from '#warehouse/errors.ts';

const statuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<string, ContentfulStatusCode>;

export type ErrorType = keyof typeof statuses;

/** The body of every error. */
export const ErrorBody = z
  .object({
    error: z.object({
      type: z.enum(Object.keys(statuses) as [ErrorType, ...ErrorType[]]),
      message: z.string(),
      choices: z.array(z.string()).optional().openapi({ description: 'What may be asked instead' }),
    }),
  })
  .openapi('Error');

/** An answer that is an error of the caller or of the moment. */
export class Declined extends Error {
  override readonly name = 'Declined';
  readonly type: ErrorType;
  readonly choices: readonly string[];
  constructor(type: ErrorType, message: string, choices: readonly string[] = []) {
    super(message);
    this.type = type;
    this.choices = choices;
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
  return undefined;
}

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

/** The answer to an error; what is not the caller's goes to `log` and says nothing of the inside. */
export function errorAnswer(c: Context, error: unknown, log: (error: unknown) => void): Response {
  const known = declined(error);
  if (!known) log(error);
  const { type, message, choices } = known ?? new Declined('internal', 'something went wrong here; the log says what');
  if (type === 'unauthorized') c.header('www-authenticate', 'Bearer realm="chatledger"');
  c.header('cache-control', 'no-store');
  return c.json({ error: { type, message, ...(choices.length > 0 ? { choices } : {}) } }, statuses[type]);
}
