// A receiver of webhooks on loopback: keeps what comes and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: { webhook_id: string; action: string; payload: Record<string, unknown>; [name: string]: unknown };
}

/** `answer` gives the status of each, or nothing for silence. */
export async function receiver(answer: (received: ReceivedWebhook) => number | undefined = () => 200, at_port = 0) {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const each = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as ReceivedWebhook['body'],
      };
      received.push(each);
      const status = answer(each);
      if (status !== undefined) response.writeHead(status, { location: '/elsewhere' }).end('thanks');
    });
  }).listen(at_port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Waits until it is so; a test that waits in vain ends by its own limit. */
export async function until(isSo: () => boolean, milliseconds = 20_000): Promise<void> {
  for (const end = performance.now() + milliseconds; !isSo();) {
    if (performance.now() > end) throw new Error(`not so within ${milliseconds} ms: ${isSo.toString()}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
