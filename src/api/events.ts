// Says at once what changed: a snapshot was published, a pull came further; server-sent events, one look for all readers.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import type { Door } from './door.ts';

/** Between two looks, and between two signs of life on a quiet connection. */
const look_every_ms = 500;
const alive_every_ms = 15_000;

interface Told {
  event: 'snapshot' | 'pull';
  data: string;
}

function seen(door: Door): Told[] {
  const snapshot = door.snapshot();
  const { id = null, published_at = null } = snapshot ?? {};
  return [
    { event: 'snapshot', data: JSON.stringify(id === null ? null : { id, published_at }) },
    { event: 'pull', data: JSON.stringify(door.pull()) },
  ];
}

export function addEvents(app: OpenAPIHono, door: Door): void {
  const readers = new Set<(told: Told) => void>();
  let last = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = seen(door);
    const news = now.filter(({ event, data }) => last.get(event) !== data);
    last = new Map(now.map(({ event, data }) => [event, data]));
    for (const told of news) for (const tell of readers) tell(told);
  };
  const join = (tell: (told: Told) => void): void => {
    if (readers.size === 0) last = new Map(seen(door).map(({ event, data }) => [event, data]));
    readers.add(tell);
    timer ??= setInterval(look, look_every_ms).unref();
  };
  const leave = (tell: (told: Told) => void): void => {
    readers.delete(tell);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/events',
    summary: 'What changes, as it changes: `snapshot` when one is published, `pull` as a pull goes on',
    responses: {
      200: { description: 'Server-sent events; the state comes first', content: { 'text/event-stream': {} } },
    },
  });
  app.get('/events', (c) => {
    c.header('cache-control', 'no-store');
    c.header('x-accel-buffering', 'no');
    return streamSSE(c, async (stream) => {
      const tell = (told: Told): void => void stream.writeSSE(told);
      stream.onAbort(() => leave(tell));
      join(tell);
      for (const told of seen(door)) await stream.writeSSE(told);
      while (!stream.aborted && !stream.closed) {
        await stream.sleep(alive_every_ms);
        await stream.write(': alive\n\n');
      }
      leave(tell);
    });
  });
}
