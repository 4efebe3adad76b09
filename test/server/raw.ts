// Asks a port in bytes, as no client library would: whatever is written goes out, whatever comes back is kept.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface Heard {
  /** 0 when nothing that looks like an answer came. */
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export async function opened(server: Server): Promise<Socket> {
  const socket = connect(portOf(server), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** TRICKY: `once` of node:events also ends with the error of a connection that was cut, and being cut is what is looked at. */
const seen = (socket: Socket, event: 'close' | 'drain'): Promise<void> =>
  new Promise((resolve) => socket.once(event, () => resolve()));

/** Everything that comes until the other side closes. */
export async function untilClosed(socket: Socket): Promise<Heard> {
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  if (!socket.closed) await seen(socket, 'close');
  return heard(text);
}

export function heard(text: string): Heard {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const pairs = lines.map(
    (line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')] as const,
  );
  return { status: Number(first.split(' ')[1] ?? 0), headers: new Map(pairs), body: rest.join('\r\n\r\n') };
}

/** One request in an old-fashioned hand; `lines` are headers, and the connection ends after the answer. */
export async function say(
  server: Server,
  request: string,
  lines: readonly string[] = [],
  { body = '', host = '127.0.0.1:3000', version = 'HTTP/1.1' } = {},
): Promise<Heard> {
  const socket = await opened(server);
  const head = [`${request} ${version}`, ...(host === '' ? [] : [`Host: ${host}`]), 'Connection: close', ...lines];
  socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  return untilClosed(socket);
}

/** Sends a body without an end, as fast as it is taken, until the other side closes; `taken` are the bytes that left. */
export async function flood(server: Server, request: string, most: number): Promise<Heard & { taken: number }> {
  const socket = await opened(server);
  const answer = untilClosed(socket);
  socket.write(
    `${request} HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n`,
  );
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 32), Buffer.from('\r\n')]);
  while (!socket.destroyed && socket.bytesWritten < most)
    if (!socket.write(chunk)) await Promise.race([seen(socket, 'drain'), seen(socket, 'close')]);
  socket.destroy();
  return { ...(await answer), taken: socket.bytesWritten };
}
