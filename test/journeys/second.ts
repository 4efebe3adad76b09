// A second product for journeys over other accounts than the simulated one: services with records made by hand, pulled over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DayRecords, Staff } from '#service/records.ts';
import { startService } from '#service/service.ts';
import { dateOf, dayOf } from '#service/zone.ts';
import { freePort } from '../ports.ts';

/** One account; without records there is nobody behind its address. */
export interface Made {
  id: string;
  staff?: Staff;
  records?: Partial<DayRecords>;
}

const DAYS = 6;
const DAY = 86_400_000;

/** All records of an account lie in its first day; what counts is the instant that each of them carries. */
async function serve(
  folder: string,
  { id, staff, records = {} }: Made,
): Promise<{ url: string; end: () => Promise<void> }> {
  if (!staff) return { url: `http://127.0.0.1:${await freePort()}`, end: () => Promise.resolve() };
  const nothing = { chats: [], departures: [], displays: [], statuses: [], tickets: [] };
  const service = await startService({
    file: join(folder, `${id}.sqlite`),
    days: DAYS,
    port: 0,
    apiKey: 'secret',
    world: ({ firstDay }) => ({
      staff,
      day: (index) => ({
        records: { ...nothing, ...(index === 0 ? records : {}), date: dateOf(dayOf(firstDay) + index) },
        carry: index,
      }),
    }),
  });
  return { url: service.url, end: () => service.close() };
}

/** Starts it in a folder of its own, with more settings, and waits until everything of the accounts that answer is published. */
export async function startSecond(
  accounts: Made[],
  settings: Record<string, string> = {},
): Promise<{ url: string; folder: string; end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-journey-'));
  const services = await Promise.all(accounts.map((it) => serve(folder, it)));
  const since = new Date(Date.now() - (DAYS - 1) * DAY).toISOString().slice(0, 10);
  const written = accounts.map(({ id }, index) => ({
    ...{ id, base_url: services[index]?.url ?? '', login: 'owner@example.com', api_key_env: 'SECOND_KEY' },
    ...{ timezone: 'UTC', since },
    requests_per_second: 500,
  }));
  writeFileSync(join(folder, 'chatledger.json'), JSON.stringify({ accounts: written }));
  const port = await freePort();
  const running = spawn(process.execPath, [resolve('src/server/chatledger.js'), 'start'], {
    cwd: folder,
    env: {
      ...{ ...process.env, CHATLEDGER_PORT: String(port), SECOND_KEY: 'secret', NODE_OPTIONS: '' },
      // Once, at the start: numbers stand still while they are read.
      ...{ CHATLEDGER_PULL_CRON: '0 0 29 2 *', ...settings },
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const end = async () => {
    running.kill('SIGINT');
    if (running.exitCode === null) await once(running, 'exit');
    await Promise.all(services.map((service) => service.end()));
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 960; tries++) {
    const answering = accounts.filter(({ staff }) => staff).map(({ id }) => hasNumbers(url, id, since));
    if ((await Promise.all(answering)).every(Boolean)) return { url, folder, end };
    await wait(250);
  }
  await end();
  throw new Error('The second product published nothing within four minutes.');
}

async function hasNumbers(url: string, account: string, from: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/metrics/total_chats?account=${account}&grain=total&from=${from}`);
    if (!answer.ok) return false;
    const { rows } = (await answer.json()) as { rows: { chats: number | null }[] };
    return (rows[0]?.chats ?? 0) > 0;
  } catch {
    return false;
  }
}
