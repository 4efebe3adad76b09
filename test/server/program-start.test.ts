// How a command begins: what removes types from TypeScript takes as long to load as all the rest of it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder, program } from './program.ts';

test('a command does not load what removes types, once the cache of compiled code is there', async () => {
  const folder = newFolder();
  const probe = join(folder, 'probe.cjs');
  writeFileSync(
    probe,
    `process.on('exit', () => console.error(process.moduleLoadList.filter((name) => /amaro/.test(name)).length));`,
  );
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const begun = async (file: string): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, ['--require', probe, file, '--help'], { cwd: folder, env });
  const first = await begun(program);
  expect(first.stdout).toContain('Usage: chatledger');
  // What was compiled has been put into the cache by now.
  expect(await begun(program)).toEqual({ stdout: first.stdout, stderr: '0\n' });
  // The file that earlier installations name goes on to work.
  const typed = await begun(program.replace(/\.js$/, '.ts'));
  expect(typed.stdout).toBe(first.stdout);
  expect(Number(typed.stderr)).toBeGreaterThan(0);
});
