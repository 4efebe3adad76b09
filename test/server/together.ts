// Processes that do something at one moment, however long each takes to start.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { beginNode, newFolder, until } from './program.ts';

const server = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'server')).href;

/**
 * Each has what `module` (of src/server) exports as `given`, and prints what its script returns, as JSON. Fails where one complains. Returns
 * what they printed.
 */
export async function together(module: string, scripts: readonly string[]): Promise<unknown[]> {
  const gate = join(newFolder(), 'open');
  const runs = scripts.map((script) => {
    const code =
      "import { existsSync, writeSync } from 'node:fs';" +
      `const given = await import('${server}/${module}');` +
      "writeSync(1, '\\n');" +
      `while (!existsSync('${gate}'));` +
      `const done = await (async () => { ${script} })();` +
      'writeSync(1, JSON.stringify(done ?? null));';
    return beginNode(['--input-type=module', '-e', code], {}, newFolder());
  });
  let hasFailed = false;
  for (const { ended } of runs) void ended.then(() => (hasFailed = true));
  await until(() => hasFailed || runs.every(({ said }) => said() !== ''), 300, 'the start of all processes');
  writeFileSync(gate, '');
  const ended = await Promise.all(runs.map((run) => run.ended));
  for (const { code, complained } of ended) expect([complained, code]).toEqual(['', 0]);
  return ended.map(({ said }) => JSON.parse(said) as unknown);
}
