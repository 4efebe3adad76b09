// Downloads of any size: written as fast as they are read, a few at a time, and ended when the client disconnects.
import type { FileHandle } from 'node:fs/promises';
import type { Context } from 'hono';
import { Cancelled, currentSignal, within, withSignal } from '#warehouse/cancellation.ts';
import { Declined } from './errors.ts';

/** Limit for a whole file; a client that reads nothing for this long counts as disconnected. */
const longest_seconds = 900;
const idle_seconds = 30;
const first_seconds = 120;
const most_at_once = 6;

export interface Download {
  name: string;
  type: string;
  /** Its content. It is always closed, even if none of it was read. */
  parts: AsyncGenerator<string | Uint8Array>;
}

const piece_bytes = 256 * 1024;

/** The bytes of an open file, which is closed in every case. */
export async function* bytesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(piece_bytes));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

export class Downloads {
  #running = 0;

  /** The file returned by `make`. Errors: Declined, for too many downloads at once; Cancelled; those of `make` and of its first part. */
  async answer(c: Context, make: () => Promise<Download>): Promise<Response> {
    if (this.#running >= most_at_once)
      throw new Declined('unavailable', `${most_at_once} files are being read at the moment: ask again in a while`);
    this.#running += 1;
    let making: Promise<Download> | undefined;
    let isBegun = false;
    const over = async (): Promise<void> => {
      this.#running -= 1;
      // A disconnected client is not waited for; the file it requested is closed all the same.
      const made = await making?.catch(() => undefined);
      // TRICKY: a generator that never started does not run its cleanup.
      if (!isBegun) await made?.parts.next();
      await made?.parts.return(undefined);
    };
    try {
      const { name, type, parts } = await within(longest_seconds, () => (making = make()));
      isBegun = true;
      // Errors appear with the first rows, while a status can still be sent.
      const first = await within(first_seconds, () => parts.next());
      const headers = {
        'content-type': type,
        'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`,
        'cache-control': 'no-store',
      };
      if (c.req.raw.method === 'HEAD') {
        await over();
        return c.body(null, 200, headers);
      }
      return c.body(streamOf(first, parts, over), 200, headers);
    } catch (error) {
      void over().catch(() => undefined);
      throw error;
    }
  }
}

type DownloadPart = IteratorResult<string | Uint8Array, unknown>;

/** Continues when the client reads; ends when it disconnects, stops reading for a while, or exceeds the limit. */
function streamOf(
  first: DownloadPart,
  parts: Download['parts'],
  over: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const leaving = new AbortController();
  const asked = currentSignal();
  const signal = AbortSignal.any([
    leaving.signal,
    AbortSignal.timeout(longest_seconds * 1000),
    ...(asked ? [asked] : []),
  ]);
  let next: DownloadPart | undefined = first;
  let idle: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    clearTimeout(idle);
    leaving.abort(new Cancelled('the file is not read any more'));
    await over().catch(() => undefined);
  };
  // Notices a disconnect even while nothing is being read.
  asked?.addEventListener('abort', () => void end(), { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(idle);
      try {
        const { value, done } = next ?? (await withSignal(signal, () => within(first_seconds, () => parts.next())));
        next = undefined;
        if (done) {
          controller.close();
          return await end();
        }
        controller.enqueue(typeof value === 'string' ? Buffer.from(value) : (value as Uint8Array));
        idle = setTimeout(() => {
          controller.error(new Cancelled('the file is not read any more'));
          void end();
        }, idle_seconds * 1000);
      } catch (error) {
        // TRICKY: the status has been sent; a body that breaks off is the only way left to say that the file is not whole.
        controller.error(error);
        await end();
      }
    },
    cancel: end,
  });
}
