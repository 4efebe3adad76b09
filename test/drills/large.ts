// A month of a large account in little memory: it is pulled while pages are opened, then pulled again, as in a container of that size.
// `npm run drill:large -- [chats] [megabytes]`: 300,000 and 1024 by default. Exit code 1 when something was found.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startSource } from '../../bench/source.ts';
import { freePort } from '../ports.ts';
import { newFolder, program } from '../server/program.ts';
import { askPages, asking, chatsPulled, ready } from './debian/asking.ts';
import { memoryLimit } from './debian/memory-limit.ts';

const [chats = '300000', megabytes = '1024'] = process.argv.slice(2);
const days = 30;
const MB = 1024 * 1024;
const pull_seconds = 3600;

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const tell = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
const failures: string[] = [];
function expect(is_so: boolean, sentence: string): void {
  if (!is_so) failures.push(sentence);
  tell(`${is_so ? 'ok   ' : 'WRONG'} ${sentence}`);
}

const limit = memoryLimit(Number(megabytes) * MB);
if (limit) await drill(limit);
else tell('SKIPPED, nothing was tried: control groups cannot be written here');

async function drill(bound: NonNullable<typeof limit>): Promise<void> {
  // A build would take more memory than all the rest.
  execFileSync(process.execPath, ['src/server/build-app.ts'], { cwd: join(import.meta.dirname, '..', '..') });
  const folder = newFolder();
  const source = await startSource({
    ...{ from: day(days), chats: Number(chats), chats_a_day: Math.ceil(Number(chats) / days) },
    ...{ zone: 'UTC', now: Math.floor(Date.now() / 1000) },
  });
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ PATH: process.env.PATH, CHATLEDGER_BASE_URL: source.url, CHATLEDGER_LOGIN: 'owner@example.com' },
    ...{ CHATLEDGER_API_KEY: 'none', CHATLEDGER_PORT: port, CHATLEDGER_TIMEZONE: 'UTC', CHATLEDGER_SINCE: day(days) },
    ...{ CHATLEDGER_PULL_CRON: '0 0 29 2 *', CHATLEDGER_REQUESTS_PER_SECOND: '1000' },
  };
  let peak = { held: 0, parts: '' };
  const watch = setInterval(() => {
    const held = bound.held();
    if (held > peak.held) peak = { held, parts: bound.parts() };
  }, 50);
  const told = (): string => {
    const { held, parts } = peak;
    peak = { held: 0, parts: '' };
    return `${Math.round(held / MB)} MB held at most (${parts}); ${bound.kills()} killed`;
  };
  const within = (...words: string[]) =>
    spawn('sh', ['-ec', `${bound.enter}\nexec "$@"`, 'sh', process.execPath, program, ...words], {
      ...{ cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] },
    });
  const running = within('start');
  const ended = new Promise<number | null>((resolve) => running.once('exit', resolve));
  try {
    const began = performance.now();
    await ready(url, pull_seconds, () => running.exitCode !== null);
    tell(`      until something is published: ${told()}`);
    const early = await askPages(url);
    expect(early.failures.length === 0, `${early.asked} pages, documents and files answer meanwhile`);
    tell(`      ${early.failures.slice(0, 5).join('; ')}${told()}`);
    const found = await chatsPulled(url, `from=${day(days)}&to=${day(1)}`, pull_seconds);
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    expect(found === Number(chats), `${found} of ${chats} chats are pulled after ${minutes} minutes`);
    tell(`      ${told()}`);
    const late = await askPages(url);
    expect(late.failures.length === 0, `${late.asked} pages, documents and files answer afterwards`);
    tell(`      ${late.failures.slice(0, 5).join('; ')}${told()}`);
    const stopAsking = asking(url);
    const code = await new Promise((resolve) => within('pull').once('exit', resolve));
    const { asked, failures: refused } = await stopAsking();
    expect(code === 0, `a pull beside readers ends with code ${String(code)}`);
    expect(refused.length === 0, `${asked} questions meanwhile were answered`);
    tell(`      ${told()}`);
    expect(bound.kills() === 0, `${bound.kills()} processes were killed for memory, of ${megabytes} MB`);
    const data = join(folder, 'data');
    const sizes = readdirSync(data).map((name) => `${name} ${Math.round(bytesOf(join(data, name)) / MB)}`);
    tell(`      the folder of data, MB: ${sizes.join(', ')}`);
  } catch (error) {
    expect(false, `it broke off: ${String(error)}`);
  } finally {
    clearInterval(watch);
    running.kill('SIGTERM');
    await ended;
    source.end();
    limit?.remove();
  }
  tell(failures.length === 0 ? 'all is well' : `${failures.length} found`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

function bytesOf(path: string): number {
  const entry = statSync(path);
  return entry.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0) : entry.size;
}
