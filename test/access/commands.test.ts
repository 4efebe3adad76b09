// Every command times who runs it: whoever has the data folder, within what it refuses everybody, and nobody else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { program, runToEnd, type Ended } from '../server/program.ts';
import { commands } from './commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'commands-'));
const data = join(folder, 'data');
const queue = new PQueue({ concurrency: 3 });
const run = (words: readonly string[], settings: Record<string, string> = {}): Promise<Ended> =>
  queue.add(() => runToEnd(words, { CHATLEDGER_DATA: data, CHATLEDGER_PORT: '0', ...settings }, folder));

beforeAll(async () => {
  for (const [email, role] of [
    ['olga@example.com', 'admin'],
    ['vera@example.com', 'viewer'],
  ] as const)
    expect((await run(['user', 'add', email, '--role', role])).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is complete: every command is in the table, and the table has no other', async () => {
  const { said } = await run(['--help']);
  const listed = [...said.slice(said.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  expect(listed.filter((name) => name !== 'help').sort()).toEqual(Object.keys(commands).sort());
});

it('whoever has the folder is refused what nobody may, in words', async () => {
  const found = await Promise.all(
    Object.entries(commands).map(
      async ([
        name,
        {
          refuses: [words, says],
          settings,
        },
      ]) => {
        const { code, said, complained } = await run(words, settings);
        return [name, code !== 0, `${said}${complained}`.includes(says) ? says : `${said}${complained}`];
      },
    ),
  );
  expect(found).toEqual(
    Object.entries(commands).map(
      ([
        name,
        {
          refuses: [, says],
        },
      ]) => [name, true, says],
    ),
  );
});

/** Without the folder, as another user of the machine is; who may read everything gives that up first. */
function runShutOut(words: readonly string[]): Promise<{ code: number | null; said: string }> {
  const node = [process.execPath, program, ...words];
  const [command = '', ...rest] =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', ...node] : node;
  const env = { PATH: process.env.PATH, HOME: folder, CHATLEDGER_DATA: data, CHATLEDGER_PORT: '0' };
  return queue.add(async () => {
    const child = spawn(command, rest, { cwd: folder, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  });
}

it('who may not read the folder is shown and may change nothing', async () => {
  chmodSync(data, 0o000);
  try {
    const found = await Promise.all(
      Object.entries(commands).map(async ([name, { asked }]) => {
        const { code, said } = await runShutOut(asked);
        return [name, code === 0, ['olga@', 'vera@'].filter((mark) => said.includes(mark))];
      }),
    );
    expect(found).toEqual(Object.entries(commands).map(([name, { needs }]) => [name, needs === 'nothing', []]));
  } finally {
    chmodSync(data, 0o700);
  }
});
