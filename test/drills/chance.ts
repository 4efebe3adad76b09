// Everything that the tests leave to chance or try only a part of: random chats, questions, zones and accounts, all pairs, all languages.
// `npm run drill:chance -- [seed] [files]`: with the tests' own code (`test/chance.ts`), a seed that is printed, and their exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const [seed = String(Date.now() % 1e9), ...named] = process.argv.slice(2);
const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
  /from '(fast-check|[./]*\/chance\.ts)'/.test(readFileSync(join(root, file), 'utf8')),
);
const wanted = named.length > 0 ? files.filter((file) => named.some((part) => file.includes(part))) : files;
if (wanted.length === 0)
  throw new Error(`no test of these names leaves anything to chance; choose from ${files.join(', ')}`);
process.stdout.write(`seed ${seed}: ${wanted.length} files\n`);
const run = spawn('npm', ['exec', '--', 'vitest', 'run', ...wanted], {
  cwd: root,
  env: { ...process.env, CHANCE: 'whole', CHANCE_SEED: seed },
  stdio: 'inherit',
});
const [code] = (await once(run, 'exit')) as [number | null];
process.stdout.write(`seed ${seed}: ${code === 0 ? 'all is well' : 'see above'}\n`);
process.exitCode = code ?? 1;
