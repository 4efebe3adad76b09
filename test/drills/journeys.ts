// Every browser journey with all that it can try: every page where the tests take a part, each task by every way, all colours and widths.
// `npm run drill:journeys -- [files]`: with the journeys' own code (`test/whole.ts`), and their exit code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build, isBuilt } from '#server/build.ts';
import { createChildren } from '#server/children.ts';

if (!isBuilt()) await build(createChildren());
const run = spawn('npm', ['exec', '--', 'playwright', 'test', ...process.argv.slice(2)], {
  cwd: join(import.meta.dirname, '..', '..'),
  env: { ...process.env, CHANCE: 'whole' },
  stdio: 'inherit',
});
const [code] = (await once(run, 'exit')) as [number | null];
process.exitCode = code ?? 1;
