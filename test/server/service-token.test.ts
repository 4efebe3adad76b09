// `chatledger service-token`: what it mints opens the interface that it is for, beside the running service.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { newFolder, runToEnd } from './program.ts';

const folder = newFolder();
const login = 'owner@example.com';
let service: Service;
beforeAll(async () => {
  const file = join(folder, 'data', 'service', 'service.sqlite');
  mkdirSync(dirname(file), { recursive: true });
  service = await startService({ file, days: 2, port: 0, apiKey: 'cd'.repeat(16) });
});
afterAll(() => service.close());

const run = (...words: string[]) => runToEnd(['service-token', ...words], { CHATLEDGER_DATA: 'data' }, folder);
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

async function statusOf(path: string, authorization: string): Promise<number> {
  const headers = { authorization, 'content-type': 'application/json' };
  const own = path.startsWith('/v3') ? { method: 'POST', body: '{}' } : {};
  return (await fetch(`${service.url}${path}`, { headers, ...own })).status;
}

test('a personal access token is the password of its agent in Basic authentication, and of nobody else', async () => {
  const { code, said } = await run('--agent', login, '--personal');
  expect(code).toBe(0);
  const token = said.trim().split('\n').at(-1)!;
  expect(await statusOf('/agents', basic(login, token))).toBe(200);
  expect(await statusOf('/reports/chats/total_chats', basic(login, token))).toBe(200);
  expect(await statusOf('/agents', basic('amelia.hart@velora.example', token))).toBe(401);
  expect(await statusOf('/v3.5/agent/action/list_chats', `Bearer ${token}`)).toBe(401);
});

test('an access token is a Bearer token of its scopes and region', async () => {
  const { said } = await run('--agent', login, '--scope', 'agents_read', '--region', 'dal');
  const token = said.trim().split('\n').at(-1)!;
  expect(token).toMatch(/^dal:/);
  expect(await statusOf('/agents', `Bearer ${token}`)).toBe(200);
  expect(await statusOf('/v3.5/agent/action/list_chats', `Bearer ${token}`)).toBe(403);
});

test.each([
  [['--agent', login, '--personal', '--scope', 'agents_read'], '--personal goes without --scope'],
  [['--agent', login, '--personal', '--expires', '60'], '--personal goes without --expires'],
  [['--customer', 'new', '--personal'], '--personal needs --agent'],
  [['--agent', login, '--region', 'eu'], '--region eu is no region'],
])('%j is refused', async (words, sentence) => {
  const { code, complained } = await run(...words);
  expect(code).toBe(2);
  expect(complained).toContain(sentence);
});
