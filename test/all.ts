// Everything that CI runs, one after the other: format, lint, types, unit and law tests, browser journeys.
// The last line adds up the runners' own reports; the exit code is 0 only when nothing failed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

interface Step {
  name: string;
  command: readonly string[];
  count: (code: number) => Count;
}

const report = { unit: 'test-results/unit.json', journeys: 'test-results/journeys.json' };

/** A check without a report of its own counts as one test. */
const asOne = (code: number): Count => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

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
});

const playwright = (report: Record<string, unknown>): Count => {
  const { expected, unexpected, flaky, skipped } = report.stats as Record<string, number>;
  return { passed: (expected ?? 0) + (flaky ?? 0), failed: unexpected ?? 0, skipped: skipped ?? 0 };
};

const steps: readonly Step[] = [
  { name: 'format', command: ['run', 'check:format'], count: asOne },
  { name: 'lint', command: ['run', 'check:lint'], count: asOne },
  { name: 'types', command: ['run', 'check:types'], count: asOne },
  {
    name: 'unit, law, contract and zone tests',
    command: ['run', 'test:unit', '--', '--reporter=dot', '--reporter=json', `--outputFile=${report.unit}`],
    count: fromReport(report.unit, vitest),
  },
  { name: 'browser journeys', command: ['run', 'test:journeys'], count: fromReport(report.journeys, playwright) },
];

rmSync('test-results', { recursive: true, force: true });
mkdirSync('test-results', { recursive: true });
const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const { name, command, count } of steps) {
  process.stdout.write(`\n== ${name}\n`);
  const began = performance.now();
  const { status } = spawnSync('npm', [...command], { stdio: 'inherit', shell: process.platform === 'win32' });
  const { passed, failed, skipped } = count(status ?? 1);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`== ${name}: ${passed} passed, ${failed} failed in ${seconds} s\n`);
}
if (total.skipped > 0) process.stdout.write(`${total.skipped} skipped; each says why above\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
