// Interfaces of a database that holds published snapshots, for readers and for the one publisher. Their files stay in the folder.
import type { Engine } from './engine.ts';

/** A snapshot that a database holds. */
export interface HeldSnapshot {
  id: string;
  /** ISO instant. */
  published_at: string;
  /** What had rewritten kept snapshots last when it was put there; under another mark it may hold what is gone since. */
  rewritten: string;
}

/** For readers. Errors of each member: UnreachableWarehouse. */
export interface SnapshotDatabase {
  /** In messages, without user and password. */
  readonly name: string;
  /**
   * Oldest first; none before the first publication. Where it has several hosts, what any of them has: a snapshot that was rewritten on some
   * only is there twice, under both marks.
   */
  list(): Promise<HeldSnapshot[]>;
  /** As it is under that mark. Errors: DamagedWarehouse, if it or one of its parts is not there. */
  open(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine>;
  close(): Promise<void>;
}

/** What a publication did. */
export interface DatabasePublication {
  /** Parts that were not there. */
  written: number;
  /** Their rows. */
  rows: number;
  /** Parts that were. */
  kept: number;
}

/** For the one publisher. Errors of each member: UnreachableWarehouse. */
export interface DatabasePublisher {
  readonly name: string;
  /** Oldest first. `isWhole`: all of its parts are there. Errors: ForeignDatabase, if another folder publishes to it. */
  list(): Promise<(HeldSnapshot & { isWhole: boolean })[]>;
  /** `engine`: the published file, which nobody writes. Cut off anywhere, it leaves what readers find as it was. */
  publish(engine: Engine, snapshot: HeldSnapshot): Promise<DatabasePublication>;
  /** Removes other snapshots, and every row that none of these names. */
  keepOnly(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A database that can be used. */
export interface DatabaseCheck {
  version: string;
  /** Parts that no snapshot names. */
  unnamed_parts: number;
}
