// What stops a pull, and what the embedded service fails at, is said to the operator once and in a sentence.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pullProcess } from '#server/command-process.ts';
import { whatFailed } from '#server/errors.ts';
import { newFolder, program } from './program.ts';

test('a pull that a parent began hands it the sentence, and does not say it too', async () => {
  const folder = newFolder();
  const settings = {
    ...{ CHATLEDGER_BASE_URL: 'http://127.0.0.1:9', CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: 'key' },
    ...{ CHATLEDGER_DATA: join(folder, 'data') },
  };
  const child = fork(program, ['pull'], {
    ...{ cwd: folder, silent: true },
    // As it is: otherwise it begins itself anew, and has no parent then.
    ...{ execArgv: pullProcess.execArgv, env: { ...process.env, ...settings } },
  });
  let complained = '';
  child.stderr?.on('data', (part: Buffer) => (complained += part.toString()));
  const messages: { kind: string; sentence?: string }[] = [];
  child.on('message', (message) => messages.push(message as (typeof messages)[number]));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, complained]).toEqual([3, '']);
  expect(messages.filter(({ kind }) => kind === 'stopped')).toEqual([
    expect.objectContaining({ sentence: expect.stringContaining('nothing answers at http://127.0.0.1:9') }),
  ]);
});

test('the embedded service says in a sentence that its disk is full, and shows all of a mistake', () => {
  const sqlite = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR' });
  expect(whatFailed(sqlite('database or disk is full'), '/data/service.sqlite')).toBe(
    '/data/service.sqlite cannot be written (database or disk is full): free some space, or make it writable',
  );
  expect(whatFailed(sqlite('no such column: it'), '/data/service.sqlite')).toContain('said-once.test.ts');
});
