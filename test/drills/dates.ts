// All tests and browser journeys with the clock of the machine at other instants: the turn of a year, holidays, a leap day, nights of changed clocks.
// `npm run drill:dates -- [instants]`, such as `2027-01-06T03:10:00Z`; without any, those below and one of the next two years by chance, which is printed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { build, isBuilt } from '#server/build.ts';
import { createChildren } from '#server/children.ts';

const root = join(import.meta.dirname, '..', '..');
const notable = [
  ...['2027-01-01T00:10:00Z', '2027-01-06T03:10:00Z', '2026-12-26T12:00:00Z'],
  ...['2028-02-29T23:40:00Z', '2027-03-28T01:30:00Z', '2027-10-31T00:50:00Z'],
];

/** They compare the times of files with the clock, and files have the machine's own, whatever `faketime` says. */
const of_file_times = ['server/folder-lock', 'server/export-bucket', 'digests/saved-queries'].map(
  (name) => `test/${name}.test.ts`,
);
/** A thread of the ClickHouse in the process never waits while the clock is another one, and takes a processor. */
const left_out = [...of_file_times, ...globSync('test/clickhouse/*.test.ts', { cwd: root })];
/** By name: what is excluded on the command line is excluded of no project of vitest.config.ts. */
const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !left_out.includes(file));

/** An instant within two years, in whole seconds. */
const atRandom = (): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(Date.now() - (Date.now() % 1000)).add({
    seconds: Math.floor(Math.random() * 2 * 365 * 86_400),
  });

/** As `faketime` reads it: how far the clock is ahead, in seconds. An instant would begin anew in each process. */
function aheadBy(instant: Temporal.Instant): string {
  const seconds = Math.round((instant.epochMilliseconds - Date.now()) / 1000);
  return `${seconds < 0 ? '' : '+'}${seconds}`;
}

if (spawnSync('faketime', ['--version']).error)
  throw new Error(
    'this drill sets the clock of the tests with faketime: install it (Debian: apt-get install faketime)',
  );
const asked = process.argv.slice(2).map((text) => Temporal.Instant.from(text));
const instants = asked.length > 0 ? asked : [...notable.map((text) => Temporal.Instant.from(text)), atRandom()];

if (!isBuilt()) await build(createChildren());

async function run(instant: Temporal.Instant, command: readonly string[]): Promise<boolean> {
  const words = ['-f', aheadBy(instant), 'npm', 'exec', '--', ...command];
  const child = spawn('faketime', words, { cwd: root, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

process.stdout.write(`left out, since their clock is another one: ${left_out.join(', ')}\n`);
const wrong: string[] = [];
for (const instant of instants)
  for (const command of [
    ['vitest', 'run', '--reporter=dot', ...files],
    ['playwright', 'test', '--reporter=dot'],
  ]) {
    process.stdout.write(`\n${instant.toString()}: ${command[0]}\n`);
    if (!(await run(instant, command))) wrong.push(`${command[0]} at ${instant.toString()}`);
  }
process.stdout.write(
  wrong.length === 0 ? `${instants.length} instants: all is well\n` : `see above: ${wrong.join(', ')}\n`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
