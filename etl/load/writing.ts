// Writes bundles one after another, many per transaction, while the next one is filled: full blocks then go to the file once, without a
// log, and need no recompression.
import type { Store } from '#warehouse/engine.ts';
import { createBoundedQueue, type BoundedQueue } from '../bounded-queue.ts';
import type { StoredChat } from '../ledger/open-days.ts';
import { Bundle, type ChatsOnTheWay } from './bundle.ts';

/** Ends a transaction at this many pages: what a kill loses is read again within seconds. */
const pages_together = 1500;
/** Bundles that may wait while one is written. */
const waiting = 1;

export interface Writing {
  bundle: Bundle;
  /** Pages that the bundle was filled with. */
  pages: number;
  /** More of the last written day follows, so it must not be committed yet. */
  is_half: boolean;
  /** Chats that were handed over but not committed yet; holders may keep using it after the commit. */
  readonly on_the_way: ChatsOnTheWay;
  /** Periods of those chats. */
  readonly periods: Set<string>;
  /**
   * Queues the bundle for writing and starts a new one. `before`: must finish before the bundle is written. @throws the error of an
   * earlier write.
   */
  begin(before?: () => Promise<void>): Promise<void>;
  /** Whether enough is uncommitted to commit it, unless a day is half written. */
  isLong(): boolean;
  /** Commits everything queued while the next batch is prepared. Errors are thrown by the next call. */
  commitMeanwhile(): void;
  /** Commits everything. @throws what writing threw. */
  settle(): Promise<void>;
  /** After a failure: commits what is complete. */
  end(): Promise<void>;
}

interface Handed {
  bundle: Bundle;
  before: (() => Promise<void>) | undefined;
}

interface Transaction {
  bundles: BoundedQueue<Handed>;
  committed: Promise<void>;
  pages: number;
}

export function createWriting(engine: Store, most_pages = pages_together): Writing {
  let open: Transaction | undefined;
  let committing = Promise.resolve();
  let chats = new Map<string, StoredChat | null>();
  const periods = new Set<string>();

  const commit = (): Promise<void> => {
    const ending = open;
    open = undefined;
    ending?.bundles.end();
    const own = chats;
    committing = Promise.all([committing, ending?.committed]).then(() => {
      if (chats === own) chats = new Map();
      periods.clear();
    });
    committing.catch(() => undefined); // TRICKY: awaited later; without this a failure in between ends the process
    return committing;
  };

  const writing: Writing = {
    ...{ bundle: new Bundle(), pages: 0, is_half: false, periods },
    get on_the_way() {
      const own = chats;
      return { chat: (id: string) => own.get(id), chats: () => own };
    },
    async begin(before) {
      const { bundle, pages } = writing;
      if (bundle.isEmpty && !before) return;
      await committing;
      open ??= begun(engine);
      for (const [id, chat] of bundle.chats()) chats.set(id, chat);
      Object.assign(writing, { bundle: new Bundle(), pages: 0 });
      await open.bundles.put({ bundle, before });
      open.pages += pages;
    },
    isLong: () => writing.pages + (open?.pages ?? 0) >= most_pages,
    commitMeanwhile: () => void (open && commit()),
    async settle() {
      await writing.begin();
      await commit();
    },
    end() {
      if (writing.is_half) open?.bundles.fail(new Error('a day is half written'));
      return commit().catch(() => undefined);
    },
  };
  return writing;
}

function begun(engine: Store): Transaction {
  const bundles = createBoundedQueue<Handed>(() => 1, 1, waiting);
  const committed = engine
    .transaction(async () => {
      for (let taken = await bundles.take(); taken; taken = await bundles.take())
        for (const { bundle, before } of taken) {
          await before?.();
          await bundle.commit(engine);
        }
    })
    .catch((error: unknown) => {
      bundles.fail(error);
      throw error;
    });
  committed.catch(() => undefined); // TRICKY: awaited later; without this a failure in between ends the process
  return { bundles, committed, pages: 0 };
}
