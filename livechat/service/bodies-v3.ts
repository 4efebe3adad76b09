// Bodies of requests to the v3 APIs: JSON or multipart, of bounded size, read by the contract.
import type { Context } from 'hono';
import type { z } from 'zod';
import { complaints } from '#contract/query.ts';
import { largestFile } from './live/files.ts';
import { refuse } from './refusals.ts';

/** Largest accepted JSON body, in bytes. */
const longest = 1024 * 1024;

/** Reads a JSON body of bounded size; an empty one is no JSON. */
export async function jsonOf(context: Context): Promise<unknown> {
  const text = Buffer.from(await bytesOf(context, longest)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refuse.v3('validation', 'the body must be JSON, at least {}');
  }
}

/** Reads a multipart body; the limit is that of a file, with room for what is around it. */
export async function formOf(context: Context): Promise<unknown> {
  const bytes = await bytesOf(context, largestFile + 64 * 1024);
  const type = context.req.header('content-type') ?? '';
  if (!type.startsWith('multipart/form-data')) throw refuse.v3('validation', 'the body must be multipart/form-data');
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return Object.fromEntries(form);
  } catch {
    throw refuse.v3('validation', 'the body cannot be read as multipart/form-data');
  }
}

async function bytesOf(context: Context, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let taken = 0;
  // Leaving the loop ends the reading, so that no more than this is ever held.
  for await (const piece of context.req.raw.body ?? []) {
    taken += piece.byteLength;
    if (taken > most) throw refuse.v3('entity_too_large');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

export function read<T>(args: z.ZodType<T>, body: unknown): T {
  const parsed = args.safeParse(body);
  if (!parsed.success) throw refuse.v3('validation', complaints(parsed.error).join('; '));
  return parsed.data;
}
