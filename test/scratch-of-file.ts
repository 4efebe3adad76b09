// A temporary folder for each test file that has a worker of its own: gone when the file has ended, so that memory holds few at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const run = process.env.TEST_FOLDER;
if (run === undefined) throw new Error('test/scratch.ts did not run before the tests');
const folder = mkdtempSync(join(run, 'file-'));
process.env.TMPDIR = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
