// Cache of recently rendered documents.
import { LRUCache } from 'lru-cache';
import { Coalescer } from '#warehouse/cancellation.ts';
import type { File } from '#digests/channels/letter.ts';

const most_bytes = 48 * 1024 * 1024;

export class DocumentCache {
  readonly #kept = new LRUCache<string, File>({
    maxSize: most_bytes,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  readonly #making = new Coalescer<File>();

  /** `key` names everything that the document depends on, the snapshot first. Errors: those of `make`; Cancelled. */
  async get(key: string, make: () => Promise<File>): Promise<File> {
    return this.#kept.get(key) ?? this.#making.run(key, async () => this.#keep(key, await make()));
  }

  #keep(key: string, file: File): File {
    this.#kept.set(key, file);
    return file;
  }
}
