// One thing that can be asked over HTTP, as a value: routes, the OpenAPI document, the list of a 404 and the app read it.
import { z } from '@hono/zod-openapi';
import type { AuditAction } from '#auth/audit.ts';
import type { Right } from '#auth/rights.ts';

export interface Endpoint {
  method: 'get' | 'put' | 'post' | 'delete';
  /** Below `/api`; what differs stands in braces, as `/chats/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** The right of the caller; `nothing`: it tells nothing about anybody, `sign_in`: it is the caller's own, `share`: the key of a shared link. */
  needs: Right | 'nothing' | 'sign_in' | 'share';
  /** What the audit keeps of it; what is changed in users, sessions and tokens is recorded there. */
  audit?: AuditAction;
  /**
   * Whose answers hold figures of agents by name: when asked for, by which panels, board or columns they show, or unless asked
   * for otherwise.
   */
  agents?: 'asked' | 'by_panel' | 'by_board' | 'by_column' | 'always';
  /** What the names in braces mean, where the path does not say it. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON that is sent. */
  body?: z.ZodType;
  /** Statuses that are no refusal, each with what it says. */
  answers: Readonly<Record<number, string>>;
  /** Their JSON; missing where they have none. */
  schema?: z.ZodType;
  /** Media types of an answer that is no JSON. */
  media?: readonly string[];
  /** Statuses of refusals, each with what was wrong. */
  refusals: Readonly<Record<number, string>>;
  /** Their JSON, where it is not `ErrorBody`. */
  refusal?: z.ZodType;
}

export const endpoint = <const One extends Endpoint>(one: One): One => one;

/** The JSON that an endpoint answers. */
export type AnswerOf<One extends Endpoint> = One extends { schema: infer Schema extends z.ZodType }
  ? z.infer<Schema>
  : null;

/** The JSON that an endpoint takes, as callers may write it. */
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
  'too_large',
  'too_long',
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
    }),
  })
  .openapi('Error');

/** What 304 says. */
export const unchanged = 'What you have is still right';
/** What 503 says of questions about a snapshot. */
export const unpublished = 'Nothing is published yet';

/** Part of every question that a kept snapshot may answer. */
export const AsOf = z.iso
  .datetime({ offset: true })
  .optional()
  .openapi({ description: 'As known on this instant: answered from the newest snapshot published until then' });

/** What a cell of a table holds. */
export const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Of a user, as it is typed. */
export const password = z.string().min(1, { error: 'must not be empty' }).max(200);

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

/** The path as the router writes it: `/chats/:id`. */
export const routed = <const Path extends string>({ path }: { path: Path }): Routed<Path> =>
  path.replaceAll(/\{(\w+)\}/g, ':$1') as Routed<Path>;
