// Headers of a tar file (POSIX ustar), for regular files with short names: what `tar -t` and `tar -x` of any system read.

/** Headers and contents begin at multiples of it. */
export const tar_block = 512;

/** Two blocks of zeros. */
export const tarEnd: Buffer = Buffer.alloc(2 * tar_block);

/** From the end of a content to the next header. */
export const paddingOf = (bytes: number): number => (tar_block - (bytes % tar_block)) % tar_block;

const [name_bytes, size_at, sum_at, magic_at] = [100, 124, 148, 257];
const magic = 'ustar\x0000';
const largest = 8 ** 11 - 1;

/** Private to its user, of no time. */
export function tarHeader(name: string, bytes: number): Buffer {
  if (Buffer.byteLength(name) > name_bytes || bytes > largest)
    throw new RangeError(`${name} of ${bytes} bytes is too long for a tar file`);
  const header = Buffer.alloc(tar_block);
  header.write(name, 0);
  for (const [at, digits, value] of [
    [100, 7, 0o600],
    [108, 7, 0],
    [116, 7, 0],
    [size_at, 11, bytes],
    [136, 11, 0],
  ] as const)
    header.write(`${octal(value, digits)}\0`, at);
  header.write('0', 156);
  header.write(magic, magic_at);
  header.write(`${octal(sumOf(header), 6)}\0 `, sum_at);
  return header;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** Of all bytes, those of the sum as spaces. */
const sumOf = (header: Uint8Array): number =>
  header.reduce((sum, byte, at) => sum + (at >= sum_at && at < sum_at + 8 ? 32 : byte), 0);

/** Undefined: it is none that `tarHeader` makes, or another byte is in it. */
export function readTarHeader(header: Buffer): { name: string; bytes: number } | undefined {
  const name = header.subarray(0, name_bytes).toString('utf8').replace(/\0.*$/s, '');
  const bytes = Number.parseInt(header.toString('latin1', size_at, size_at + 11), 8);
  if (name === '' || !Number.isSafeInteger(bytes) || bytes < 0) return undefined;
  return tarHeader(name, bytes).equals(header) ? { name, bytes } : undefined;
}
