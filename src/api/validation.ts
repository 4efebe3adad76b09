// Validates a JSON body or a query against its shape; an error names the place that is wrong.
import type { z } from 'zod';
import type { Context } from 'hono';
import { refusal_words } from '#warehouse/refusal-words.ts';
import { Declined } from './errors.ts';
import { assertNamed, onlyOne, questionIn } from './question.ts';

const most_bytes = 64 * 1024;

function checked<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(value, refusal_words);
  if (parsed.success) return parsed.data;
  const told = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  throw new Declined('bad_request', [...new Set(told)].join('; '));
}

/** TRICKY: a shape leaves this name out of any object without a word, where it refuses every other one. Errors: Declined. */
function withoutProto(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new Declined('bad_request', '__proto__: there is no such field');
  return value;
}

/** Errors: Declined. Only JSON is read, so that a form of another page can send nothing. */
export async function bodyOf<Shape extends z.ZodType>(c: Context, shape: Shape): Promise<z.infer<Shape>> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new Declined('bad_request', 'send JSON with content-type: application/json');
  const text = await c.req.text();
  if (Buffer.byteLength(text) > most_bytes)
    throw new Declined('too_large', `the body is longer than ${most_bytes} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(text, withoutProto);
  } catch (error) {
    if (error instanceof Declined) throw error;
    throw new Declined('bad_request', 'the body is not JSON');
  }
  return checked(shape, value);
}

/**
 * The parameters of an address, each of which takes one value. Errors: Declined; Refused, where one is repeated or there is none of its name,
 * so that nothing is answered as if it had not been asked.
 */
export function queryOf<Shape extends z.ZodObject>(c: Context, shape: Shape): z.infer<Shape> {
  const asked = questionIn(new URL(c.req.url).searchParams);
  const names = Object.keys(shape.shape);
  assertNamed(asked, names);
  const given = names.filter((name) => asked[name] !== undefined);
  return checked(shape, Object.fromEntries(given.map((name) => [name, onlyOne(asked, name)])));
}
