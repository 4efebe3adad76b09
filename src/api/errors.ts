// The only place that speaks HTTP about errors: one shape, the right status, never a stack.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from '@hono/zod-openapi';
import { Refused } from '#warehouse/errors.ts';

const statuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
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

/** The answer to an error; what is not the caller's goes to `log` and says nothing of the inside. */
export function errorAnswer(c: Context, error: unknown, log: (error: unknown) => void): Response {
  const known = declined(error);
  if (!known) log(error);
  const { type, message, choices } = known ?? new Declined('internal', 'something went wrong here; the log says what');
  if (type === 'unauthorized') c.header('www-authenticate', 'Bearer realm="chatledger"');
  c.header('cache-control', 'no-store');
  return c.json({ error: { type, message, ...(choices.length > 0 ? { choices } : {}) } }, statuses[type]);
}
