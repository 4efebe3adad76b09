// The image without a container engine: a bare Debian root in which each line of the Dockerfile is done and its command lives a life.
// `npm run drill:debian -- [days] [megabytes] [archive]`: a month and 1024 by default; without an archive it makes one. Exit code 1 when something was found.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dockerfileStages } from '#server/release/dockerfile.ts';
import { open as openFile } from '#warehouse/engines/default.ts';
import { askPages, asking, chatsPulled, numbersOf, ready } from './debian/asking.ts';
import { containerOf, hasNamespaces, type Running } from './debian/container.ts';
import { memoryLimit } from './debian/memory-limit.ts';
import { makeRoot, sizeOf, whyNoRoot } from './debian/root.ts';

const checkout = join(import.meta.dirname, '..', '..');
const [days = '31', megabytes = '1024', given] = process.argv.slice(2);
const ports = { web: 3670, service: 4670, metrics: 3671 };
const url = `http://127.0.0.1:${ports.web}`;
/** The goal for the image. */
const most_megabytes = 450;
const most_end_seconds = 5;

const failures: string[] = [];
const tell = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
function expect(is_so: boolean, sentence: string): void {
  if (!is_so) failures.push(sentence);
  tell(`${is_so ? 'ok   ' : 'WRONG'} ${sentence}`);
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.slice(0, 300) ?? '';
const list = (found: readonly string[]): string => (found.length === 0 ? '' : `: ${found.slice(0, 10).join('; ')}`);

const why = whyNoRoot();
if (why === undefined) await drill();
else tell(`SKIPPED, nothing was tried: ${why}`);

async function drill(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'chatledger-debian-'));
  chmodSync(work, 0o755);
  const limit = memoryLimit(Number(megabytes) * 1024 * 1024);
  if (!limit) tell('SKIPPED: control groups cannot be written here: memory has no bound and is not measured');
  let [peak, parts] = [0, ''];
  const look = (): void => {
    const held = limit?.held() ?? 0;
    if (limit && held > peak) [peak, parts] = [held, limit.parts()];
  };
  const watch = setInterval(look, 50);
  try {
    await live(work, limit, () => {
      look();
      const said = limit
        ? `${Math.round(peak / 1024 / 1024)} MB held at most (${parts}); ${limit.kills()} killed`
        : 'memory not measured';
      peak = 0;
      return said;
    });
  } catch (error) {
    expect(false, `it broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    clearInterval(watch);
    limit?.remove();
    rmSync(work, { recursive: true, force: true });
  }
  tell(failures.length === 0 ? 'all is well' : `${failures.length} found:\n${failures.join('\n')}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/** `told`: the most memory since it was asked before. */
async function live(work: string, limit: ReturnType<typeof memoryLimit>, told: () => string): Promise<void> {
  const root = join(work, 'root');
  const image = dockerfileStages(checkout).at(-1) ?? [];
  for (const line of makeRoot(root, image, checkout, given ?? archiveMade(work))) tell(`done  ${line.slice(0, 150)}`);
  const [size, app] = [sizeOf(root), sizeOf(join(root, 'app'))];
  expect(size <= most_megabytes, `the root is ${size} MB, ${app} of them the program; the goal is ${most_megabytes}`);
  if (!hasNamespaces())
    return tell(
      'SKIPPED, nothing was run in it: unshare and mount are not allowed here, and without /proc nothing runs',
    );
  const container = containerOf(root, image, { volumes: ['/data', '/backups'], limit });
  const settings = {
    ...{ CHATLEDGER_EMBEDDED_SERVICE: 'on', CHATLEDGER_SERVICE_DAYS: days, CHATLEDGER_PULL_CRON: '0 0 29 2 *' },
    ...{ CHATLEDGER_PORT: String(ports.web), CHATLEDGER_SERVICE_PORT: String(ports.service) },
    CHATLEDGER_METRICS_PORT: String(ports.metrics),
  };
  let running: Running;
  try {
    const data = join(root, 'data');

    const refused = await container.run(['start'], { CHATLEDGER_PORT: String(ports.web) });
    expect(
      refused.code === 2,
      `without an account it stops with code ${refused.code}: ${lastLine(refused.complained)}`,
    );

    running = await started();
    expect(await running.isHealthy(), 'the image finds itself healthy');
    tell(`      until something is published: ${told()}`);
    await pagesAnswer('while the account is pulled');
    const range = rangeOf();
    tell(`      ${days} days are pulled, ${await chatsPulled(url, range, 900)} chats: ${told()}`);
    await pagesAnswer('afterwards');
    await checkMetrics();

    const before = await numbersOf(url, range);
    const stopAsking = asking(url);
    const pulling = container.run(['pull'], settings);
    // A pull does not wait for a backup; a backup waits for a pull.
    await pause(2000);
    const backups = await Promise.all(
      [['/backups/all.tar'], ['/backups/folder']].map((place) => container.run(['backup', ...place], settings)),
    );
    const pulled = await pulling;
    expect(pulled.code === 0, `a pull beside readers ends with code ${pulled.code}: ${lastLine(pulled.complained)}`);
    for (const { code, said, complained } of backups)
      expect(code === 0, `a backup beside readers and a pull: ${lastLine(code === 0 ? said : complained)}`);
    const load = await stopAsking();
    expect(
      load.asked > 0 && load.failures.length === 0,
      `${load.asked} questions meanwhile were answered${list(load.failures)}`,
    );
    tell(`      pull, backups and readers: ${told()}`);
    await stopped();

    for (const place of ['/backups/all.tar', '/backups/folder']) {
      emptied(data);
      const restored = await container.run(['restore', place], settings);
      expect(restored.code === 0, `an empty folder is restored: ${lastLine(restored.said + restored.complained)}`);
      running = await started();
      const after = await numbersOf(url, range, before.snapshot);
      const wrong = Object.keys(before.answers).filter(
        (id) => JSON.stringify(before.answers[id]) !== JSON.stringify(after.answers[id]),
      );
      expect(wrong.length === 0, `${Object.keys(before.answers).length} metrics by day are the same${list(wrong)}`);
      await stopped();
    }

    emptied(data);
    await oldestFolder(data);
    execFileSync('chown', ['-R', '10001:10001', data]);
    const check = await container.run(['upgrade', '--check', '--rehearse', '/backups', '--json'], settings);
    const { migration } = JSON.parse(check.said) as { migration: { steps: number[]; is_measured: boolean } | null };
    expect(
      (migration?.steps.length ?? 0) > 0 && migration?.is_measured === true,
      `upgrade --check of the oldest folder rehearses steps ${migration?.steps.join(', ')}`,
    );
    running = await started();
    await stopped();
    const current = JSON.parse((await container.run(['upgrade', '--check', '--json'], settings)).said) as {
      files: { what: string; version: number; known: number }[];
    };
    const warehouse = current.files.find(({ what }) => what === 'warehouse');
    expect(
      warehouse?.version === warehouse?.known,
      `it is upgraded by the start: version ${warehouse?.version} of ${warehouse?.known}`,
    );
    if (limit) expect(limit.kills() === 0, `${limit.kills()} processes were killed for memory, of ${megabytes} MB`);
  } finally {
    await container.kill();
  }

  async function pagesAnswer(when: string): Promise<void> {
    const pages = await askPages(url);
    expect(
      pages.failures.length === 0,
      `${pages.asked} pages, documents and files answer ${when}${list(pages.failures)}`,
    );
    tell(`      all pages ${when}: ${told()}`);
  }
  async function started(): Promise<Running> {
    const found = container.start(settings);
    let end: string | undefined;
    void found.ended.then(({ complained }) => (end = complained));
    await ready(url, 900, () => end !== undefined).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${(end ?? '').slice(-600)}`);
    });
    return found;
  }
  async function stopped(): Promise<void> {
    const { code, seconds } = await running.stop();
    const is_well = code === 0 && seconds <= most_end_seconds;
    expect(is_well, `it ends by the image's signal with code ${code} in ${seconds.toFixed(1)} s`);
  }
}

async function checkMetrics(): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text();
  const { error, status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  if (error) return tell('SKIPPED: promtool is missing: apt-get install prometheus');
  const count = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  expect(
    status === 0 && count > 0,
    `promtool check metrics of ${count} lines ends with code ${status}: ${stderr.trim()}`,
  );
}

function archiveMade(work: string): string {
  execFileSync('npm', ['run', '--silent', 'release', '--', work], { cwd: checkout, stdio: 'inherit' });
  return join(work, readdirSync(work).find((name) => name.endsWith('.tar.gz')) ?? '');
}

function emptied(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** As the first version made it. */
async function oldestFolder(data: string): Promise<void> {
  const folder = join(data, 'warehouse');
  mkdirSync(folder, { recursive: true });
  const engine = await openFile(join(folder, 'chatledger.duckdb'));
  await engine.exec(readFileSync(join(checkout, 'test', 'warehouse', 'version-1.sql'), 'utf8'));
  await engine.exec(`insert into ledger.versions values (1, timestamptz '2026-11-01 08:00:00+00')`);
  await engine.close();
}

/** Days that the account has, today not. */
function rangeOf(): string {
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return `from=${day(Number(days))}&to=${day(1)}`;
}
