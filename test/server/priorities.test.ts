import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createChildren } from '#server/children.ts';
import { descendantsOf } from '#server/descendants.ts';

const priorities = new URL('../../src/server/priorities.ts', import.meta.url).href;
const engine = fileURLToPath(import.meta.resolve('@duckdb/node-api'));

/** A process that opens a database, as the web process does, and says how nice its threads are then. */
const program = `
  import { readdirSync, readFileSync } from 'node:fs';
  const { DuckDBInstance } = await import(${JSON.stringify(engine)});
  const { questionsGiveWay } = await import(${JSON.stringify(priorities)});
  for (let opened = 0; opened < 2; opened++) {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
    await connection.run('select 1');
    questionsGiveWay();
  }
  const threads = readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync('/proc/self/task/' + id + '/stat', 'utf8');
    return { main: Number(id) === process.pid, name: /\\((.*)\\)/.exec(stat)[1], nice: Number(stat.split(') ')[1].split(' ')[16]) };
  });
  process.stdout.write(JSON.stringify(threads));
`;

interface Thread {
  main: boolean;
  name: string;
  nice: number;
}

const can = process.platform === 'linux' && Number(process.versions.node.split('.')[0]) >= 22;

test('the thread that answers comes before those that compute questions', ({ skip }) => {
  skip(!can, 'only Linux gives a thread a priority of its own, and only Node 22 and newer name their threads');
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  const threads = JSON.parse(said) as Thread[];
  const main = threads.find((thread) => thread.main)?.nice ?? NaN;
  const computing = threads.filter(({ name }) => name === 'libuv-worker');
  expect(computing.length).toBeGreaterThanOrEqual(5);
  expect(computing.filter(({ nice }) => nice <= main)).toEqual([]);
  // What collects memory for the thread that answers keeps its place.
  expect(threads.filter(({ name, nice }) => name === 'V8Worker' && nice !== main)).toEqual([]);
});

test.runIf(process.platform === 'linux')('where memory runs out, a pull is ended before pages', async () => {
  const children = createChildren();
  const score = (pid: number): number => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
  const known = new Set(descendantsOf(process.pid));
  const ended = children.run(['pull', '--help'], () => undefined);
  const begun = descendantsOf(process.pid).filter((pid) => !known.has(pid));
  expect(begun.map(score)).toEqual([300]);
  await ended;
});
