// Small pictures for tests: one colour, as PNG.
import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const rowOf = (width: number): Buffer =>
  Buffer.concat([Buffer.from([0]), Buffer.from(Array<number[]>(width).fill([0, 90, 160]).flat())]);

/** `pixels`: what is packed in it, by default as many as the head says. */
export function pngOf(width: number, height: number, pixels?: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of red, green and blue.
  head.set([8, 2, 0, 0, 0], 8);
  const rows = pixels ?? deflateSync(Buffer.concat(Array<Buffer>(height).fill(rowOf(width))));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))],
  ]);
}
