// Many readers at once, who ask from reasonable to absurd and hang up as they like, while snapshots are published.
// `npm run drill:readers -- [minutes] [seed]`: ends with what must hold, and with exit code 1 when something did not.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build, isBuilt } from '#server/build.ts';
import { createChildren } from '#server/children.ts';
import { begin } from '../server/program.ts';
import { random } from './random.ts';
import type { Told } from './readers/health.ts';
import { longTurnsIn, watched } from './readers/loop.ts';
import { requestFrom, type Known, type Random } from './readers/questions.ts';

export interface Trial {
  seconds: number;
  readers: number;
  seed: number;
  /** Days of the account. */
  days: number;
  /** Seconds from one pull, and with it one snapshot, to the next. */
  pull_seconds: number;
  /** Seconds after the last request until its memory is looked at; null: that is left out. */
  rest_seconds: number | null;
  ports: { web: number; service: number };
}

export const bounds = { health_ms: 250, peak_mb: 1536, rest_mb: 500, idle_share: 0.3, end_seconds: 5 } as const;

export interface Fared {
  requests: number;
  hung_up: number;
  by_status: Record<string, number>;
  /** Milliseconds: the median, the 99th percentile and the longest. */
  health_ms: { median: number; p99: number; most: number; failed: number; asked: number };
  snapshots: number;
  peak_mb: number;
  rest_mb: number;
  /** Processors in use five seconds after the last request, of one. */
  idle_share: number;
  end_seconds: number;
  /** What was being asked when health was slow, and what long turns of the event loop were spent on. */
  slow: string[];
  /** Sentences; none when all is well. */
  failures: string[];
}

/** What is being asked, and since when. */
type Asking = Set<{ path: string; began: number }>;

const status = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

const memoryOf = (pid: number): number => status(pid, 'VmRSS') / 1024;

/** Seconds of processor time that a process has had. */
function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0 && existsSync(`/proc/${id}/status`))
    .filter((id) => {
      try {
        return status(id, 'PPid') === pid;
      } catch {
        return false; // it ended meanwhile
      }
    });

async function json<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

async function knownAt(url: string): Promise<Known> {
  const { accounts } = await json<{
    accounts: { agents: { login: string }[]; groups: { id: number }[]; tags: string[] }[];
  }>(`${url}/api/accounts`);
  const { snapshots } = await json<{ snapshots: { published_at: string }[] }>(`${url}/api/snapshots`);
  const { rows } = await json<{ rows: { chat_id: string }[] }>(`${url}/api/chats?limit=200`);
  const [account] = accounts;
  return {
    agents: account?.agents.map(({ login }) => login) ?? [],
    groups: account?.groups.map(({ id }) => id) ?? [],
    tags: account?.tags ?? [],
    chats: rows.map(({ chat_id }) => chat_id),
    instants: snapshots.map(({ published_at }) => published_at),
    today: new Date().toISOString().slice(0, 10),
  };
}

/** The head of an answer. Errors: those of the connection; AbortError. */
async function answerOf(address: string, options: RequestOptions): Promise<IncomingMessage> {
  const asked = get(address, { ...options, timeout: 150_000 });
  asked.once('timeout', () => asked.destroy(new Error('nothing came for 150 seconds')));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

/** Reads, slowly or not at all to the end, as long as it goes on. */
async function reader(
  url: string,
  draw: Random,
  known: () => Known,
  goesOn: () => boolean,
  fared: Fared,
  asking: Asking,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  // People do not all come in the same millisecond.
  await pause(draw() * 5000);
  while (goesOn()) {
    const { path, isPage, isEndless = false } = requestFrom(draw, known());
    const leaving = new AbortController();
    const hangsUp = isEndless || draw() < 0.3;
    const timer = hangsUp ? setTimeout(() => leaving.abort(), draw() * 3000) : undefined;
    const headers = isPage ? { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } : {};
    fared.requests += 1;
    const own = { path, began: Date.now() };
    asking.add(own);
    try {
      const answer = await answerOf(url + path, { agent, headers, signal: leaving.signal });
      const code = answer.statusCode ?? 0;
      fared.by_status[code] = (fared.by_status[code] ?? 0) + 1;
      let words = '';
      for await (const part of answer) {
        if (code >= 500) words += String(part);
        if (draw() < 0.02) await pause((part as Buffer).length % 50);
      }
      const canWait = code === 503 && answer.headers['retry-after'] !== undefined;
      if (code >= 500 && !canWait) fared.failures.push(`${code} for ${path.slice(0, 300)}: ${words.slice(0, 300)}`);
    } catch (error) {
      if (leaving.signal.aborted) fared.hung_up += 1;
      else fared.failures.push(`${path.slice(0, 300)} was not answered: ${String(error)}`);
    } finally {
      asking.delete(own);
      clearTimeout(timer);
    }
    if (draw() < 0.5) await pause(draw() * 300);
  }
  agent.destroy();
}

const most_told = 20;
const share = (sorted: readonly number[], of: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? 0);

export async function readersDrill(trial: Trial, say: (sentence: string) => void): Promise<Fared> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-readers-'));
  if (!isBuilt()) await build(createChildren());
  const turns = join(folder, 'turns');
  const product = begin(
    ['start'],
    {
      CHATLEDGER_DATA: join(folder, 'data'),
      CHATLEDGER_PORT: String(trial.ports.web),
      CHATLEDGER_SERVICE_PORT: String(trial.ports.service),
      CHATLEDGER_SERVICE_DAYS: String(trial.days),
      CHATLEDGER_PULL_CRON: `*/${trial.pull_seconds} * * * * *`,
      ...watched(turns),
    },
    folder,
  );
  const { child } = product;
  const url = `http://127.0.0.1:${trial.ports.web}`;
  const fared: Fared = {
    ...{ requests: 0, hung_up: 0, by_status: {}, snapshots: 0, peak_mb: 0, rest_mb: 0, idle_share: 0, end_seconds: 0 },
    ...{ health_ms: { median: 0, p99: 0, most: 0, failed: 0, asked: 0 }, slow: [], failures: [] },
  };
  try {
    const pid = child.pid ?? 0;
    await ready(url, () => child.exitCode === null);
    let known = await knownAt(url);
    say(`the product is up: ${known.chats.length} chats, ${known.tags.length} tags; ${trial.readers} readers begin`);
    const asking: Asking = new Set();
    const workerData = { url, slow_ms: bounds.health_ms };
    const health = new Worker(new URL('./readers/health.ts', import.meta.url), { workerData });
    health.on('message', (told: Told) => 'slow' in told && fared.slow.push(slowWhile(told.slow, asking)));
    const began = Date.now();
    const seen = new Set<string>();
    // A short trial waits for a publication, so that there is one among its questions on a slow machine too.
    const goesOn = (): boolean => {
      const seconds = (Date.now() - began) / 1000;
      return seconds < trial.seconds || (seen.size < 2 && seconds < trial.seconds + 120);
    };
    const watch = setInterval(() => (fared.peak_mb = Math.max(fared.peak_mb, memoryOf(pid))), 200);
    const renew = setInterval(
      () =>
        void knownAt(url).then(
          (now) => now.instants.forEach((it) => seen.add(it)) ?? (known = now),
          () => undefined,
        ),
      trial.pull_seconds * 750,
    );
    const readers = Array.from({ length: trial.readers }, (_, index) =>
      reader(url, random(trial.seed * 1000 + index), () => known, goesOn, fared, asking),
    );
    await Promise.all(readers);
    clearInterval(renew);
    const took = await answersOf(health);
    await health.terminate();
    for (const turn of longTurnsIn(turns)) fared.slow.push(`a long turn of the loop: ${JSON.stringify(turn)}`);
    clearInterval(watch);
    if (trial.rest_seconds !== null) await rest(pid, trial.rest_seconds, fared);
    fared.snapshots = seen.size;
    const good = took.filter((ms) => ms >= 0).sort((one, other) => one - other);
    fared.health_ms = {
      median: share(good, 0.5),
      p99: share(good, 0.99),
      most: Math.round(good.at(-1) ?? 0),
      failed: took.length - good.length,
      asked: took.length,
    };
  } catch (error) {
    fared.failures.push(`${String(error)}\n${product.said().slice(-2000)}`);
  }
  const told = performance.now();
  child.kill('SIGTERM');
  const { code, complained, said } = await product.ended;
  fared.end_seconds = (performance.now() - told) / 1000;
  if (code !== 0)
    fared.failures.push(
      `it ended with exit code ${code} after ${fared.end_seconds.toFixed(1)} s: ${complained.slice(-500)} ${said.slice(-300)}`,
    );
  const errors = complained.split('\n').filter((line) => /^\s+at |Error:/.test(line));
  if (errors.length > 0) fared.failures.push(`it complained: ${errors.slice(0, 6).join(' | ')}`);
  fared.failures.push(...broken(fared));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return fared;
}

/** What it takes when nobody asks any more. A pull may be running; the web process and those that make its documents must not be. */
async function rest(pid: number, seconds: number, fared: Fared): Promise<void> {
  await pause(5000);
  const web = (): number => [pid, ...childrenOf(pid).filter(isOfWeb)].reduce((sum, id) => sum + processorOf(id), 0);
  const before = web();
  await pause(4000);
  fared.idle_share = (web() - before) / 4;
  await pause(Math.max(0, seconds - 9) * 1000);
  fared.rest_mb = memoryOf(pid);
}

/** Pulls and the embedded service are children too; they have work of their own. */
const isOfWeb = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('render/worker.ts');
  } catch {
    return false;
  }
};

function broken({ health_ms, peak_mb, rest_mb, idle_share, end_seconds, requests }: Fared): string[] {
  const found: string[] = [];
  if (requests === 0) found.push('nobody asked anything');
  if (health_ms.failed > 0) found.push(`health was not answered ${health_ms.failed} times`);
  if (health_ms.most > bounds.health_ms) found.push(`health took ${health_ms.most} ms, more than ${bounds.health_ms}`);
  if (peak_mb > bounds.peak_mb)
    found.push(`the web process took ${peak_mb.toFixed(0)} MB, more than ${bounds.peak_mb}`);
  if (rest_mb > bounds.rest_mb) found.push(`at rest it kept ${rest_mb.toFixed(0)} MB, more than ${bounds.rest_mb}`);
  if (idle_share > bounds.idle_share)
    found.push(`five seconds after the end it used ${(idle_share * 100).toFixed(0)} % of a processor`);
  if (end_seconds > bounds.end_seconds + 1) found.push(`SIGTERM took ${end_seconds.toFixed(1)} s`);
  return found;
}

async function answersOf(health: Worker): Promise<number[]> {
  const answered = new Promise<number[]>((resolve) =>
    health.on('message', (told: Told) => 'took' in told && resolve(told.took)),
  );
  health.postMessage('tell');
  return answered;
}

/** The newest first: what has been asked for long is work of the engine, which keeps nobody waiting. */
function slowWhile(ms: number, asking: Asking): string {
  const now = Date.now();
  const newest = [...asking].sort((one, other) => other.began - one.began).slice(0, 12);
  const paths = newest.map(({ path, began }) => `${now - began} ms ${path.slice(0, 160)}`);
  return `health took ${ms} ms at ${new Date(now).toISOString()} while were asked: ${paths.join(' | ')}`;
}

async function ready(url: string, isAlive: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (!isAlive()) throw new Error('the product ended while it started');
    const whole = await json<{ pull: { last_success_at: string | null } }>(`${url}/api/health`).catch(() => null);
    if (whole?.pull.last_success_at) return;
    await pause(250);
  }
  throw new Error('the product was not ready within five minutes');
}

if (import.meta.main) {
  const [minutes = '30', seed = '1'] = process.argv.slice(2);
  const trial: Trial = {
    ...{ seconds: Number(minutes) * 60, readers: 40, seed: Number(seed), days: 40, pull_seconds: 20, rest_seconds: 60 },
    ports: { web: 3350, service: 4350 },
  };
  const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
  const { failures, by_status, health_ms, slow, ...rest } = await readersDrill(trial, say);
  say(JSON.stringify({ ...rest, by_status, health_ms }, null, 2));
  for (const sentence of slow) say(sentence);
  for (const failure of failures.slice(0, most_told)) say(`FAILED: ${failure}`);
  if (failures.length > most_told) say(`… and ${failures.length - most_told} more`);
  say(failures.length === 0 ? 'all of it held' : `${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
