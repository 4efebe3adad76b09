// Compresses answers as they are written, but for those that come compressed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import { least_compressed } from '#api/encoded.ts';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Smaller answers are not worth it; events must arrive one by one. */
const packed = compression({
  threshold: least_compressed,
  filter: (request, response) =>
    !String(response.getHeader('content-type')).startsWith('text/event-stream') &&
    compression.filter(request, response),
}) as unknown as NodeHandler;

export const compress: NodeHandler = (request, response, next) =>
  packed(request, response, () => {
    hearDrainByOne(response);
    next();
  });

/**
 * TRICKY: the package listens for `drain` on its own stream, where removals on the response have no effect, so that every `once` of a
 * long answer would stay until its end. A single permanent listener notifies the waiting ones.
 */
function hearDrainByOne(response: ServerResponse): void {
  const once = response.once.bind(response);
  let waiting: (() => void)[] = [];
  let isHeard = false;
  const told = (): void => {
    const now = waiting;
    waiting = [];
    for (const listener of now) listener();
  };
  response.once = ((event: string, listener: () => void) => {
    if (event !== 'drain') return once(event, listener);
    waiting.push(listener);
    if (!isHeard) response.on('drain', told);
    isHeard = true;
    return response;
  }) as typeof response.once;
}
