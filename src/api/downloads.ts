// Files of any size: written while somebody reads them, some at a time, and ended when nobody does.
import type { Context } from 'hono';
import { Cancelled, currentSignal, within, withSignal } from '#warehouse/cancellation.ts';
import { Declined } from './errors.ts';

/** A whole file takes no longer, and a reader who takes nothing for so long has left. */
const longest_seconds = 900;
const idle_seconds = 30;
const first_seconds = 120;
const most_at_once = 6;

export interface Download {
  name: string;
  type: string;
  /** What it holds. It is ended in every case, also when nobody has read any of it. */
  parts: AsyncGenerator<string | Uint8Array>;
}

export class Downloads {
  #running = 0;

  /** The file that `make` gives. Errors: Declined, when too many are read; Cancelled; those of `make` and of its first part. */
  async answer(c: Context, make: () => Promise<Download>): Promise<Response> {
    if (this.#running >= most_at_once)
      throw new Declined('unavailable', `${most_at_once} files are being read at the moment: ask again in a while`);
    this.#running += 1;
    let making: Promise<Download> | undefined;
    let isBegun = false;
    const over = async (): Promise<void> => {
      this.#running -= 1;
      // Whoever left while it was made is not waited for; what was made then is ended all the same.
      const made = await making?.catch(() => undefined);
      // TRICKY: what was never begun does not hear that it is over.
      if (!isBegun) await made?.parts.next();
      await made?.parts.return(undefined);
    };
    try {
      const { name, type, parts } = await within(longest_seconds, () => (making = make()));
      isBegun = true;
      // What is wrong shows with the first rows, while it can still be said.
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

/** Goes on when somebody reads; ends when he has left, takes nothing for a while, or it lasts too long. */
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
  // Whoever leaves while nothing is asked of the stream is heard as well.
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
