// The embedded service with many stored chats: actions of both chat APIs, its reports, and its memory.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportIds, reports } from '#contract/reports.ts';
import { newCustomer } from '#service/live/customers.ts';
import { licenseOf } from '#service/license.ts';
import { openStore, type ChatStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { elapsed, printTable, shown } from './clock.ts';

const port = 4990;
const url = `http://127.0.0.1:${port}`;
const owner = 'owner@example.com';
const key = 'bench';
/** The simulated account has about so many a day. */
const chatsADay = 200;
const clients = 8;
const conversations = 25;

export async function benchService(chats: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-bench-service-'));
  const service = start(folder, Math.ceil(chats / chatsADay));
  try {
    await listening(service);
    const file = join(folder, 'service', 'service.sqlite');
    const store = openStore(file);
    const stored = Number(store.live.rows('select count(*) as n from chats')[0]!.n);
    const times = await talk(store);
    const slowest = await slowestReport();
    store.close();
    const all = times.flatMap(([, each]) => each).sort((a, b) => a - b);
    const seconds = all.reduce((sum, each) => sum + each, 0) / 1000 / clients;
    console.log(`\nservice: ${stored} stored chats, ${clients} clients at once, ${all.length} actions`);
    printTable(
      ['', 'seen', 'goal'],
      [
        ['actions a second', shown(all.length / seconds), '500'],
        ['p99 of an action, ms', shown(all[Math.floor(all.length * 0.99)]!), '20'],
        ...times.map(([name, each]) => [
          `  ${name}, median ms`,
          shown(each.sort((a, b) => a - b)[each.length >> 1]!),
          '',
        ]),
        [`slowest report of 30 days (${slowest.name}), ms`, shown(slowest.milliseconds), '300'],
        ['memory, MB', shown(residentOf(service)), '300'],
      ],
    );
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(folder: string, days: number): ChildProcess {
  return spawn(process.execPath, ['src/server/chatledger.ts', 'service'], {
    env: {
      ...process.env,
      CHATLEDGER_DATA: folder,
      CHATLEDGER_SERVICE_PORT: String(port),
      CHATLEDGER_SERVICE_DAYS: String(days),
      CHATLEDGER_SERVICE_LOGIN: owner,
      CHATLEDGER_SERVICE_API_KEY: key,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function listening(service: ChildProcess): Promise<void> {
  while (service.exitCode === null) {
    const answer = await fetch(`${url}/status`, { headers: basic }).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error(`the service ended with ${service.exitCode}`);
}

const basic = { authorization: `Basic ${Buffer.from(`${owner}:${key}`).toString('base64')}` };

/** Whole conversations of several customers at once; the milliseconds of each action. */
async function talk(store: ChatStore): Promise<[name: string, milliseconds: number[]][]> {
  const { license_id } = licenseOf(store);
  const agent = mintToken(store, { agent: owner, scopes: 'all' });
  const now = Math.floor(Date.now() / 1000);
  const times = new Map<string, number[]>();
  const act = async (path: string, token: string, body: unknown): Promise<Record<string, string>> => {
    let answer: Record<string, string> = {};
    const name = path.split('/').at(-1)!.split('?')[0]!;
    const taken = await elapsed(async () => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      answer = (await response.json()) as Record<string, string>;
      if (response.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    });
    times.set(name, [...(times.get(name) ?? []), taken]);
    return answer;
  };
  const converse = async (): Promise<void> => {
    const { id } = store.transact(() => newCustomer(store, now, { name: 'Bench' }));
    const token = mintToken(store, { kind: 'customer', agent: id, scopes: [] });
    const asCustomer = (name: string, body: unknown) =>
      act(`/v3.3/customer/action/${name}?license_id=${license_id}`, token, body);
    const asAgent = (name: string, body: unknown) => act(`/v3.5/agent/action/${name}`, agent, body);
    const event = { type: 'message', text: 'How long does delivery take?' };
    const { chat_id = '', thread_id } = await asCustomer('start_chat', {
      continuous: true,
      chat: { thread: { events: [event] } },
    });
    await asAgent('add_user_to_chat', {
      ...{ chat_id, user_id: owner, user_type: 'agent', visibility: 'all' },
      ignore_requester_presence: true,
    });
    for (let line = 0; line < 5; line++) {
      await asAgent('send_event', { chat_id, event });
      await asCustomer('send_event', { chat_id, event });
    }
    await asAgent('get_chat', { chat_id });
    await asCustomer('update_thread_properties', { chat_id, thread_id, properties: { rating: { score: 1 } } });
    await asAgent('tag_thread', { chat_id, thread_id, tag: 'bench' });
    await asAgent('list_chats', { limit: 10 });
    await asAgent('deactivate_chat', { id: chat_id });
  };
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let each = 0; each < conversations; each++) await converse();
    }),
  );
  return [...times];
}

async function slowestReport(): Promise<{ name: string; milliseconds: number }> {
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  let slowest = { name: '', milliseconds: 0 };
  for (const name of reportIds) {
    const question = name === 'agents_occupancy' ? 'weekday=mon' : `date_from=${from}&group_by=day`;
    const milliseconds = await elapsed(async () => {
      const answer = await fetch(`${url}${reports[name].path}?${question}`, { headers: basic });
      if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
      await answer.arrayBuffer();
    });
    if (milliseconds > slowest.milliseconds) slowest = { name, milliseconds };
  }
  return slowest;
}

const residentOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
