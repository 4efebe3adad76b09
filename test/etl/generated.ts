// A generated account behind HTTP in this process, whose answers a test may change.
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, type GeneratedDay } from '../../bench/account.ts';
import { unhurried, warehouseOf, type Pulled } from './pulled.ts';

/** What is said instead: a status, a body, or both; nothing leaves the answer as it is. */
export type Change = (path: string, body: string) => { status?: number; body?: string } | undefined;

export const agents_listed = 3;
export const groups_listed = 2;

export interface Generated {
  /** Paths that were asked, in order. */
  asked: string[];
  /** From now on answers are changed so. */
  change(how: Change): void;
  warehouse(): Promise<Pulled>;
  close(): Promise<void>;
}

/** Lists are answered with so many of their first: each agent and group is asked for by itself. */
const listed: Record<string, number> = { '/agents': agents_listed, '/groups': groups_listed };

/** `now` in Unix seconds; the account's zone is UTC. */
export async function generatedAccount(days: readonly GeneratedDay[], now: number): Promise<Generated> {
  const account = createAccount(days, 'UTC', now);
  const asked: string[] = [];
  let changed: Change = () => undefined;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const answer = account.answer(path);
    const body = shortened(path, answer ?? '{"error":"Not Found"}');
    const instead = changed(path, body);
    response.writeHead(instead?.status ?? (answer ? 200 : 404)).end(instead?.body ?? body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-generated-'));
  let warehouses = 0;
  return {
    asked,
    change: (how) => (changed = how),
    warehouse: () =>
      warehouseOf({ url, since: days[0]?.day ?? '', now }, join(folder, String(++warehouses)), {
        ...{ isReopened: false, limits: unhurried },
      }),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

const shortened = (path: string, body: string): string =>
  listed[path] === undefined ? body : JSON.stringify((JSON.parse(body) as unknown[]).slice(0, listed[path]));
