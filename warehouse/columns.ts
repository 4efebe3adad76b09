// Rows of one table stored by column as bytes outside the JavaScript heap, so that garbage collections need not move them.
import type { Row, Value } from './engine.ts';
import type { Column, ColumnType, Table } from './tables/tables.ts';

/** Encoding of a column's values in consecutive bytes, little-endian; nulls are omitted. */
export type Layout =
  /** Four bytes that say how many follow, then the text in UTF-8. */
  | 'text'
  | 'int32'
  | 'int64'
  | 'double'
  /** Eight to a byte, the lowest bit first. */
  | 'bits';

/** Instants are microseconds since 1970, decimals and dates their text. */
const layouts: Record<ColumnType, Layout> = {
  ...{ text: 'text', int: 'int32', bigint: 'int64', double: 'double' },
  ...{ decimal: 'text', bool: 'bits', date: 'text', instant: 'int64' },
};

const least_bytes = 4096;
/** Rooms that are used again, by size: fresh ones would wait for the garbage collection, tens of megabytes at a time. */
const spare = new Map<number, Buffer[]>();
const most_spare_bytes = 16 * 1024 * 1024;
let spare_bytes = 0;

function roomOf(bytes: number): Buffer {
  let size = least_bytes;
  while (size < bytes) size *= 2;
  const room = spare.get(size)?.pop();
  if (room) spare_bytes -= size;
  return room ?? Buffer.allocUnsafeSlow(size);
}

function giveBack(room: Buffer): void {
  if (room.length === 0 || spare_bytes + room.length > most_spare_bytes) return;
  const same = spare.get(room.length);
  if (same) same.push(room);
  else spare.set(room.length, [room]);
  spare_bytes += room.length;
}

const nothing: Buffer = Buffer.alloc(0);

/** Bytes that grow. */
class Room {
  buffer = nothing;
  used = 0;

  /** Reserves space for more bytes. */
  reserve(bytes: number): Buffer {
    const needed = this.used + bytes;
    if (needed <= this.buffer.length) return this.buffer;
    const before = this.buffer;
    this.buffer = roomOf(needed);
    before.copy(this.buffer, 0, 0, this.used);
    giveBack(before);
    return this.buffer;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  clear(): void {
    giveBack(this.buffer);
    this.buffer = nothing;
    this.used = 0;
  }
}

class Bits {
  readonly room = new Room();
  count = 0;

  /** The first so many, all set. */
  fill(count: number): void {
    const bytes = Math.ceil(count / 8);
    this.room.reserve(bytes).fill(255, 0, bytes);
    this.room.used = bytes;
    this.count = count;
    if (count % 8 > 0) this.room.buffer[bytes - 1] = 2 ** (count % 8) - 1;
  }

  push(is_set: boolean): void {
    const place = this.count & 7;
    if (place === 0) {
      const { used } = this.room;
      this.room.reserve(1)[used] = 0;
      this.room.used = used + 1;
    }
    if (is_set) this.room.buffer[this.room.used - 1]! |= 1 << place;
    this.count += 1;
  }
}

// TRICKY: a chat has hundreds of values; bytes set one by one cost a third of what methods of Buffer do.
function setInt32(buffer: Buffer, at: number, whole: number): void {
  buffer[at] = whole;
  buffer[at + 1] = whole >> 8;
  buffer[at + 2] = whole >> 16;
  buffer[at + 3] = whole >> 24;
}

/** From this length on, the method of Buffer is faster. */
const short_text = 40;

/** Writes the text as ASCII; false if it has other characters. */
function setAscii(buffer: Buffer, at: number, text: string): boolean {
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code > 127) return false;
    buffer[at + place] = code;
  }
  return true;
}

function addText(room: Room, value: string | number | boolean): void {
  const text = typeof value === 'string' ? value : String(value);
  const from = room.used;
  const buffer = room.reserve(4 + text.length * 3);
  // TRICKY: a lone surrogate is legal in JavaScript but invalid elsewhere; it is written as a replacement character.
  const isShort = text.length < short_text && setAscii(buffer, from + 4, text);
  const length = isShort ? text.length : buffer.write(text, from + 4);
  setInt32(buffer, from, length);
  room.used = from + 4 + length;
}

function wholeOf(value: string | number | boolean): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new Error(`${String(value)} is no whole number`);
  return number;
}

function addInt32(room: Room, value: string | number | boolean): void {
  const whole = wholeOf(value);
  if ((whole | 0) !== whole) throw new Error(`${whole} is no number of 32 bits`);
  setInt32(room.reserve(4), room.used, whole);
  room.used += 4;
}

function addInt64(room: Room, whole: number): void {
  const buffer = room.reserve(8);
  setInt32(buffer, room.used, whole | 0);
  setInt32(buffer, room.used + 4, Math.floor(whole / 2 ** 32));
  room.used += 8;
}

const microsecondsOf = (value: string | number | boolean): number =>
  wholeOf(Math.round((typeof value === 'string' ? Date.parse(value) / 1000 : Number(value)) * 1_000_000));

function addDouble(room: Room, value: string | number | boolean): void {
  room.reserve(8).writeDoubleLE(Number(value), room.used);
  room.used += 8;
}

function addBit(bits: Bits, value: string | number | boolean): void {
  if (typeof value !== 'boolean') throw new Error(`${String(value)} is neither true nor false`);
  bits.push(value);
}

/** The values of one column. As long as all are equal, only the first is stored. */
export class ColumnValues {
  readonly name: string;
  readonly layout: Layout;
  count = 0;
  nulls = 0;
  readonly #is_instant: boolean;
  #first: Value = null;
  #is_constant = true;
  readonly #present = new Bits();
  readonly #values = new Bits();

  constructor(name: string, { type }: Column) {
    this.name = name;
    this.layout = layouts[type];
    this.#is_instant = type === 'instant';
  }

  add(given: Value | undefined): void {
    // NaN and infinite numbers become null, as in JSON.
    const value = given === undefined || (typeof given === 'number' && !Number.isFinite(given)) ? null : given;
    if (this.#is_constant) {
      if (this.count === 0) this.#first = value;
      if (value === this.#first) {
        this.count += 1;
        if (value === null) this.nulls += 1;
        return;
      }
      this.#is_constant = false;
      if (this.nulls > 0) for (let place = 0; place < this.count; place += 1) this.#present.push(false);
      else for (let place = 0; place < this.count; place += 1) this.#put(this.#first);
    }
    this.#put(value);
    this.count += 1;
    if (value === null) this.nulls += 1;
  }

  #put(value: Value): void {
    // Before the first null nothing is said of the rows.
    if (value !== null) {
      if (this.nulls > 0) this.#present.push(true);
      this.#write(value);
    } else {
      if (this.nulls === 0) this.#present.fill(this.count);
      this.#present.push(false);
    }
  }

  /** @throws if the value does not have the column's type. */
  #write(value: string | number | boolean): void {
    const { room } = this.#values;
    if (this.layout === 'text') addText(room, value);
    else if (this.layout === 'int32') addInt32(room, value);
    else if (this.layout === 'int64') addInt64(room, this.#is_instant ? microsecondsOf(value) : wholeOf(value));
    else if (this.layout === 'double') addDouble(room, value);
    else addBit(this.#values, value);
  }

  /** Whether all rows have the same value: `values` holds it once, or not at all if it is null. */
  get isConstant(): boolean {
    return this.#is_constant;
  }

  /** Which rows have a value, eight to a byte, the lowest bit first. Not of a constant, nor without nulls. */
  get present(): Buffer {
    return this.#present.room.bytes;
  }

  /** The values. Asked when nothing is added any more. */
  get values(): Buffer {
    const { room } = this.#values;
    if (this.#is_constant && this.#first !== null && room.used === 0) this.#write(this.#first);
    return room.bytes;
  }

  clear(): void {
    this.#present.room.clear();
    this.#values.room.clear();
  }
}

export class ColumnBatch {
  readonly table: Table;
  readonly columns: readonly ColumnValues[];
  /** Rows so far. */
  count = 0;

  /** `names`: some columns of the table; by default all. */
  constructor(table: Table, names: readonly string[] = Object.keys(table.columns)) {
    this.table = table;
    this.columns = Object.entries(table.columns)
      .filter(([name]) => names.includes(name))
      .map(([name, column]) => new ColumnValues(name, column));
  }

  /** Adds a row in the format of engine.ts. @throws if a value does not fit its column. */
  add(row: Row): void {
    for (let place = 0; place < this.columns.length; place += 1) {
      const column = this.columns[place]!;
      column.add(row[column.name]);
    }
    this.count += 1;
  }

  /** Gives the room back: nothing can be done with it any more. */
  clear(): void {
    for (const column of this.columns) column.clear();
    this.count = 0;
  }
}

/** Columns of the given rows. `names`: some columns of the table; all by default. */
export function columnsOf(table: Table, rows: readonly Row[], names?: readonly string[]): ColumnBatch {
  const columns = new ColumnBatch(table, names);
  for (const row of rows) columns.add(row);
  return columns;
}
