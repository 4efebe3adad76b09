// Fingerprints of the writer's files at closing: a file that differs was not left that way by this program.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from './replace-file.ts';

const seals = z.record(z.string(), z.object({ bytes: z.number(), changed_ms: z.number() }));
type Seals = z.infer<typeof seals>;

const sealFile = (file: string): string => join(dirname(file), 'closed.json');

function readSeals(file: string): Seals {
  try {
    return seals.parse(JSON.parse(readFileSync(sealFile(file), 'utf8')));
  } catch {
    return {}; // missing or unreadable: then no file is known
  }
}

function look(file: string): { bytes: number; changed_ms: number } {
  const { size, mtimeMs } = statSync(file);
  return { bytes: size, changed_ms: mtimeMs };
}

/** Whether the file is as it was closed, without a log. Copies may preserve times only to the millisecond. */
export function isAsClosed(file: string): boolean {
  const known = readSeals(file)[basename(file)];
  if (!known || !existsSync(file) || existsSync(`${file}.wal`)) return false;
  const found = look(file);
  return known.bytes === found.bytes && Math.abs(known.changed_ms - found.changed_ms) < 2;
}

/** Records the state of closed files. All of them are in one folder. */
export function markCleanShutdown(files: readonly string[]): void {
  const [first] = files;
  if (first === undefined) return;
  const found = Object.fromEntries(files.map((file) => [basename(file), look(file)]));
  replaceFile(sealFile(first), `${JSON.stringify(found)}\n`);
}
