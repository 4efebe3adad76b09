// Whether pages must be built: by their sources in a checkout, never in an installation that has no packages for development.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { beginNode, newFolder, runNode, until } from './program.ts';
import { copyProgram } from './supervised.ts';

async function isBuilt(program: string): Promise<string> {
  const module = pathToFileURL(join(dirname(program), 'build.ts')).href;
  const script = `const { isBuilt } = await import('${module}'); process.stdout.write(String(isBuilt()))`;
  const { said, complained } = await runNode(['--input-type=module', '-e', script], {}, newFolder());
  return said + complained;
}

test('pages whose sources are unknown are built anew, unless nothing can build them', async () => {
  const program = copyProgram({ has_pages: true });
  const root = join(dirname(program), '..', '..');
  expect(await isBuilt(program)).toBe('false');
  rmSync(join(root, 'node_modules', '@sveltejs'));
  expect(await isBuilt(program)).toBe('true');
  rmSync(join(root, 'build'), { recursive: true });
  expect(await isBuilt(program)).toBe('false');
});

test('programs of one checkout build its pages once', async () => {
  const program = copyProgram({ has_pages: false });
  const root = join(dirname(program), '..', '..');
  const journal = join(root, 'builds.txt');
  const builds = Array.from({ length: 3 }, () =>
    runNode([join(dirname(program), 'build-app.ts')], { BUILD: 'slow', BUILDS: journal }, newFolder()),
  );
  for (const { code, complained } of await Promise.all(builds))
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
  expect(readFileSync(journal, 'utf8')).toBe('began\nended\n');
  expect(await isBuilt(program)).toBe('true');
});

test('a lock that nobody lets go any more keeps a program waiting, which says for whom, until the pages are there', async () => {
  const program = copyProgram({ has_pages: false });
  const root = join(dirname(program), '..', '..');
  const cache = join(root, 'node_modules', '.cache');
  const words = [join(dirname(program), 'build-app.ts')];
  expect((await runNode(words, {}, newFolder())).code).toBe(0);
  renameSync(join(root, 'build'), join(root, 'built'));
  writeFileSync(join(cache, 'build.lock'), JSON.stringify({ pid: 7, host: 'a-container-that-is-gone' }));
  const journal = join(root, 'builds.txt');
  const waiting = beginNode(words, { BUILD: 'slow', BUILDS: journal }, newFolder());
  await until(
    () => waiting.said().includes('is in use by process 7 of a-container-that-is-gone'),
    60,
    'saying for whom',
  );
  renameSync(join(root, 'built'), join(root, 'build'));
  expect((await waiting.ended).code).toBe(0);
  expect(existsSync(journal)).toBe(false);
});
