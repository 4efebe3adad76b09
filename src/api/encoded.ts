// Answers in the encoding that a browser takes, made once and kept with the answer: compressing costs more than everything else of a cached one.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Bytes; compressing less is not worth it. */
export const least_compressed = 4096;

/** From the best to the next. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** As `compression` has it, which compresses all other answers. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The encoding for whoever asks; undefined where the answer goes out as it is. Pages ask without a connection, and read it as it is. */
export function encodingFor(c: Context): Encoding | undefined {
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
  if (!outgoing || c.req.raw.method === 'HEAD') return undefined;
  const found = accepts(c, {
    ...{ header: 'Accept-Encoding', supports: [...encodings], default: 'identity' },
    match(all) {
      const wish = (name: string): number => all.find(({ type }) => type.toLowerCase() === name)?.q ?? 0;
      const [best] = encodings.toSorted((one, other) => wish(other) - wish(one));
      return best && wish(best) > 0 && wish(best) >= wish('identity') ? best : 'identity';
    },
  });
  return encodings.find((one) => one === found);
}

export async function encodedAs(encoding: Encoding, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const made = encoding === 'br' ? await brotli(body, quality) : await zip(body);
  return made as Uint8Array<ArrayBuffer>;
}
