// Work for a question ends in its next slice once the caller has hung up; nobody else's does, and nothing is told of it as a mistake.
import { once } from 'node:events';
import { get, request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createRoutes } from '#service/routes.ts';
import { mintToken } from '#service/tokens.ts';
import { unversioned } from '#service/wire.ts';
import { ann, at, basic, chat, tinyAccount } from './tiny.ts';

const first = at('2026-05-06T10:00:00Z');
const moment = (minute: number): string => new Date((first + minute * 60) * 1000).toISOString();
const stored = 4000;
const { account } = tinyAccount({
  now: moment(200),
  chats: Array.from({ length: stored }, (_, place) => chat(moment(place % 50), moment(60))),
});
// A copy: other tests read the same staff.
account.staff = {
  ...account.staff,
  agents: account.staff.agents.map((agent) => ({ ...agent, permission: 'owner' })),
};
const mistakes: unknown[] = [];
const routes = createRoutes(account, () => {}, {
  reach: { hosts: [], setting: 'none' },
  onMistake: (error) => mistakes.push(error),
});
const server = createAdaptorServer({ fetch: (asked) => routes.fetch(unversioned(asked)) });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const headers = basic(ann, account.staff.agents[0]!.api_key);
const bearer = { authorization: `Bearer ${mintToken(account.store, { agent: ann, scopes: 'all' })}` };

/** Chats that were read, each for a quarter of a millisecond. */
let read = 0;
/** Scans that were begun and have not ended. */
let scans = 0;
const { snapshot } = account.chats;
account.chats.snapshot = () => {
  const own = snapshot();
  scans++;
  return {
    ...own,
    of(number) {
      read++;
      for (const until = performance.now() + 0.25; performance.now() < until;);
      return own.of(number);
    },
    end() {
      scans--;
      own.end();
    },
  };
};
beforeEach(() => {
  read = 0;
});
afterAll(() => {
  server.close();
  account.store.close();
});

async function hangUp(asked: ClientRequest): Promise<void> {
  asked.on('error', () => undefined);
  while (read === 0) await pause(1);
  asked.destroy();
  while (scans > 0) await pause(1);
}

const where = { host: '127.0.0.1', port };

it.each(['/chats?tagged=1', '/v2/chats?tagged=1', '/v2/reports/chats/total_chats?date_from=2026-05-06'])(
  'a scan for %s ends with its caller',
  async (path) => {
    await hangUp(get({ ...where, path, headers }));
    expect(read).toBeLessThan(stored / 2);
    expect(mistakes).toEqual([]);
  },
);

it('a scan for an action ends with its caller', async () => {
  const asked = request({
    ...{ ...where, method: 'POST', path: '/v3.5/agent/action/list_archives' },
    headers: { ...bearer, 'content-type': 'application/json' },
  });
  asked.end(JSON.stringify({ filters: { tags: { values: ['sales'] } } }));
  await hangUp(asked);
  expect(read).toBeLessThan(stored / 2);
  expect(mistakes).toEqual([]);
});

it('whoever waits beside somebody who hangs up is answered', async () => {
  const waiting = fetch(`http://127.0.0.1:${port}/chats?tagged=1`, { headers });
  await hangUp(get({ ...where, path: '/chats?tagged=0', headers }));
  expect(await (await waiting).json()).toMatchObject({ total: 0 });
  expect(read).toBeGreaterThanOrEqual(stored);
});
