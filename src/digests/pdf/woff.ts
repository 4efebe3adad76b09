// Unpacks a WOFF 1 font into the TrueType file that it wraps: the typesetter reads no other.
import { inflateSync } from 'node:zlib';

interface WoffTable {
  tag: number;
  offset: number;
  packed: number;
  length: number;
  checksum: number;
}

const align = (length: number): number => (length + 3) & ~3;

/** Errors: Error when the bytes are no WOFF 1 file. */
export function trueTypeOf(woff: Buffer): Uint8Array {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('this font is no WOFF 1 file');
  const count = woff.readUInt16BE(12);
  const entries = Array.from({ length: count }, (_, at): WoffTable => {
    const [tag = 0, offset = 0, packed = 0, length = 0, checksum = 0] = [0, 4, 8, 12, 16].map((field) =>
      woff.readUInt32BE(44 + at * 20 + field),
    );
    return { tag, offset, packed, length, checksum };
  });
  const size = entries.reduce((sum, { length }) => sum + align(length), 12 + count * 16);
  const font = Buffer.alloc(size);
  font.writeUInt32BE(woff.readUInt32BE(4), 0);
  const power = Math.floor(Math.log2(count));
  font.writeUInt16BE(count, 4);
  font.writeUInt16BE(2 ** power * 16, 6);
  font.writeUInt16BE(power, 8);
  font.writeUInt16BE((count - 2 ** power) * 16, 10);
  let place = 12 + count * 16;
  entries.forEach(({ tag, offset, packed, length, checksum }, at) => {
    [tag, checksum, place, length].forEach((value, field) => font.writeUInt32BE(value, 12 + at * 16 + field * 4));
    const bytes = woff.subarray(offset, offset + packed);
    font.set(packed < length ? inflateSync(bytes) : bytes, place);
    place += align(length);
  });
  return font;
}
