// Says at once what changed: a snapshot was published, a pull came further; server-sent events, one look for all readers.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { listenToEvents, type EventData } from './contract/health.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { callerOf, shownIn } from './guard.ts';

/** Between two looks, and between two signs of life on a quiet connection. */
const look_every_ms = 500;
const alive_every_ms = 15_000;

/** Each holds a connection; a browser that is refused looks at `/health` from time to time. */
const most_readers = 100;
const retry_seconds = 30;

/** A client with this many unread events counts as stalled. */
const most_waiting = 8;

interface SentEvent {
  event: keyof EventData;
  data: string;
}

function seen(deps: ApiDeps): SentEvent[] {
  // A reader stays for hours: held open for it, every snapshot of those hours would take its memory.
  return [
    { event: 'snapshot', data: JSON.stringify(deps.published() satisfies EventData['snapshot']) },
    { event: 'pull', data: JSON.stringify(deps.pull() satisfies EventData['pull']) },
  ];
}

export function addEvents(app: Hono, deps: ApiDeps): void {
  const readers = new Set<(told: SentEvent) => void>();
  let last = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = seen(deps);
    const news = now.filter(({ event, data }) => last.get(event) !== data);
    last = new Map(now.map(({ event, data }) => [event, data]));
    for (const told of news) for (const tell of readers) tell(told);
  };
  const join = (tell: (told: SentEvent) => void): void => {
    if (readers.size === 0) last = new Map(seen(deps).map(({ event, data }) => [event, data]));
    readers.add(tell);
    timer ??= setInterval(look, look_every_ms).unref();
  };
  const leave = (tell: (told: SentEvent) => void): void => {
    readers.delete(tell);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  app.get(listenToEvents.path, (c) => {
    if (readers.size >= most_readers)
      throw new Declined('unavailable', `${most_readers} readers listen already: ask again later`, [], retry_seconds);
    // A HEAD request gets headers only; nobody would read the stream.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' });
    c.header('cache-control', 'no-store');
    c.header('x-accel-buffering', 'no');
    return streamSSE(c, async (stream) => {
      let waiting = 0;
      const write = (words: Promise<unknown>): void => {
        waiting += 1;
        void words.finally(() => (waiting -= 1));
        if (waiting > most_waiting) cut();
      };
      const { promise: gone, resolve: cut } = Promise.withResolvers<void>();
      // Users who have signed out, or lost access, receive no more events.
      const isIn = async (): Promise<boolean> =>
        (await callerOf(deps, shownIn(c)).catch(() => null))?.rights.has('numbers:read') ?? false;
      const toWhoIsIn = (say: () => Promise<unknown>): void =>
        write(
          isIn()
            .then((is) => (is ? say() : cut()))
            .catch(() => cut()),
        );
      const tell = (told: SentEvent): void => toWhoIsIn(() => stream.writeSSE(told));
      const alive = setInterval(() => toWhoIsIn(() => stream.write(': alive\n\n')), alive_every_ms);
      const stop = deps.auth.sessions.whenForgotten(() => void isIn().then((is) => is || cut()));
      stream.onAbort(() => cut());
      join(tell);
      for (const told of seen(deps)) tell(told);
      await gone;
      stop();
      leave(tell);
      clearInterval(alive);
      // A client that still reads gets a proper end; its browser would treat a broken connection as a failure.
      if (waiting <= most_waiting && !stream.aborted) return;
      hangUp(c);
      stream.abort();
    });
  });
}

/** TRICKY: the stream alone would wait for a reader who takes nothing; only the connection can be ended. */
function hangUp(c: Context): void {
  (c.env as Partial<HttpBindings> | undefined)?.outgoing?.destroy();
}
