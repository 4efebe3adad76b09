// A zip of any size, written as its files are: only one piece of each is in memory at a time.
import { once } from 'node:events';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type AsyncFlateStreamHandler, type ZipInputFile } from 'fflate';
import { localDate } from './zip.ts';

/** The 32-bit size limit of a file in a zip. */
const longest_bytes = 2 ** 32 - 1;
const deflated = 8;

/** A text, or its bytes in UTF-8. */
type Part = string | Uint8Array;

/** `dated` is an ISO instant. Errors: those of the texts. */
export async function* zipInPieces(
  files: Iterable<readonly [name: string, texts: Iterable<Part> | AsyncIterable<Part>]>,
  dated: string,
): AsyncGenerator<Uint8Array> {
  let written: Uint8Array[] = [];
  const taken = (): Uint8Array[] => {
    const all = written;
    written = [];
    return all;
  };
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    if (bytes.length > 0) written.push(bytes);
  });
  for (const [filename, texts] of files) {
    const file: ZipInputFile = {
      ...{ filename, size: 0, crc: 0, compression: deflated, mtime: localDate(dated) },
      ondata: unheard,
    };
    zip.add(file);
    for await (const bytes of packed(texts, file)) {
      file.ondata?.(null, bytes, false);
      yield* taken();
    }
    file.ondata?.(null, new Uint8Array(0), true);
  }
  zip.end();
  yield* taken();
}

const unheard: AsyncFlateStreamHandler = () => undefined;

/** TRICKY: pieces are compressed on demand, in the caller's context: a pipe would read ahead in another one. */
async function* packed(
  texts: Iterable<Part> | AsyncIterable<Part>,
  file: ZipInputFile,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  deflate.on('data', (piece: Buffer<ArrayBuffer>) => void pieces.push(piece));
  try {
    for await (const text of texts) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      file.crc = crc32(bytes, file.crc);
      file.size += bytes.length;
      if (file.size > longest_bytes) throw new Error(`${file.filename} is longer than a zip of this kind can hold`);
      await new Promise<void>((resolve, reject) =>
        deflate.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
      yield* pieces;
      pieces = [];
    }
    const ended = once(deflate, 'end');
    deflate.end();
    await ended;
    yield* pieces;
  } finally {
    deflate.destroy();
  }
}
