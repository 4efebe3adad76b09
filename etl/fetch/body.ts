// Reads a response body with limits: at most 16 MB, and at most a hundred times its compressed size.
import { isUtf8 } from 'node:buffer';
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Garbled, Oversized, Retryable } from '../errors.ts';

export const largest_body = 16 * 1024 * 1024;
/** Packed JSON is a tenth to a fiftieth; more than this is an attack or a mistake. */
const largest_ratio = 100;
/** Below this many bytes the ratio is not checked: a page of zeros compresses well. */
const least_judged = 1024 * 1024;

/** Bytes of an oversized body that are kept as evidence. Many of them must fit into memory. */
const kept_of_oversized = 64 * 1024;

/** What was read, to the end or until reading had to stop. */
interface ReadBody {
  text: string;
  /** Bytes that came over the wire. */
  bytes: number;
  /** Why it stopped before the end. */
  error: Error | null;
}

/** Never throws: the bytes read before a fault are kept as evidence. */
export async function readBody(body: Readable, encoding: string, path: string): Promise<ReadBody> {
  const page = createPage();
  let packed = 0;
  let unpacked = 0;
  const keep = (part: Buffer): void => {
    const room = largest_body - unpacked;
    unpacked += part.length;
    if (room > 0) page.add(part.length > room ? part.subarray(0, room) : part);
    if (unpacked > largest_body) throw new Oversized(`the answer to ${path} is larger than 16 MB`);
    if (unpacked > least_judged && unpacked > packed * largest_ratio)
      throw new Oversized(`the answer to ${path} unpacks to more than ${largest_ratio} times its size`);
  };
  let error: Error | null = null;
  // TRICKY: the error is thrown while reading; emitted again without a listener, it would end the process.
  body.on('error', () => undefined);
  try {
    const count = async function* (): AsyncGenerator<Buffer> {
      for await (const part of body as AsyncIterable<Buffer>) {
        packed += part.length;
        yield part;
      }
    };
    for await (const part of unpackedParts(count(), encoding, path)) keep(part);
  } catch (cause) {
    body.destroy();
    error = brokenOff(cause, path);
  }
  const { text, isText } = page.text(error instanceof Oversized ? kept_of_oversized : undefined);
  error ??= isText ? null : new Garbled(`the answer to ${path} is no text: a byte of it is no UTF-8`);
  return { text, bytes: packed, error };
}

/** Rooms that are used again: fresh ones would wait for the garbage collection, tens of megabytes at a time. */
const spare: Buffer[] = [];
const room_bytes = 256 * 1024;
const most_spare = 16;
const nothing = Buffer.alloc(0);

/** Gathers the parts of one body in one room. */
function createPage(): { add(part: Buffer): void; text(most?: number): { text: string; isText: boolean } } {
  let room = spare.pop() ?? Buffer.allocUnsafeSlow(room_bytes);
  let used = 0;
  return {
    add(part) {
      if (used + part.length > room.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(room.length * 2, used + part.length));
        room.copy(larger, 0, 0, used);
        room = larger;
      }
      used += part.copy(room, used);
    },
    // TRICKY: cut as bytes: the beginning of a long text would hold the whole of it in memory.
    text(most = used) {
      const bytes = room.subarray(0, Math.min(used, most));
      const isText = isUtf8(bytes);
      // A byte order mark does not belong to the text.
      const text = bytes.toString('utf8').replace(/^\ufeff/, '');
      if (room.length === room_bytes && spare.length < most_spare) spare.push(room);
      // TRICKY: an error captures the scope in which it was created, which would keep the buffer alive.
      [room, used] = [nothing, 0];
      return { text, isText };
    },
  };
}

function unpackedParts(parts: AsyncGenerator<Buffer>, encoding: string, path: string): AsyncIterable<Buffer> {
  if (encoding === '' || encoding === 'identity') return parts;
  if (encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate') return through(parts, createUnzip());
  if (encoding === 'br') return through(parts, createBrotliDecompress());
  throw new Garbled(`the answer to ${path} is packed in an unknown way (${encoding.slice(0, 40)})`);
}

function through(parts: AsyncGenerator<Buffer>, unpacker: Transform): AsyncIterable<Buffer> {
  const packed = Readable.from(parts);
  packed.on('error', (error) => unpacker.destroy(error));
  return packed.pipe(unpacker);
}

function brokenOff(cause: unknown, path: string): Error {
  if (cause instanceof Oversized || cause instanceof Retryable) return cause;
  const { code = '', message = String(cause) } = cause as { code?: string; message?: string };
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR_FORMAT'))
    return new Garbled(`the answer to ${path} cannot be unpacked (${code})`);
  return new Retryable(`the answer to ${path} broke off (${code || message})`);
}
