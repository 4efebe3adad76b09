// Readers who leave: what they asked ends at the engine, whether they hang up or the server closes.
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { webServer } from '#server/web-server.ts';
import type { Store } from '#warehouse/engine.ts';
import { account } from '../warehouse/account.ts';
import { apiDeps } from '../api/deps.ts';

let engine: Store;
let server: ReturnType<typeof webServer>;
let port: number;
let requests: number;
/** What the engine is asked about the agents. */
const statements = vi.fn<Store['query']>();
const waiting = { timeout: 60_000, interval: 20 };

beforeEach(async () => {
  engine = await account([{ start: '2026-05-05T10:00:00Z' }]);
  // Hours of work for whoever asks after the agents.
  await engine.exec('drop table account.agents');
  await engine.exec(
    "create view account.agents as select 'default' as account, cast(a.range as varchar) as login, 'x' as name " +
      'from range(10000000) as a, range(10000000) as b where (a.range * b.range) % 7 = 8',
  );
  const query = engine.query.bind(engine);
  statements.mockReset().mockImplementation(query);
  engine.query = (sql, params) => (sql.includes('account.agents') ? statements : query)(sql, params);
  requests = 0;
  server = webServer(apiDeps(engine), (_request, response) => response.end('a page'));
  server.on('request', () => (requests += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await engine.close();
});

function ask(path: string): ClientRequest {
  const asked = request({ host: '127.0.0.1', port, path, agent: false });
  asked.on('error', () => undefined).end();
  return asked;
}

/** How the statement of hours ended, once it has; undefined while the engine is at work on it. */
function ending(): () => string | undefined {
  const [statement] = statements.mock.results.slice(-1);
  let ended: string | undefined;
  void Promise.resolve(statement?.value).then(
    () => (ended = 'answered'),
    (error: Error) => (ended = error.name),
  );
  return () => ended;
}

/** Resolves when so many readers have been heard and the engine is at work for them. */
async function heard(readers: number): Promise<void> {
  await vi.waitFor(() => {
    expect(requests).toBe(readers);
    expect(statements).toHaveBeenCalled();
  }, waiting);
}

it('what was asked ends when the last reader of it hangs up', async () => {
  const [first, second] = [ask('/api/accounts'), ask('/api/accounts')];
  await heard(2);
  const ended = ending();
  first.destroy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(ended()).toBeUndefined();
  second.destroy();
  await vi.waitFor(() => expect(ended()).toBe('Cancelled'), waiting);
  // Both asked the same, so the engine was asked once.
  expect(statements).toHaveBeenCalledTimes(1);
});

it('what was asked ends when the server closes its connections', async () => {
  ask('/api/accounts');
  await heard(1);
  const ended = ending();
  server.closeAllConnections();
  await vi.waitFor(() => expect(ended()).toBe('Cancelled'), waiting);
});
