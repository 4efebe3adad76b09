// Reads columns of numbers as ClickHouse sends them: blocks of columns, each with a name, a type and its values one after another.
import type { Numbers } from '../engine.ts';
import { BrokenAnswer } from './clickhouse-errors.ts';

const widths: Readonly<Record<string, number>> = {
  ...{ Int8: 1, UInt8: 1, Int16: 2, UInt16: 2, Int32: 4, Float64: 8 },
};

interface Block {
  name: string;
  type: string;
  values: Numbers;
}

/** A view of bytes that is read from the beginning on. Errors: BrokenAnswer, where they end before. */
class Reading {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Seven bits a byte, the lowest first. */
  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  take(length: number): Buffer {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new BrokenAnswer('columns that end in the middle');
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    return this.take(this.number()).toString();
  }
}

/** Errors: a type that is no whole number of 32 bits or floating-point number, a null. */
function column(reading: Reading, name: string, type: string, rows: number): Numbers {
  const [, inner] = /^Nullable\((.*)\)$/.exec(type) ?? [];
  const own = inner ?? type;
  const width = widths[own];
  if (width === undefined) throw new Error(`column ${name} is ${type}: cast it to integer or double precision`);
  if (inner !== undefined && reading.take(rows).includes(1)) throw new Error(`column ${name} has a null`);
  const bytes = reading.take(rows * width);
  // The values lie at any place of the answer, and arrays of numbers only begin at whole ones.
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  if (own === 'Float64') return new Float64Array(whole);
  if (own === 'Int32') return new Int32Array(whole);
  const small = { Int8: Int8Array, UInt8: Uint8Array, Int16: Int16Array, UInt16: Uint16Array }[own] ?? Int8Array;
  return Int32Array.from(new small(whole));
}

function blocksOf(bytes: Buffer): Block[] {
  const reading = new Reading(bytes);
  const blocks: Block[] = [];
  while (!reading.isOver) {
    const columns = reading.number();
    const rows = reading.number();
    for (let place = 0; place < columns; place += 1) {
      const name = reading.text();
      const type = reading.text();
      blocks.push({ name, type, values: column(reading, name, type, rows) });
    }
  }
  return blocks;
}

/** Columns of an answer, keyed by name; of one without rows, `shape` names them. */
export function numbersIn(bytes: Buffer, shape: Readonly<Record<string, string>>): Record<string, Numbers> {
  const blocks = Map.groupBy(blocksOf(bytes), ({ name }) => name);
  const joined = Object.entries(shape).map(([name, type]): [string, Numbers] => {
    const parts = (blocks.get(name) ?? []).map(({ values }) => values);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const empty = column(new Reading(Buffer.alloc(0)), name, type, 0);
    const all = empty instanceof Float64Array ? new Float64Array(length) : new Int32Array(length);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return [name, all];
  });
  return Object.fromEntries(joined);
}
