// The generated account behind HTTP, in a separate process: `startSource` forks this file and returns its address.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createAccount, daysOf } from './account.ts';

export interface SourceSize {
  from: string;
  chats: number;
  chats_a_day: number;
  zone: string;
  /** Unix seconds. */
  now: number;
}

export interface RunningSource {
  url: string;
  /** Requests answered so far. */
  requests(): Promise<number>;
  end(): void;
}

const self = fileURLToPath(import.meta.url);

export function startSource(size: SourceSize): Promise<RunningSource> {
  const child = fork(self, [JSON.stringify(size)]);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the generated source ended with exit code ${code}`)));
    child.once('message', (message) =>
      resolve({
        url: (message as { url: string }).url,
        requests: () =>
          new Promise((told) => {
            child.once('message', (count) => told(count as number));
            child.send('count');
          }),
        end: () => void child.kill(),
      }),
    );
  });
}

function serve({ from, chats, chats_a_day, zone, now }: SourceSize): void {
  const account = createAccount(daysOf(from, chats, chats_a_day), zone, now);
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const body = account.answer(request.url ?? '/');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(body ?? '{"error":"Not Found"}');
  });
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  );
  process.on('message', () => process.send?.(requests));
  process.on('disconnect', () => process.exit());
}

if (process.argv[1] === self && process.send) serve(JSON.parse(process.argv[2] ?? '{}') as SourceSize);
