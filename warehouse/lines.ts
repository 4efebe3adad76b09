// Many rows of one table as lines of JSON: bytes outside the heap of the program, which no garbage collection has to move.
import type { Row } from './engine.ts';

const chunk_bytes = 1024 * 1024;
/** Chunks that are used again: fresh ones would wait for the garbage collection, tens of megabytes at a time. */
const spare: Buffer[] = [];
const most_spare = 12;

const chunkOf = (bytes: number): Buffer =>
  (bytes <= chunk_bytes ? spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(chunk_bytes, bytes));

export class Lines {
  #full: Buffer[] = [];
  #chunk: Buffer = Buffer.alloc(0);
  #used = 0;
  /** Rows so far. */
  count = 0;
  /** Bytes of the longest line, at most. */
  longest = 0;
  /** Bytes so far. */
  bytes = 0;

  /** Instants as Unix seconds, everything else as engine.ts says. */
  add(row: Row): void {
    const line = wellFormed(JSON.stringify(row), row);
    const most = line.length * 3 + 1;
    if (this.#used + most > this.#chunk.length) {
      if (this.#used > 0) this.#full.push(this.#chunk.subarray(0, this.#used));
      this.#chunk = chunkOf(most);
      this.#used = 0;
    }
    const before = this.#used;
    this.#used += this.#chunk.write(line, before);
    this.#chunk[this.#used++] = 10;
    this.bytes += this.#used - before;
    this.longest = Math.max(this.longest, this.#used - before);
    this.count += 1;
  }

  /** In the order in which they were added. */
  buffers(): Buffer[] {
    return this.#used > 0 ? [...this.#full, this.#chunk.subarray(0, this.#used)] : this.#full;
  }

  /** Gives the room back: there are no lines any more. */
  clear(): void {
    for (const { buffer } of this.buffers())
      if (buffer.byteLength === chunk_bytes && spare.length < most_spare) spare.push(Buffer.from(buffer));
    this.#full = [];
    this.#chunk = Buffer.alloc(0);
    this.#used = this.count = this.bytes = this.longest = 0;
  }
}

/** TRICKY: half a surrogate pair is legal in JavaScript and no text anywhere else; the rest of the line must not suffer. */
function wellFormed(line: string, row: Row): string {
  if (!line.includes('\\ud')) return line;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value]),
    ),
  );
}

export const linesOf = (rows: Iterable<Row>): Lines => {
  const lines = new Lines();
  for (const row of rows) lines.add(row);
  return lines;
};
