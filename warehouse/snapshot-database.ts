// Interfaces of a database that holds published snapshots, for readers and publishers of a data folder. Their files stay in the folder.
import type { Engine } from './engine.ts';
import type { Holder, Lease, Taken } from './leases.ts';

/** A snapshot that a database holds. */
export interface HeldSnapshot {
  id: string;
  /** ISO instant. */
  published_at: string;
  /** What had rewritten kept snapshots last when it was put there; under another mark it may hold what is gone since. */
  rewritten: string;
}

/** What questions know of an account that was published. */
export interface PublishedAccount {
  id: string;
  /** IANA zone. */
  timezone: string;
  /** First day to pull, YYYY-MM-DD in that zone. */
  since: string;
  /** Its chats are made up by the embedded service. */
  simulated: boolean;
}

/** For readers of one data folder. Errors of each member: UnreachableWarehouse. */
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

/** What the accounts of several data folders were at one moment: of each account the last publication until then. */
export interface AccountsSnapshot extends HeldSnapshot {
  accounts: readonly PublishedAccount[];
}

/** For readers of all accounts, whoever published them. Errors of each member: UnreachableWarehouse. */
export interface AccountsDatabase {
  /** In messages, without user and password. */
  readonly name: string;
  /** One for each publication that is kept, oldest first. The same array as long as nothing was published, rewritten or removed. */
  list(): Promise<readonly AccountsSnapshot[]>;
  /** With the tables and columns that all of them have. Errors: DamagedWarehouse, if it, or a part of an account's rows, is not there. */
  open(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine>;
  /** By host, in the order of the address: what keeps it from answering questions about it; null where nothing does. */
  whyNot(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<(string | null)[]>;
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

/** Who publishes what. */
export interface PublishingTo {
  holder: Holder;
  /** Which of them it publishes; nobody else may. */
  accounts: readonly PublishedAccount[];
  /** How long a lease of an account holds unless it is renewed. */
  lease_seconds: number;
}

/** Who publishes to a database. */
export interface Publishers {
  /** The time of its server, ISO instant. */
  now: string;
  /** By account; those that ended too. */
  leases: readonly Lease[];
  /** The publication that counts of each account: the newest one of who published it in the highest epoch. `publisher`: the id of a holder. */
  newest: readonly { account: string; epoch: number; publisher: string; snapshot: string; published_at: string }[];
  /** Data folders that have snapshots there, and how many; 0 where a first publication was cut off. */
  folders: readonly { id: string; snapshots: number }[];
}

/** For the one publisher of a data folder. Errors of each member: UnreachableWarehouse. */
export interface DatabasePublisher {
  readonly name: string;
  /** The snapshots of the folder, oldest first. `isWhole`: all of its parts are there, and what is known of its accounts. */
  list(): Promise<(HeldSnapshot & { isWhole: boolean })[]>;
  /** Takes the leases of the accounts, or renews them; those of others that the folder has are given back. */
  take(): Promise<Taken>;
  /** Leases of the folder, or of that the ones of some accounts. */
  giveBack(accounts?: readonly string[]): Promise<void>;
  publishers(): Promise<Publishers>;
  /**
   * `engine`: the published file, which nobody writes. Cut off anywhere, it leaves what readers find as it was. Errors: LeasedAccount, if
   * another folder publishes one of the accounts, also if it has begun to do so meanwhile.
   */
  publish(engine: Engine, snapshot: HeldSnapshot): Promise<DatabasePublication>;
  /** Removes other snapshots of the folder, and every row of it that none of these names. */
  keepOnly(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A database that can be used. */
export interface DatabaseCheck {
  version: string;
  /** Parts of the folder that no snapshot names. */
  unnamed_parts: number;
}
