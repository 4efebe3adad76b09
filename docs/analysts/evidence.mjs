// The same as a source of Evidence, by its connector of DuckDB; run in the folder of its project: FILE FROM TO.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const [file, first, last] = process.argv.slice(2);
const { getRunner } = createRequire(join(process.cwd(), 'package.json'))('@evidence-dev/duckdb');
// A source of Evidence takes no parameters.
const question = readFileSync(new URL('questions.sql', import.meta.url), 'utf8')
  .replaceAll('$from', `'${first}'`)
  .replaceAll('$to', `'${last}'`);
const run = await getRunner({ filename: basename(file) }, dirname(file));
const { rows } = await run(question, 'numbers.sql', 1000);
for await (const part of typeof rows === 'function' ? rows() : [rows])
  for (const row of [part].flat()) process.stdout.write(`${JSON.stringify(row)}\n`);
process.exit();
