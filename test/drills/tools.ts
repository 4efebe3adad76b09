// Runs each example of docs/analysts whose program is there, and compares its five numbers with those of the API:
// node tools.ts. PYTHON, JUPYTER_PYTHON and RSCRIPT name other programs than python3, the same and Rscript; EVIDENCE the folder of a project of Evidence.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '#service/service.ts';
import { freePort } from '../ports.ts';
import { newFolder, runToEnd } from '../server/program.ts';
import { begin, copyProgram, endRuns } from '../server/supervised.ts';

const examples = join(import.meta.dirname, '..', '..', 'docs', 'analysts');
const python = process.env.PYTHON ?? 'python3';
const jupyter = process.env.JUPYTER_PYTHON ?? python;
const r = process.env.RSCRIPT ?? 'Rscript';
const evidence = process.env.EVIDENCE ?? tmpdir();
const days = 8;
/** Programs print fewer digits than they have. */
const tolerance = 1e-9;

type Numbers = Record<string, number>;

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

const key = 'ef'.repeat(16);
const folder = newFolder();
mkdirSync(join(folder, 'service'));
const service = await startService({
  ...{ file: join(folder, 'service', 's.sqlite'), days, port: 0, apiKey: key, clock: () => Date.now() / 1000 },
});
const own = {
  ...{ CHATLEDGER_BASE_URL: service.url, CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: key },
  ...{ CHATLEDGER_REQUESTS_PER_SECOND: '1000', CHATLEDGER_SINCE: dayBefore(days - 1) },
};
const range = [dayBefore(days - 2), dayBefore(1)] as const;
const lake = join(folder, 'lake');

function dayBefore(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
}

async function made(...command: string[]): Promise<void> {
  const { code, complained } = await runToEnd(command, own, folder);
  if (code !== 0) throw new Error(`${command.join(' ')}: ${complained}`);
}
await made('pull', '--only', 'archive,total_chats,chat_ratings,first_response_time');
await made('export', lake);

const url = `http://127.0.0.1:${await freePort()}`;
const port = new URL(url).port;
begin([copyProgram({ has_pages: true }), 'serve'], { ...own, CHATLEDGER_PORT: port }, folder);
while (
  !(await fetch(`${url}/api/ready`).then(
    ({ ok }) => ok,
    () => false,
  ))
)
  await pause(200);

async function rowsOf(metric: string, grain: string): Promise<Numbers[]> {
  const answer = await fetch(`${url}/api/metrics/${metric}?from=${range[0]}&to=${range[1]}&grain=${grain}`);
  return ((await answer.json()) as { rows: Numbers[] }).rows;
}

async function expected(): Promise<Numbers> {
  const [chats] = await rowsOf('total_chats', 'total');
  const [ratings] = await rowsOf('chat_ratings', 'total');
  const [responses] = await rowsOf('first_response_time', 'total');
  const byDay = (await rowsOf('total_chats', 'day')).map(({ chats: count = 0 }) => count);
  return {
    ...{ chats: chats?.chats ?? NaN, busiest_day: Math.max(...byDay), good: ratings?.good ?? NaN },
    ...{ csat: ratings?.csat ?? NaN, first_response_seconds: responses?.seconds ?? NaN },
  };
}

interface Example {
  name: string;
  /** Succeeds where the program and its packages are there. */
  needs: readonly [program: string, ...words: string[]];
  words: readonly [program: string, ...words: string[]];
  /** By default that of the examples. */
  folder?: string;
}

const file = join(folder, 'data', 'published', 'chatledger.duckdb');
const connector = join('node_modules', '@evidence-dev', 'duckdb');
const withPackages = (program: string, ...packages: string[]) =>
  [program, '-c', `import ${packages.join(', ')}`] as const;
const all: readonly Example[] = [
  { name: 'duckdb_file.py', needs: withPackages(python, 'duckdb'), words: [python, 'duckdb_file.py', file, ...range] },
  {
    name: 'polars_parquet.py',
    needs: withPackages(python, 'polars'),
    words: [python, 'polars_parquet.py', lake, ...range],
  },
  {
    ...{ name: 'pandas_parquet.py', needs: withPackages(python, 'pandas', 'pyarrow') },
    words: [python, 'pandas_parquet.py', lake, ...range],
  },
  { name: 'over_http.py', needs: withPackages(python, 'json'), words: [python, 'over_http.py', url, ...range] },
  {
    ...{ name: 'notebook.ipynb', needs: withPackages(jupyter, 'nbconvert', 'ipykernel', 'duckdb', 'pandas') },
    words: [jupyter, '-m', 'nbconvert', '--to', 'markdown', '--execute', '--stdout', 'notebook.ipynb'],
  },
  { name: 'csv_over_http.R', needs: [r, '--version'], words: [r, 'csv_over_http.R', url, ...range] },
  { name: 'workbook.R', needs: [r, '-e', 'library(readxl)'], words: [r, 'workbook.R', url, ...range] },
  { name: 'calc.py', needs: ['soffice', '--version'], words: [python, 'calc.py', url, ...range] },
  {
    ...{ name: 'evidence.mjs', needs: [process.execPath, '-e', `require('${join(evidence, connector)}')`] },
    ...{ words: [process.execPath, join(examples, 'evidence.mjs'), file, ...range], folder: evidence },
  },
];

const env = {
  ...process.env,
  ...{ CHATLEDGER_FILE: file, CHATLEDGER_FROM: range[0], CHATLEDGER_TO: range[1], PYTHONDONTWRITEBYTECODE: '1' },
};

/** The five numbers that the example prints last; undefined where it prints none. */
function numbersIn(printed: string): Numbers | undefined {
  const line = printed.split('\n').findLast((it) => it.trim().startsWith('{'));
  return line === undefined ? undefined : (JSON.parse(line) as Numbers);
}

const isSame = (one: Numbers, other: Numbers): boolean =>
  Object.entries(one).every(([name, value]) => Math.abs((other[name] ?? NaN) - value) <= tolerance * Math.abs(value));

const right = await expected();
say(`${range.join(' to ')}, the API: ${JSON.stringify(right)}`);
let wrong = 0;
for (const { name, needs, words, folder: own_folder = examples } of all) {
  const [program, ...probe] = needs;
  const there = spawnSync(program, probe, { encoding: 'utf8' });
  if (there.status !== 0) {
    const why = there.error?.message ?? there.stderr.trim().split('\n').at(-1) ?? '';
    say(`skipped  ${name}: ${why}`);
    continue;
  }
  const [command, ...rest] = words;
  const ended = spawnSync(command, rest, { cwd: own_folder, env, encoding: 'utf8', timeout: 120_000 });
  const numbers = numbersIn(ended.stdout);
  const isRight = numbers !== undefined && isSame(right, numbers);
  if (!isRight) wrong += 1;
  say(
    isRight ? `equal    ${name}` : `DIFFERS  ${name}: ${numbers ? JSON.stringify(numbers) : ended.stderr.slice(-400)}`,
  );
}
endRuns();
await service.close();
process.exit(wrong > 0 || Object.values(right).some(Number.isNaN) ? 1 : 0);
