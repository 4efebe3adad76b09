// Bodies of requests to the v3 APIs: JSON or multipart, of bounded size, read by the contract.
import type { Context } from 'hono';
import type { z } from 'zod';
import { complaints } from '#contract/query.ts';
import { largestFile } from './live/files.ts';
import { refuse } from './refusals.ts';
import { bytesWithin, textWithin } from './wire.ts';

/** Largest accepted JSON body, in bytes. */
const longest = 1024 * 1024;

/** Reads a JSON body of bounded size; an empty one is no JSON. */
export async function jsonOf(context: Context): Promise<unknown> {
  const text = await textWithin(context.req.raw, longest);
  if (text === undefined) throw refuse.v3('entity_too_large');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse.v3('validation', 'the body must be JSON, at least {}');
  }
}

/** Reads a multipart body; the limit is that of a file, with room for what is around it. */
export async function formOf(context: Context): Promise<unknown> {
  const bytes = await bytesWithin(context.req.raw, largestFile + 64 * 1024);
  if (bytes === undefined) throw refuse.v3('entity_too_large');
  const type = context.req.header('content-type') ?? '';
  if (!type.startsWith('multipart/form-data')) throw refuse.v3('validation', 'the body must be multipart/form-data');
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return Object.fromEntries(form);
  } catch {
    throw refuse.v3('validation', 'the body cannot be read as multipart/form-data');
  }
}

export function read<T>(args: z.ZodType<T>, body: unknown): T {
  const parsed = args.safeParse(body);
  if (!parsed.success) throw refuse.v3('validation', complaints(parsed.error).join('; '));
  return parsed.data;
}
