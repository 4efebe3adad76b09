// Pulls from sources that are hostile in every way there is, and asks for everything the product makes of them.
// `npm run drill:hostile -- [short] [modes]`: short asks for something of each kind. A few modes run with the journeys.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, isBuilt } from '#server/build.ts';
import { createChildren } from '#server/children.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { modes, textsOf, type Mode } from './hostile/modes.ts';
import { askAll, digestOf, published, pullFrom, serve, type Ended } from './hostile/product.ts';

export interface Bounds {
  pull_seconds: number;
  pull_mb: number;
  web_mb: number;
  health_ms: number;
  end_seconds: number;
}
export const bounds: Bounds = { pull_seconds: 180, pull_mb: 1024, web_mb: 1536, health_ms: 250, end_seconds: 5 };

/** What is in the warehouse, and what it says of what is not. */
interface Kept {
  chats: number;
  set_aside: number;
  /** Questions that failed or fell short, and pulls that did not come to their end. */
  noted: number;
  tags: string[];
}

/** How the product fared beside one mode. */
export interface Fared {
  name: string;
  pull: Ended;
  kept: Kept;
  asked: number;
  good: number;
  health_ms: number;
  web_mb: number;
  /** Sentences; none when all is well. */
  failures: string[];
}

const serving = join(import.meta.dirname, 'hostile', 'serving.ts');

async function keptIn(data: string): Promise<Kept> {
  const file = join(data, 'warehouse', 'chatledger.duckdb');
  if (!existsSync(file)) return { chats: 0, set_aside: 0, noted: 0, tags: [] };
  const engine = await openWarehouse(file, { readOnly: true });
  try {
    const count = async (sql: string): Promise<number> =>
      Number((await engine.query(`select count(*) as n from ${sql}`))[0]?.n);
    const tags = await engine.query('select distinct tag from facts.chat_tags order by tag');
    return {
      chats: await count('facts.chats'),
      set_aside: await count('ledger.quarantine'),
      noted:
        (await count("ledger.periods where state <> 'pulled' or error is not null")) +
        (await count("ledger.pulls where state <> 'done'")),
      tags: tags.map(({ tag }) => String(tag)),
    };
  } finally {
    await engine.close();
  }
}

async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + 90; port += 1) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    const found = isFree && (server.address() as AddressInfo).port;
    server.close();
    if (found) return found;
  }
  throw new Error(`no port from ${first} on is free`);
}

interface Source {
  url: string;
  token: string;
  chats: number;
  since: string;
}

/** One mode from the first question of the pull to the end of the server. */
export async function meet(name: string, isShort: boolean, bound: Bounds, port = 5400): Promise<Fared> {
  const mode = modes[name];
  if (!mode) throw new Error(`there is no mode ${name}; choose from ${Object.keys(modes).join(', ')}`);
  const root = mkdtempSync(join(tmpdir(), 'chatledger-hostile-'));
  const data = join(root, 'data');
  mkdirSync(data, { mode: 0o700 });
  const now = Math.floor(Date.now() / 1000);
  const source = fork(serving, [name, root, String(now)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const [from] = (await Promise.race([once(source, 'message'), once(source, 'exit')])) as [Source | number];
    if (typeof from !== 'object') throw new Error(`the source of ${name} did not start: ${from}`);
    const settings = {
      ...{
        CHATLEDGER_DATA: data,
        CHATLEDGER_BASE_URL: from.url,
        CHATLEDGER_TIMEZONE: 'UTC',
        CHATLEDGER_SINCE: from.since,
      },
      ...{ CHATLEDGER_REQUESTS_PER_SECOND: '500', CHATLEDGER_PULL_CRON: '0 0 29 2 *', NODE_OPTIONS: '' },
      ...(mode.archive === 'agent_v3'
        ? { CHATLEDGER_TOKEN: from.token, CHATLEDGER_ARCHIVE_SOURCE: 'agent_v3' }
        : { CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: 'secret' }),
    };
    const served = await serve(settings, root, await freePort(port));
    const pull = await pullFrom(settings, root, bound.pull_seconds);
    const kept = await keptIn(data);
    const isServed = !existsSync(join(data, 'published', 'chatledger.duckdb')) || (await published(served.url));
    const { asked, good, wrong } = await askAll(served.url, { isShort, texts: textsOf(mode) });
    const digest = isServed && kept.chats > 0 ? await digestOf(settings, root, bound.pull_seconds) : undefined;
    const web_mb = served.peak_mb();
    const watched = await served.end();
    const health_ms = Math.round(watched.slowest_ms);
    const failures = [
      ...pullFailures(pull, bound),
      ...lossesOf(mode, from.chats, kept),
      ...(isServed ? [] : ['what was published is not served']),
      ...wrong.slice(0, 5),
      ...(wrong.length > 5 ? [`${wrong.length - 5} more answers like these`] : []),
      ...(digest && digest.code !== 0 ? [`the digest ended with ${digest.code}: ${lastOf(digest.complained)}`] : []),
      ...(health_ms > bound.health_ms ? [`health took ${health_ms} ms`] : []),
      ...watched.wrong.slice(0, 3).map((it) => `health said ${it}`),
      ...(web_mb > bound.web_mb ? [`the server took ${web_mb} MB`] : []),
      ...(watched.seconds > bound.end_seconds ? [`the server ended after ${Math.round(watched.seconds)} s`] : []),
    ];
    return { name, pull, kept, asked, good, health_ms, web_mb, failures };
  } finally {
    const gone = source.exitCode === null ? once(source, 'exit') : undefined;
    if (source.connected) source.disconnect();
    await gone;
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

const lastOf = (text: string): string => JSON.stringify(text.trim().slice(-300));

function pullFailures({ code, is_late, seconds, peak_mb, complained }: Ended, bound: Bounds): string[] {
  if (is_late) return [`the pull did not end within ${Math.round(seconds)} s`];
  const isSaid = code === 0 || complained.includes('chatledger: ');
  return [
    ...(isSaid ? [] : [`the pull ended with ${code} and without a sentence: ${lastOf(complained)}`]),
    ...(peak_mb > bound.pull_mb ? [`the pull took ${peak_mb} MB`] : []),
  ];
}

/** What is missing must be told; texts of a whole account must be as they were sent. */
function lossesOf(mode: Mode, chats: number, kept: Kept): string[] {
  const lost = chats - kept.chats;
  const tags = textsOf(mode).filter((text) => !kept.tags.includes(text));
  return [
    ...(lost > 0 && (mode.isWhole || kept.set_aside + kept.noted === 0) ? [`${lost} of ${chats} chats are lost`] : []),
    ...(mode.isWhole && tags.length > 0 ? [`tags are missing: ${JSON.stringify(tags)}`] : []),
  ];
}

const columns = [
  'mode',
  'pull s',
  'pull MB',
  'exit',
  'chats',
  'aside',
  'noted',
  'asked',
  'good',
  'health',
  'web MB',
  '',
];
const lineOf = (cells: readonly (string | number | null)[]): string =>
  cells.map((cell, index) => (index ? String(cell).padStart(8) : String(cell).padEnd(22))).join('');

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const asked = words.filter((word) => word !== 'short');
  if (!isBuilt()) await build(createChildren());
  process.stdout.write(`${lineOf(columns)}\n`);
  const all: Fared[] = [];
  for (const name of asked.length > 0 ? asked : Object.keys(modes)) {
    const one = await meet(name, words.includes('short'), bounds);
    all.push(one);
    const { pull, kept, failures } = one;
    const cells = [name, pull.seconds.toFixed(1), pull.peak_mb, pull.code, kept.chats, kept.set_aside, kept.noted];
    const verdict = failures.length > 0 ? '  FAILED' : '      ok';
    process.stdout.write(`${lineOf([...cells, one.asked, one.good, one.health_ms, one.web_mb, verdict])}\n`);
    for (const failure of failures) process.stdout.write(`    ${failure}\n`);
  }
  const failed = all.filter(({ failures }) => failures.length > 0);
  process.stdout.write(
    `${all.length} modes, ${failed.length} failed${failed.length ? `: ${failed.map(({ name }) => name).join(', ')}` : ''}\n`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) await main();
