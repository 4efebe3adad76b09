// The product beside a hostile source: a pull with bounds, a server that is watched, and everything that is asked of it.
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dashboards } from '#dashboards/dashboards.ts';
import { pullProcess } from '#server/command-process.ts';
import { program } from '../../server/program.ts';
import type { Watched } from './watching.ts';

const MEBIBYTE = 1024;
const beside = (file: string): string => join(import.meta.dirname, file);

/** Largest memory of a process so far, in megabytes; 0 where the system does not tell. */
export function peakOf({ pid }: ChildProcess): number {
  try {
    const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kibibytes ?? 0) / MEBIBYTE);
  } catch {
    return 0;
  }
}

export interface Ended {
  /** Null when it was killed. */
  code: number | null;
  /** It was killed because its time was over. */
  is_late: boolean;
  seconds: number;
  peak_mb: number;
  said: string;
  complained: string;
}

/** Runs it to its end, or to the end of its time. */
async function bounded(child: ChildProcess, most_seconds: number): Promise<Ended> {
  const began = performance.now();
  const ended = { code: null as number | null, is_late: false, seconds: 0, peak_mb: 0, said: '', complained: '' };
  child.stdout?.on('data', (part: Buffer) => (ended.said += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (ended.complained += part.toString()));
  const watch = setInterval(() => (ended.peak_mb = Math.max(ended.peak_mb, peakOf(child))), 100);
  const timer = setTimeout(() => (ended.is_late = child.kill('SIGKILL')), most_seconds * 1000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  clearTimeout(timer);
  return { ...ended, code, seconds: (performance.now() - began) / 1000 };
}

export function pullFrom(settings: NodeJS.ProcessEnv, folder: string, most_seconds: number): Promise<Ended> {
  const { execArgv, env } = pullProcess;
  const child = spawn(process.execPath, [...execArgv, beside('pulling.ts')], {
    cwd: folder,
    env: { ...env, ...settings },
  });
  return bounded(child, most_seconds);
}

export function digestOf(settings: NodeJS.ProcessEnv, folder: string, most_seconds: number): Promise<Ended> {
  const words = ['digest', 'run', 'hostile', '--format', 'pdf,csv,xlsx', '--out', join(folder, 'digest')];
  return bounded(
    spawn(process.execPath, [program, ...words], { cwd: folder, env: { ...process.env, ...settings } }),
    most_seconds,
  );
}

export interface Served {
  url: string;
  peak_mb(): number;
  /** Ends it; what its health was meanwhile, and in how many seconds it was gone. */
  end(): Promise<Watched & { seconds: number }>;
}

export async function serve(settings: NodeJS.ProcessEnv, folder: string, port: number): Promise<Served> {
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ...settings, CHATLEDGER_PORT: String(port) };
  const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), gone]);
  if (child.exitCode !== null) throw new Error(`the server did not start: ${child.exitCode}`);
  child.stdout.resume();
  const watcher = fork(beside('watching.ts'), [url]);
  return {
    url,
    peak_mb: () => peakOf(child),
    async end() {
      watcher.send('over');
      const [watched] = (await once(watcher, 'message')) as [Watched];
      const began = performance.now();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await gone;
      clearTimeout(timer);
      return { ...watched, seconds: (performance.now() - began) / 1000 };
    },
  };
}

/** Waits until what was pulled is served. */
export async function published(url: string): Promise<boolean> {
  for (let tries = 0; tries < 150; tries += 1) {
    if ((await fetch(`${url}/api/health`)).status === 200) return true;
    await wait(100);
  }
  return false;
}

export interface Asking {
  /** Everything, or of each kind something. */
  isShort: boolean;
  texts: readonly string[];
}

const enc = (text: string): string => encodeURIComponent(text.toWellFormed());
const panels = dashboards.flatMap(({ id, panels: own }) => own.map((panel) => `${id}/${panel.id}`));

/** Addresses of pages, documents, files, receipts, chats and answers. */
async function addressesOf(url: string, { isShort, texts }: Asking): Promise<string[]> {
  const chats = await idsOf(url);
  const some = <Value>(values: readonly Value[], most: number) => (isShort ? values.slice(0, most) : values);
  return [
    ...some(dashboards, 3).map(({ path }) => `/${path}`),
    ...['/agents', '/transcripts', '/reconciliation', '/operations', '/catalogue', '/tv', '/digests', '/digests/new'],
    ...some(dashboards, 2).map(({ id }) => `/api/dashboards/${id}.pdf`),
    ...some(panels, 12).flatMap((panel) => [`/api/panels/${panel}.csv`, `/api/panels/${panel}.xlsx`]),
    ...['/api/accounts', '/api/metrics', '/api/reconciliation', '/api/restatements', '/api/digests'],
    ...['tag', 'agent', 'group', 'country'].map((split) => `/api/metrics/total_chats?grain=total&split=${split}`),
    ...chats.flatMap((id) => [`/api/chats/${enc(id)}`, `/chat/${enc(id)}`]),
    ...some(texts, 7).flatMap((text) => [
      ...[`/?tag=${enc(text)}`, `/chats?agent=${enc(text)}`, `/agent/${enc(text)}`, `/transcripts?query=${enc(text)}`],
      ...['tag', 'agent', 'country'].map(
        (split) => `/api/receipts/total_chats?grain=total&split=${split}&at.${split}=${enc(text)}`,
      ),
      ...[`/receipt/total_chats?grain=total&split=tag&at.tag=${enc(text)}`, `/api/chats?tag=${enc(text)}&limit=3`],
      ...[`/api/metrics/goals?grain=total&split=currency`, `/api/metrics/total_chats?${enc(text)}=1`],
    ]),
    ...some(texts, 1).map((text) => `/api/dashboards/chats.pdf?tag=${enc(text)}`),
  ];
}

async function idsOf(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/chats?limit=8`);
  if (!answer.ok) return [];
  const { rows } = (await answer.json()) as { rows: { chat_id: string }[] };
  return rows.map(({ chat_id }) => chat_id);
}

const digest = ([text = '']: readonly string[]) => ({
  ...{ title: 'Hostile', content: ['overview', 'chats', 'ratings'], period: 'yesterday', when_incomplete: 'stamp' },
  schedule: { cron: '0 7 1 1 *', timezone: 'UTC' },
  readers: [{ name: text.replaceAll(/\p{C}/gu, '').trim() || 'ann' }],
  formats: ['pdf', 'csv', 'xlsx'],
});

/** Asks for all of it; what came with 5xx other than 503, or not at all, and how many were good. */
/** What is longer is no address: the server cuts it off while it is sent, and a client may see nothing but that. */
const longest_address = 8000;

export async function askAll(url: string, asking: Asking): Promise<{ asked: number; good: number; wrong: string[] }> {
  const addresses = (await addressesOf(url, asking)).filter(({ length }) => length < longest_address);
  const wrong: string[] = [];
  let good = 0;
  const ask = async (address: string, request: RequestInit = {}): Promise<void> => {
    const status = await fetch(url + address, { ...request, signal: AbortSignal.timeout(60_000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      (error: unknown) => String(error),
    );
    if (status === 200) good += 1;
    if (typeof status === 'string' || (status >= 500 && status !== 503))
      wrong.push(`${status} ${address.slice(0, 200)}`);
  };
  const left = [...addresses];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await ask(next);
  };
  const body = JSON.stringify(digest(asking.texts));
  await ask('/api/digests/hostile', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', origin: url },
    body,
  });
  await Promise.all([worker(), worker()]);
  return { asked: addresses.length + 1, good, wrong };
}
