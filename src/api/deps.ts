// The dependencies of the API on the program, and nothing more. The server implements them; tests pass small ones.
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Auth } from '#auth/auth.ts';
import type { Role } from '#auth/rights.ts';
import type { Brand, Logo } from '#digests/brand.ts';
import type { DigestDeps } from '#digests/deps.ts';
import type { Post } from '#digests/channels/smtp.ts';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import type { Engine } from '#warehouse/engine.ts';
import type { WarehouseAccount, PublishedSnapshot, Snapshot } from '#warehouse/query/context.ts';
import type { LostSnapshots } from '#warehouse/store/snapshot-store.ts';
import type { UserData } from './user-data.ts';
import type { Backups } from './contract/backups.ts';
import type { Disk } from './contract/disk.ts';
import type { ParameterValues, SqlFileFormat, SqlLimits } from './contract/sql.ts';
import type { PullState } from './contract/health.ts';
import type { Setting, Settings } from './contract/settings.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import type { Erasure, planErasure, RunningErasure } from './contract/erasures.ts';
import type { Recorded } from './contract/pulls.ts';

/** Its engine is opened read-only. */
export interface OpenSnapshot extends Snapshot {
  /** The engine of its file, for what is made of the file itself; missing where that is the one that is asked. Null: there is no file. */
  whole?: Engine | null;
  /** Its open file; missing for snapshots that are opened by name. */
  handle?: FileHandle;
}

/** A kept snapshot. */
export interface ListedSnapshot extends PublishedSnapshot {
  /** Null where it is no file. */
  bytes: number | null;
  /** Why it is pinned, or null. */
  pinned: string | null;
}

/** The kept snapshots, including the newest. */
export interface SnapshotStore {
  /** Oldest first. */
  list(): Promise<readonly ListedSnapshot[]>;
  /** Those that went before their age because there was no room. */
  lost(): Promise<LostSnapshots | null>;
  /** Bytes of the file that the next publication writes into. */
  spare(): Promise<number>;
  /** It stays open as long as the request that asks for it. */
  open(id: string): Promise<OpenSnapshot>;
  /** Bytes that they may take. */
  space(): number;
}

/** A pull that runs. */
export interface ActivePull {
  account: string;
  /** The current stage, in one word. */
  stage: string;
  /** Steps done, and all of them. */
  done: number;
  total: number;
  /** ISO instant. */
  started_at: string;
  /** When the steps that `total` counts began (milliseconds), and how many were done then. */
  stage_began: { at: number; done: number };
  /** A backup is made meanwhile. */
  is_resting: boolean;
}

/** A pull that ended since the server started and may not be in the published snapshot yet. */
export interface FinishedPull {
  account: string;
  pull_id: string;
  /** ISO instants. */
  started_at: string;
  ended_at: string;
  state: 'done' | 'failed';
  requests: number;
  chats_new: number;
  chats_changed: number;
  chats_unchanged: number;
  error: string | null;
}

export interface PullActivity {
  running: readonly ActivePull[];
  /** The newest last; those of the last hours. */
  ended: readonly FinishedPull[];
}

/** What the API needs to know about trusted proxies. */
export interface TrustedProxies {
  /** Where browsers reach the program. */
  url: URL;
  isTrusted(address: string | undefined): boolean;
  /** IP address of the client behind them. */
  clientOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string;
}

/** Whom to erase: one of the two. */
export interface WantedPerson {
  visitor?: string;
  email?: string;
  account?: string;
}

/** Erases people in a separate process. */
export interface Eraser {
  /** The one that runs, and why the last one came to nothing. */
  state(): { running: RunningErasure | null; problem: string | null };
  /** Errors: Declined, if nobody is found or another process is writing. */
  plan(person: WantedPerson): Promise<AnswerOf<typeof planErasure>>;
  /** `by`: who asks. Errors: Declined, while another erasure runs. */
  start(person: WantedPerson, by: string): void;
}

/** The logo of the installation. */
export interface LogoStore {
  now(): Logo | null;
  /** `png`: as `logoSizeOf` accepts it. */
  save(png: Uint8Array): void;
  remove(): void;
}

/** The settings of the program, some of which can be changed while it runs. */
export interface SettingsStore {
  list(): readonly Setting[];
  ownPace(): Settings['own_pace'];
  /** How mails are sent; null: not at all. */
  mail(): Post | null;
  /** Whether pages may change them, and the logo. */
  isOpen(): boolean;
  /** By name; null: back to the default. Errors: Declined, and nothing is changed. */
  change(values: Readonly<Record<string, string | null>>): void;
}

export type SqlAnswer =
  | {
      kind: 'answered';
      columns: { name: string; type: string }[];
      rows: unknown[][];
      /** There are rows beyond the limit. */
      more: boolean;
      milliseconds: number;
    }
  /** In words for whoever wrote it; the place counts from 1, and `parameters` names those that it is about. */
  | {
      kind: 'wrong';
      message: string;
      place: { line: number; column: number } | null;
      parameters?: readonly string[];
    }
  | { kind: 'busy' };

/** A statement against a published snapshot. */
export interface SqlOrder {
  file: string | PackedFile;
  statement: string;
  parameters: ParameterValues;
  /** A folder of its own, for what does not fit into memory; whoever asks removes it. */
  folder: string;
}

/** Its rows all go into the file `path`, which is not there yet; `dated`: an ISO instant. */
interface SqlFileOrder extends SqlOrder {
  path: string;
  format: SqlFileFormat;
  dated: string;
}

/** A kept snapshot that shares its parts with others: before the statement runs, it is made the file `whole`, which is not there yet. */
export interface PackedFile {
  packed: string;
  whole: string;
}

/** Who asks: of one reader only a few wait at once. */
export interface SqlAsker {
  reader: string;
  role: Role;
}

/** Runs single statements that change nothing, in processes of their own. */
export interface SqlConsole {
  /** Errors: Cancelled. */
  ask(order: SqlOrder, asker: SqlAsker): Promise<SqlAnswer>;
  /** What statements of a role may take. */
  limitsOf(role: Role): SqlLimits;
  /** Errors: Cancelled. */
  write(
    order: SqlFileOrder,
    asker: SqlAsker,
  ): Promise<{ kind: 'written'; rows: number } | Exclude<SqlAnswer, { kind: 'answered' }>>;
}

/** A request to the port of dashboards and API that was answered. */
export interface AnsweredRequest {
  method: string;
  path: string;
  status: number;
  seconds: number;
  request_id: string | undefined;
  /** Where traces are sent. */
  trace_id?: string | undefined;
}

export interface ApiDeps {
  /** The newest published snapshot, kept open until the request ends; null if there is none. */
  snapshot(): OpenSnapshot | null;
  /** Which one that is, without keeping it open: for those who stay, and those who only name it. */
  published(): PublishedSnapshot | null;
  /** Number of chats in the newest published snapshot, over all accounts; 0 without one. */
  publishedChats(): number;
  snapshots: SnapshotStore;
  /** Changes when kept snapshots are rewritten under their own names; absent where that never happens. */
  rewritten?: () => string;
  /** Digests and their sends; missing where there are none. */
  digests?: DigestDeps;
  /** A folder for temporary download files; it need not exist. */
  files: string;
  /** What readers keep. */
  userData: UserData;
  /** Now, in milliseconds since 1970 (`Date.now`). */
  clock(): number;
  accounts(): readonly WarehouseAccount[];
  /** Users, sessions and tokens. */
  auth: Auth;
  pull(): PullState;
  pulls(): PullActivity;
  /** First local day of an account from which on the published snapshot has everything; null or absent: no day before it is missing. */
  pulledSince?: (account: string) => string | null;
  /** The ledger after an account's last pull, stored next to the snapshots; null or absent: read it from the snapshot. */
  recorded?: (account: string) => Recorded | null;
  /** What of the program around the API is not up, in a sentence for everybody; null: all is. Absent where the server only serves. */
  unready?: () => string | null;
  /** What is wrong with this machine's clock, in a sentence; absent: nobody looks. */
  clockProblem?: () => Promise<string | null>;
  /** Starts a pull, or another one after that which runs; absent where the server only serves. */
  pullNow?: () => void;
  /** Absent where no statements are answered. */
  sql?: SqlConsole;
  /** Absent: nobody makes any. */
  backups?: () => Backups;
  /** Absent where there are none. */
  settings?: SettingsStore;
  /** Absent: the program's own. */
  brand?: () => Brand;
  /** Absent: none can be set. */
  logo?: LogoStore;
  /** Absent: nobody looks. */
  disk?: () => Promise<Disk>;
  /** Which figures of named agents may be shown to anybody; all by default. */
  agentFigures?: AgentFigures;
  /**
   * The accounts are those that any data folder publishes to a database: there are no files, and what goes into a publication is set where it
   * is made.
   */
  readsAll?: boolean;
  /** Past erasures; absent where they are not recorded. */
  erasures?: () => Erasure[];
  /** First day (UTC) whose chats still have their texts; null or absent: all do. */
  textsKeptFrom?: () => string | null;
  /** Absent where the server only serves. */
  eraser?: Eraser;
  /** CHATLEDGER_API_TOKEN. */
  token: string | null;
  /** True when only this machine can reach the server. */
  loopback: boolean;
  /** Trusted proxies, and the address under which they hand requests on. */
  proxies?: TrustedProxies | undefined;
  /** Origins whose pages may embed shared pages; missing: none. */
  embedders?: readonly string[];
  /** Version of the program. */
  version: string;
  /** Told of every answer; absent where nobody counts. */
  answered?: (request: AnsweredRequest) => void;
  /** Where errors of the program go; by default standard error. */
  log?: (error: unknown) => void;
}
