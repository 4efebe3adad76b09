// Everything that CI runs: the build of the app, types, lint and browser journeys beside unit and law tests.
// `svelte-kit sync` writes what the others read: it runs once, and they are called without the scripts that do it again.
// The last line adds up the runners' own reports; the exit code is 0 only when nothing failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** Of each that failed: its name, and what it said. */
  failures: readonly string[];
}

interface Step {
  name: string;
  /** Of npm. */
  command: readonly string[];
  count: (code: number) => Count;
}

/** Characters of a failure that are printed again at the end. */
const longest_failure = 2000;

const report = { unit: 'test-results/unit.json', journeys: 'test-results/journeys.json' };

/** A check without a report of its own counts as one test. */
const asOne = (code: number): Count => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  skipped: 0,
  failures: [],
});

/** A runner that left no report has failed, whatever it says. */
function fromReport(file: string, read: (report: Record<string, unknown>) => Count): (code: number) => Count {
  return (code) => {
    if (!existsSync(file)) return asOne(1);
    const count = read(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
    const is_silent_failure = code !== 0 && count.failed === 0;
    const is_empty = count.passed + count.failed === 0;
    return is_silent_failure || is_empty ? { ...count, failed: count.failed + 1 } : count;
  };
}

const vitest = (report: Record<string, unknown>): Count => ({
  passed: Number(report.numPassedTests),
  failed: Number(report.numFailedTests),
  skipped: Number(report.numPendingTests) + Number(report.numTodoTests),
  failures: (report.testResults as VitestFile[]).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const own = failed.map((test) => [name, test.fullName, ...test.failureMessages].join('\n'));
    return failed.length === 0 && message !== undefined && message !== '' ? [`${name}\n${message}`] : own;
  }),
});

interface VitestFile {
  name: string;
  /** Why the file itself could not run. */
  message?: string;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

const playwright = (report: Record<string, unknown>): Count => {
  const { expected, unexpected, flaky, skipped } = report.stats as Record<string, number>;
  const failures = (report.suites as PlaywrightSuite[]).flatMap(failuresOf);
  return { passed: (expected ?? 0) + (flaky ?? 0), failed: unexpected ?? 0, skipped: skipped ?? 0, failures };
};

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
}

function failuresOf({ title, suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map((spec) => {
      const said = spec.tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? ''));
      return [title, spec.title, ...said].join('\n');
    });
  return [...own, ...suites.flatMap(failuresOf)];
}

/** One stage after the other; of a stage all lanes at once, each of them step by step. */
const stages: readonly (readonly (readonly Step[])[])[] = [
  [[{ name: 'sync', command: ['exec', '--', 'svelte-kit', 'sync'], count: asOne }]],
  [
    // Checks are one thread each, and journeys wait for pages and pulls: what they leave of two processors, tests take.
    [
      { name: 'build', command: ['run', 'build'], count: asOne },
      {
        // TypeScript 7 takes a fifth of the time of 6, which checks of pages are made with. One thread: others are at work.
        name: 'types',
        command: ['exec', '--', 'node', 'node_modules/typescript-native/bin/tsc', '-p', '.', '--singleThreaded'],
        count: asOne,
      },
      {
        name: 'types of the app',
        command: ['exec', '--', 'svelte-check', '--tsconfig', 'src/tsconfig.json', '--fail-on-warnings'],
        count: asOne,
      },
      { name: 'lint', command: ['exec', '--', 'oxlint'], count: asOne },
      { name: 'lint of pages', command: ['exec', '--', 'eslint', 'src'], count: asOne },
      {
        name: 'browser journeys',
        command: ['exec', '--', 'playwright', 'test'],
        count: fromReport(report.journeys, playwright),
      },
    ],
    [
      { name: 'format', command: ['run', 'check:format'], count: asOne },
      {
        name: 'unit, law, contract and zone tests',
        command: ['exec', '--', 'vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile=${report.unit}`],
        count: fromReport(report.unit, vitest),
      },
    ],
  ],
];

rmSync('test-results', { recursive: true, force: true });
mkdirSync('test-results', { recursive: true });

interface Ended {
  code: number;
  seconds: number;
}

/** What it says is printed when it has ended, for others speak meanwhile. */
async function run({ command }: Step): Promise<Ended & { said: string }> {
  const began = performance.now();
  const shell = process.platform === 'win32';
  const child = spawn('npm', [...command], { stdio: ['ignore', 'pipe', 'pipe'], shell });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, seconds: (performance.now() - began) / 1000, said };
}

const total = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];

async function note(step: Step): Promise<void> {
  const { code, seconds, said } = await run(step);
  const { passed, failed, skipped, failures: told } = step.count(code);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(...(told.length > 0 ? told : [`${step.name}: see above`]));
  process.stdout.write(`${said}== ${step.name}: ${passed} passed, ${failed} failed in ${seconds.toFixed(1)} s\n`);
}

async function runLane(lane: readonly Step[]): Promise<void> {
  for (const step of lane) await note(step);
}

for (const lanes of stages) await Promise.all(lanes.map(runLane));
// Once more at the end: whoever reads a log from its end sees what failed.
for (const failure of failures) process.stdout.write(`\nFAILED ${failure.slice(0, longest_failure)}\n`);
if (total.skipped > 0) process.stdout.write(`${total.skipped} skipped; each says why above\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
