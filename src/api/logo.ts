// Which files may be the logo of an installation: small PNGs, told by their first bytes.
import { most_logo_bytes } from '#dashboards/brand.ts';
import type { LogoSize } from '#digests/brand.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The first chunk has 13 bytes and the size of the picture. */
const header = Buffer.from([0, 0, 0, 13, ...Buffer.from('IHDR')]);
const [least, most] = [16, 1024];

/** Its size in pixels, or what is wrong with it. */
export function logoSizeOf(png: Uint8Array): LogoSize | { wrong: string } {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length > most_logo_bytes) return { wrong: `must have at most ${most_logo_bytes / 1000} kB` };
  const begins = Buffer.concat([signature, header]);
  // Eight bytes of size follow, five of how it is written, and a checksum.
  if (bytes.length < begins.length + 17 || !bytes.subarray(0, begins.length).equals(begins))
    return { wrong: 'must be a PNG' };
  const [width, height] = [bytes.readUInt32BE(begins.length), bytes.readUInt32BE(begins.length + 4)];
  return [width, height].every((pixels) => pixels >= least && pixels <= most)
    ? { width, height }
    : { wrong: `must be ${least} to ${most} pixels wide and high, not ${width} × ${height}` };
}
