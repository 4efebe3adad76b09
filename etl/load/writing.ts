// Writes bundles one after the other, many in one transaction, while the next one is filled: full blocks then go to the
// file once, without a log, and are not packed anew.
import type { Store } from '#warehouse/engine.ts';
import { createBoundedQueue, type BoundedQueue } from '../bounded-queue.ts';
import type { StoredChat } from '../ledger/open-days.ts';
import { Bundle, type ChatsOnTheWay } from './bundle.ts';

/** Pages from which on a transaction is ended: what is lost when the process is killed is read again in seconds. */
const pages_together = 1500;
/** Bundles that wait while one is written. */
const waiting = 1;

export interface Writing {
  bundle: Bundle;
  /** Pages that the bundle was filled with. */
  pages: number;
  /** More of the day that was last written follows: it is not to be committed yet. */
  is_half: boolean;
  /** What has been handed over and is not committed yet: whoever has it may go on asking it when it is. */
  readonly on_the_way: ChatsOnTheWay;
  /** Periods of which that is. */
  readonly periods: Set<string>;
  /**
   * Hands the bundle over to be written; another takes its place. `before`: what has to be done before it may be written.
   * @throws what writing one before it threw.
   */
  begin(before?: () => Promise<void>): Promise<void>;
  /** So much is not committed that it should be, when no day is half written. */
  isLong(): boolean;
  /** Commits everything that was handed over, while more is prepared. What goes wrong is thrown by whatever comes next. */
  commitMeanwhile(): void;
  /** Commits everything. @throws what writing threw. */
  settle(): Promise<void>;
  /** After a failure: commits what is whole. */
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
    committing.catch(() => undefined); // TRICKY: awaited later; without this a failure meanwhile ends the process
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
  committed.catch(() => undefined); // TRICKY: awaited later; without this a failure meanwhile ends the process
  return { bundles, committed, pages: 0 };
}
