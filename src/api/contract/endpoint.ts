// One HTTP endpoint as a value: the routes, the OpenAPI document, the list of a 404 and the app read it.
import { z } from '@hono/zod-openapi';
import type { AuditAction } from '#auth/audit.ts';
import type { Right } from '#auth/rights.ts';
import { first_day, last_day } from '#warehouse/periods.ts';

export interface Endpoint {
  method: 'get' | 'put' | 'post' | 'delete';
  /** Relative to `/api`; parameters are in braces, as in `/chats/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /**
   * The caller's right; `nothing`: public, reveals nothing about anybody, `sign_in`: the caller's own data, `share`: the key of a shared
   * link.
   */
  needs: Right | 'nothing' | 'sign_in' | 'share';
  /** The audit entry of a call; changes of users, sessions and tokens are recorded where they happen. */
  audit?: AuditAction;
  /**
   * When the answer holds figures of named agents: if requested, depending on the panels, board or columns shown, or always unless the
   * caller opts out.
   */
  agents?: 'asked' | 'by_panel' | 'by_board' | 'by_column' | 'always';
  /** Descriptions of the path parameters, where their names do not explain them. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON body of the request. */
  body?: z.ZodType;
  /** Statuses of successful answers, each with its description. */
  answers: Readonly<Record<number, string>>;
  /** Their JSON; missing if they have none. */
  schema?: z.ZodType;
  /** Media types of an answer that is not JSON. */
  media?: readonly string[];
  /** Statuses of errors, each with what was wrong. */
  refusals: Readonly<Record<number, string>>;
  /** Their JSON, if it is not `ErrorBody`. */
  refusal?: z.ZodType;
}

export const endpoint = <const One extends Endpoint>(one: One): One => one;

/** The JSON that an endpoint returns. */
export type AnswerOf<One extends Endpoint> = One extends { schema: infer Schema extends z.ZodType }
  ? z.infer<Schema>
  : null;

/** The JSON that an endpoint accepts, as callers may write it. */
export type BodyOf<One extends Endpoint> = One extends { body: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;

const errorTypes = [
  'bad_request',
  'unauthorized',
  'code_needed',
  'forbidden',
  'not_found',
  'not_allowed',
  'conflict',
  'precondition_failed',
  'too_large',
  'too_long',
  'range_not_satisfiable',
  'too_many',
  'internal',
  'unavailable',
] as const;
export type ErrorType = (typeof errorTypes)[number];

/** The body of every error. */
export const ErrorBody = z
  .object({
    error: z.object({
      type: z.enum(errorTypes),
      message: z.string(),
      choices: z.array(z.string()).optional().openapi({ description: 'What may be asked instead' }),
      request_id: z
        .string()
        .optional()
        .openapi({ description: 'The X-Request-Id of the answer, by which the log is searched' }),
    }),
  })
  .openapi('Error');

/** Description of status 304. */
export const unchanged = 'What you have is still right';
/** Description of status 503 for questions about a snapshot. */
export const unpublished = 'Nothing is published yet';

/** Part of every question that an older snapshot can answer. */
export const AsOf = z.iso
  .datetime({ offset: true })
  .optional()
  .openapi({ description: 'As known on this instant: answered from the newest snapshot published until then' });

/** The value of a table cell. */
export const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A user's password as typed. */
export const password = z.string().min(1, { error: 'must not be empty' }).max(200);

/** A day that a question can be about. */
export const wantedDay = z.iso
  .date()
  .refine((day) => day >= first_day && day <= last_day, { error: `must be a day from ${first_day} to ${last_day}` });

/** One line of text without control characters, trimmed. */
export const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(most, { error: `must have at most ${most} characters` })
    .regex(/^\P{Cc}*$/u, { error: 'must be one line of text' });

type Routed<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer Rest}`
  ? `${Before}:${Name}${Routed<Rest>}`
  : Path;

/** The path in the router's syntax: `/chats/:id`. */
export const routed = <const Path extends string>({ path }: { path: Path }): Routed<Path> =>
  path.replaceAll(/\{(\w+)\}/g, ':$1') as Routed<Path>;
