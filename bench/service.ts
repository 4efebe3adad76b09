// The embedded service with many stored chats: what it answers at most, how fast at the load it is made for, its reports, and its memory.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportIds, reports } from '#contract/reports.ts';
import { startService } from '#service/service.ts';
import { openStore } from '#service/store.ts';
import { elapsed, median, printTable, shown } from './clock.ts';
import { askBeside } from './service/beside.ts';
import { actionsOfOne, peopleOf } from './service/conversation.ts';
import { doorOf } from './service/door.ts';
import { offer, saturate, type Load } from './service/load.ts';

const port = 4990;
const url = `http://127.0.0.1:${port}`;
const owner = 'owner@example.com';
const key = 'bench';
/** The simulated account has about so many a day. */
const chatsADay = 306;
/** Clients that ask as fast as they are answered, and their conversations. */
const clients = 8;
const saturating = 200;
/** What is offered, actions a second, and in how many conversations at once. */
const each_second = 500;
const at_once = 50;
const offered_seconds = 30;

/** `data` is a folder that has the account, or will; it is kept. */
export async function benchService(chats: number, data?: string): Promise<void> {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'chatledger-bench-service-'));
  const file = join(folder, 'service', 'service.sqlite');
  if (!existsSync(file)) await make(file, Math.ceil(chats / chatsADay));
  const service = start(folder);
  try {
    await listening(service);
    const store = openStore(file);
    const stored = Number(store.live.rows('select count(*) as n from chats')[0]!.n);
    const offered = at_once * Math.round((offered_seconds * each_second) / (actionsOfOne * at_once));
    const { customers, ...people } = peopleOf(store, owner, saturating + offered);
    store.close();
    const door = doorOf(port);
    const memory = [residentOf(service)];
    const [most, most_cpu] = await spending(service, () =>
      saturate(door.ask, people, customers.slice(0, saturating), clients),
    );
    const [asked, cpu] = await spending(service, () =>
      offer(door.ask, people, customers.slice(saturating), { each_second, at_once }),
    );
    door.close();
    const slowest = await slowestReport();
    memory.push(residentOf(service));
    const whole = await askBeside(
      () => answerTo('/chats?tagged=1'),
      () => answerTo('/status'),
    );
    console.log(`\nservice: ${stored} stored chats`);
    printTable(
      ['', 'seen', 'goal'],
      [
        [`${clients} clients at once, actions a second`, shown(rateOf(most)), '500'],
        ['  processor time of an action, ms', shown(most_cpu / countOf(most)), ''],
        [`${each_second} actions a second offered, answered a second`, shown(rateOf(asked)), '500'],
        ['  p50, ms from when it is due', shown(share(allOf(asked), 0.5)), ''],
        ['  p99, ms from when it is due', shown(share(allOf(asked), 0.99)), '20'],
        ['  longest, ms', shown(share(allOf(asked), 1)), ''],
        ['  processor time of an action, ms', shown(cpu / countOf(asked)), ''],
        ...[...asked.times].map(([name, each]) => [`  ${name}, median ms`, shown(median(each)), '']),
        [`slowest report of 30 days (${slowest.name}), ms`, shown(slowest.milliseconds), '300'],
        ['all chats with a tag, ms', shown(whole.took), ''],
        ['  longest answer beside it, ms', shown(whole.longest), '50'],
        ['memory at the start, MB', shown(memory[0]!), ''],
        ['memory, MB', shown(memory[1]!), '300'],
      ],
    );
  } finally {
    service.kill();
    if (data === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const allOf = ({ times }: Load): number[] => [...times.values()].flat().sort((a, b) => a - b);
const countOf = (load: Load): number => allOf(load).length;
const rateOf = (load: Load): number => countOf(load) / load.seconds;
const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

async function make(file: string, days: number): Promise<void> {
  mkdirSync(join(file, '..'), { recursive: true });
  const began = performance.now();
  const made = await startService({ file, days, port: 0, login: owner, apiKey: key });
  await made.close();
  console.log(`service: ${days} days made in ${shown((performance.now() - began) / 1000)} s`);
}

function start(folder: string): ChildProcess {
  return spawn(process.execPath, ['src/server/chatledger.js', 'service'], {
    env: {
      ...process.env,
      CHATLEDGER_DATA: folder,
      CHATLEDGER_SERVICE_PORT: String(port),
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

/** What comes of the work, and the milliseconds of processor time that the service took for it, all of its threads together. */
async function spending<T>(service: ChildProcess, work: () => Promise<T>): Promise<[done: T, cpu: number]> {
  const before = processorOf(service);
  const done = await work();
  return [done, processorOf(service) - before];
}

async function answerTo(path: string): Promise<void> {
  const answer = await fetch(`${url}${path}`, { headers: basic });
  if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function slowestReport(): Promise<{ name: string; milliseconds: number }> {
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  let slowest = { name: '', milliseconds: 0 };
  for (const name of reportIds) {
    const question = name === 'agents_occupancy' ? 'weekday=mon' : `date_from=${from}&group_by=day`;
    const milliseconds = await elapsed(() => answerTo(`${reports[name].path}?${question}`));
    if (milliseconds > slowest.milliseconds) slowest = { name, milliseconds };
  }
  return slowest;
}

const residentOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** User and system time in ticks of 10 ms; the name before them may hold blanks. */
function processorOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
