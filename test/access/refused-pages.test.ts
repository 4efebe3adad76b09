// Pages that are refused to somebody who has signed in are in the audit, each once, and without what stands behind their name.
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { webServer } from '#server/web-server.ts';
import { portOf } from '../server/raw.ts';
import { openDoors } from './api.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Answers as the app does to whoever may not see `/audit` and `/chat`. */
const pages = ({ url = '' }: { url?: string | undefined }, response: ServerResponse): void => {
  response.statusCode = /^\/(audit|chat)\b/.test(url) ? 403 : 200;
  response.end('a page');
};

it('each once, and none of whoever has not signed in', async () => {
  const { auth, deps, userWith } = openDoors(null);
  const server = webServer(deps, pages);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const open = async (path: string, cookie = ''): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${portOf(server)}${path}`, { headers: { cookie } });
    await answer.text();
    return answer.status;
  };
  expect(await open('/audit')).toBe(403);
  await userWith('admin');
  const viewer = await userWith('viewer');
  const paths = ['/audit', '/audit?who=anna', '/queue', '/chat/K1?query=anna', '/chat/K2'];
  const seen: number[] = [];
  for (const path of paths) seen.push(await open(path, viewer.cookie));
  for (const path of paths) await open(path);
  expect(seen).toEqual([403, 403, 200, 403, 403]);
  const rows = auth.audit.list({ action: 'request.refused' }, 10);
  expect(rows.map(({ who, about, is_refused }) => [who, about, is_refused])).toEqual([
    ['person2@example.com', 'the page /chat', true],
    ['person2@example.com', 'the page /audit', true],
  ]);
  expect(rows.every(({ address }) => address.includes('127.0.0.1'))).toBe(true);
});
