// The visits of visitors of whom was asked last, kept until one of their chats is written: an action asks for them several times.
import type { StatementSync } from 'node:sqlite';

/** A chat of a visitor; Unix seconds. */
export interface Visit {
  id: string;
  started: number;
  ended: number;
}

const most = 2_000;

/** `statement` reads the chats of a visitor in order. No other process writes chats while this one has the file. */
export function createVisits(statement: StatementSync) {
  const kept = new Map<string, readonly Visit[]>();
  return {
    of(visitor_id: string): readonly Visit[] {
      const had = kept.get(visitor_id);
      if (had) return had;
      if (kept.size >= most) kept.clear();
      const visits = statement.all(visitor_id) as unknown as Visit[];
      kept.set(visitor_id, visits);
      return visits;
    },
    forget(visitor_id: string): void {
      kept.delete(visitor_id);
    },
    /** What was read within a transaction that is rolled back has not been. */
    forgetAll(): void {
      kept.clear();
    },
  };
}
