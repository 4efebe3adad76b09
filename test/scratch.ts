// One temporary folder for a whole run: whatever its tests leave there goes with it. A run that is killed leaves this one.
// And programs that tests start find even their first file compiled, and all tests of a run have one today.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory that is a folder: tests write thousands of small files to disks that are thrown away. */
const inMemory = '/dev/shm';
/** What it must have left, bytes. */
const least = 8e9;

function roomiest(): string {
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= least && process.availableMemory() >= 2 * least ? inMemory : tmpdir();
}

/** Points the temporary folder of this process, and of those that it starts, at one of its own. Returns what removes it. */
export default function scratch(): () => void {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(roomiest(), 'chatledger-run-'));
  process.env.TMPDIR = folder;
  process.env.TEST_FOLDER = folder;
  process.env.TEST_TODAY = new Date().toISOString().slice(0, 10);
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled');
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
