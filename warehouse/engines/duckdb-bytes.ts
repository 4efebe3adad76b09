// Copies the bytes of a file to another one, completely or only where they differ. Runs as a separate process: `whole FROM TO`, `over
// FROM TO`.
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { isOpenElsewhere } from './open-elsewhere.ts';

/** Exit code if somebody may be reading TO: nothing is written. */
export const heldCode = 3;

/** Before the first block: three heads of one page each. */
const head_bytes = 3 * 4096;
/** Size of the engine's blocks. */
const block_bytes = 256 * 1024;

/**
 * Makes `to` equal to `from`, which nobody writes meanwhile, by writing only differing blocks. Returns the bytes written. TRICKY: a block
 * starts with its checksum, but that proves nothing: it stays the same when two words of the block are swapped.
 */
export function writeOver(from: string, to: string): number {
  const source = openSync(from, 'r');
  const target = openSync(to, 'r+');
  try {
    const { size } = fstatSync(source);
    ftruncateSync(target, size);
    let written = 0;
    const [wanted, there] = [Buffer.alloc(block_bytes), Buffer.alloc(block_bytes)];
    for (let at = 0; at < size;) {
      const length = Math.min(at === 0 ? head_bytes : block_bytes, size - at);
      readWhole(source, wanted.subarray(0, length), at);
      readWhole(target, there.subarray(0, length), at);
      if (wanted.compare(there, 0, length, 0, length) !== 0) {
        writeWhole(target, wanted.subarray(0, length), at);
        written += length;
      }
      at += length;
    }
    return written;
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

function readWhole(file: number, into: Buffer, at: number): void {
  for (let done = 0; done < into.length;) {
    const read = readSync(file, into, done, into.length - done, at + done);
    if (read === 0) throw new Error(`a file ended at ${at + done}, ${into.length - done} bytes early`);
    done += read;
  }
}

function writeWhole(file: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** A hard link to the file may be somebody's copy. */
const isHeld = (file: string): boolean => statSync(file).nlink !== 1 || isOpenElsewhere(file);

if (process.argv[1] === import.meta.filename) {
  const [how, from = '', to = ''] = process.argv.slice(2);
  if (how === 'whole') copyFileSync(from, to, constants.COPYFILE_FICLONE);
  else if (isHeld(to)) process.exitCode = heldCode;
  else writeOver(from, to);
}
