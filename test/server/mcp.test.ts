// `chatledger mcp` as an assistant starts it: the official client over standard input and output, and each way in which it does not begin.
import { serve, type ServerType } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { openDoors, type Doors } from '../access/api.ts';
import { promisedApi } from '../api/promised-api.ts';
import { account } from '../warehouse/account.ts';
import { newFolder, program, runToEnd } from './program.ts';

/** What the API says of a caller without rights. */
const me = {
  ...{ is_login_required: true, user: null, rights: [], rows: null },
  ...{ agents_from: null, owes: null, can_share: false, publishes: true },
};

let engine: Store;
let doors: Doors;
let server: ServerType;
let url: string;
beforeAll(async () => {
  engine = await account([{ start: '2026-05-05T10:00:00Z' }], 'Europe/Warsaw');
  doors = openDoors(engine);
  const api = promisedApi(apiDeps(engine, doors.deps));
  await new Promise<void>((resolve) => {
    server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve());
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await engine.close();
});

test.each([['legacy' as const], ['auto' as const]])(
  'asks the running product for whoever has the token: %s',
  async (mode) => {
    if (!doors.auth.isLoginRequired()) await doors.userWith('admin');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--url', url],
      env: { PATH: process.env.PATH ?? '', CHATLEDGER_MCP_TOKEN: 'right-token' },
      cwd: newFolder(),
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ask_metric', 'get_chat', 'run_sql']));
    const { content } = await client.callTool({
      name: 'ask_metric',
      arguments: { metric: 'total_chats', from: '2026-05-05', to: '2026-05-05' },
    });
    const said = content.at(-1);
    const answer = JSON.parse(said?.type === 'text' ? said.text : '') as { rows: { receipt: string }[] };
    expect(answer).toMatchObject({ rows: [{ period: '2026-05-05', chats: 1, state: 'complete' }] });
    expect(answer.rows[0]?.receipt).toMatch(`${url}/receipt/total_chats?`);
    await client.close();
  },
);

test('it does not begin where nobody answers, or not whoever asks', async () => {
  if (!doors.auth.isLoginRequired()) await doors.userWith('admin');
  const folder = newFolder();
  for (const [words, settings, code, says] of [
    [[], {}, 3, /answers nobody without a token: make one with `chatledger token add` and set CHATLEDGER_MCP_TOKEN/],
    [
      [],
      { CHATLEDGER_MCP_TOKEN: 'wrong' },
      3,
      /refuses the token of CHATLEDGER_MCP_TOKEN: it is wrong, revoked or expired/,
    ],
    [['--url', 'http://127.0.0.1:9'], {}, 3, /nothing answers at http:\/\/127\.0\.0\.1:9: start the product there/],
    [['--url', 'here'], {}, 2, /--url here must be the address of a running product/],
  ] as const) {
    const ended = await runToEnd(['mcp', ...(words.length > 0 ? words : ['--url', url])], settings, folder);
    expect([ended.code, ended.said, ended.complained]).toEqual([code, '', expect.stringMatching(says)]);
  }
});

test('it says so where something else answers, and where the product has been stopped since', async () => {
  let text = '<html></html>';
  const other = createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const there = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const [answer, says] of [
    [text, /the answer of the API has status 200 and is no JSON of it/],
    ['{}', /does not answer as a Chatledger does/],
  ] as const) {
    text = answer;
    const ended = await runToEnd(['mcp', '--url', there], {}, newFolder());
    expect([ended.code, ended.complained]).toEqual([3, expect.stringMatching(says)]);
  }
  const rights = ['numbers:read'];
  text = JSON.stringify({ ...me, rights });
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env.PATH ?? '' };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', '--url', there],
      env,
      cwd: newFolder(),
    }),
  );
  other.close();
  other.closeAllConnections();
  const { content, isError } = await client.callTool({ name: 'list_metrics', arguments: {} });
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(`nothing answers at ${there}`)]);
  await client.close();
});
