// Reads archive days back from the raw archive while the previous day is being decoded.
import type { Store } from '#warehouse/engine.ts';
import type { ArchiveUnit } from '../unit.ts';
import type { ReadingEvent } from '../raw/events.ts';
import { storedBodies, type StoredBodies } from '../raw/bodies.ts';
import { storedRecords, type StoredPart } from '../raw/records.ts';

export interface Ahead {
  /** The stored parts of one event. Events must be requested in order; any may be skipped. */
  partsOf(event: ReadingEvent<ArchiveUnit>): AsyncGenerator<StoredPart>;
  /** Waits for running reads. */
  end(): Promise<void>;
}

interface AheadSetup {
  archive: Store;
  account: string;
  events: readonly ReadingEvent<ArchiveUnit>[];
  /** Events that are unlikely to be requested need not be read. */
  isLikely: (event: ReadingEvent<ArchiveUnit>) => boolean;
  /** Pages of a day that are read at once. */
  most_pages: number;
}

interface Coming {
  place: number;
  part: StoredPart;
}

/** Pages without their chats are small, and each query for some scans all of them: this many are read at once. */
const bodies_together = 1500;
const pagesOf = ({ reading }: ReadingEvent<ArchiveUnit>): string[] => reading.usable;

/** The first events that together have this many pages, at least one. */
function beginning(events: readonly ReadingEvent<ArchiveUnit>[]): ReadingEvent<ArchiveUnit>[] {
  let pages = 0;
  const end = events.findIndex((event) => (pages += pagesOf(event).length) > bodies_together);
  return events.slice(0, end === -1 ? events.length : Math.max(1, end));
}

export function readAhead({ archive, account, events, isLikely, most_pages }: AheadSetup): Ahead {
  const places = new Map(events.map((event, place) => [event, place]));
  const read = ({ reading }: ReadingEvent<ArchiveUnit>, bodies?: StoredBodies): AsyncGenerator<StoredPart> =>
    storedRecords(archive, account, reading, most_pages, bodies);

  async function* likely(): AsyncGenerator<Coming, undefined> {
    for (let from = 0; from < events.length;) {
      const next = beginning(events.slice(from));
      const bodies = await storedBodies(archive, next.filter(isLikely).flatMap(pagesOf));
      for (const [place, event] of next.entries())
        if (isLikely(event)) for await (const part of read(event, bodies)) yield { place: from + place, part };
      from += next.length;
    }
  }

  const coming = likely();
  let next: Promise<IteratorResult<Coming, undefined>> | undefined;
  const head = (): Promise<IteratorResult<Coming, undefined>> => {
    next ??= coming.next();
    next.catch(() => undefined); // TRICKY: awaited later; without this a failure in between ends the process
    return next;
  };

  return {
    async *partsOf(event) {
      const place = places.get(event) ?? -1;
      for (;;) {
        const { value } = await head();
        if (!value || value.place > place) break;
        next = undefined;
        void head();
        if (value.place < place) continue;
        yield value.part;
        if (value.part.isLast) return;
      }
      yield* read(event);
    },
    async end() {
      await next?.catch(() => undefined);
      await coming.return(undefined);
    },
  };
}
