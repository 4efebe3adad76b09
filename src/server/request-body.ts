// Takes the body of a request in before anybody answers it, and not more of it than fits.
import type { IncomingMessage } from 'node:http';

/** Nothing that is sent here is longer; files are not uploaded. */
export const most_bytes = 64 * 1024;

/** What Hono's listener reads instead of the request once it has been read. */
export interface BufferedRequest extends IncomingMessage {
  rawBody?: Buffer;
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const isAnnouncedTooLong = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) > most_bytes;

/**
 * Resolves with `whole`, with `long` as soon as it exceeds the limit (the rest stays unread), or with `gone` if the sender disconnected.
 */
export function takeBody(request: BufferedRequest): Promise<'whole' | 'long' | 'gone'> {
  if (!hasBody(request)) return Promise.resolve('whole');
  if (isAnnouncedTooLong(request)) return Promise.resolve('long');
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const end = (how: 'whole' | 'long' | 'gone'): void => {
      request.off('data', count).off('end', whole).off('close', gone);
      if (how === 'whole') request.rawBody = Buffer.concat(parts, bytes);
      else request.pause();
      resolve(how);
    };
    const count = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > most_bytes) return end('long');
      parts.push(part);
    };
    const whole = (): void => end('whole');
    const gone = (): void => end('gone');
    request.on('data', count).on('end', whole).on('close', gone).on('error', gone);
  });
}
