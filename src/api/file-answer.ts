// A file as the answer to a request.
import type { Context } from 'hono';
import type { File } from '#digests/channels/letter.ts';

/** TRICKY: file names in headers may contain ASCII letters only. */
export function fileAnswer(c: Context, { name, type, bytes }: File): Response {
  const plain = name.replaceAll(/[^\w.-]+/g, '-');
  const disposition = type === 'application/pdf' ? 'inline' : 'attachment';
  c.header('content-disposition', `${disposition}; filename="${plain}"`);
  c.header('x-content-type-options', 'nosniff');
  c.header('cache-control', 'private, no-cache');
  return c.body(Buffer.from(bytes), 200, { 'content-type': type });
}
