// Documents that were made lately: the same one asked for again is not made again.
import { Coalescer } from '#warehouse/cancellation.ts';
import type { File } from '#digests/rendered.ts';

const most_bytes = 48 * 1024 * 1024;

export class Documents {
  /** The longest unused first. */
  readonly #kept = new Map<string, File>();
  readonly #making = new Coalescer<File>();
  #bytes = 0;

  /** `key` names everything that the document depends on, the snapshot first. Errors: those of `make`; Cancelled. */
  async get(key: string, make: () => Promise<File>): Promise<File> {
    const kept = this.#kept.get(key);
    if (!kept) return this.#making.run(key, async () => this.#keep(key, await make()));
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #keep(key: string, file: File): File {
    this.#kept.set(key, file);
    this.#bytes += file.bytes.length;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= most_bytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes.length;
    }
    return file;
  }
}
