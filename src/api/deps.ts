// What the API needs of the program around it, and nothing more. The server implements it; tests hand in a small one.
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Auth } from '#auth/auth.ts';
import type { DigestDeps } from '#digests/deps.ts';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import type { WarehouseAccount, PublishedSnapshot, Snapshot } from '#warehouse/query/context.ts';
import type { LostSnapshots } from '#warehouse/store/snapshot-store.ts';
import type { UserData } from './user-data.ts';
import type { PullState } from './contract/health.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import type { Erasure, planErasure, RunningErasure } from './contract/erasures.ts';
import type { Recorded } from './contract/pulls.ts';

/** Its engine is opened read-only. */
export interface OpenSnapshot extends Snapshot {
  /** Its file, open as long as it is; missing where it is opened by name. */
  handle?: FileHandle;
}

/** A snapshot that is kept. */
export interface ListedSnapshot extends PublishedSnapshot {
  bytes: number;
  /** Why it is pinned; null when it is not. */
  pinned: string | null;
}

/** The snapshots that are kept, the newest included. */
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
  space: number;
}

/** A pull that runs. */
export interface ActivePull {
  account: string;
  /** What it is doing, in one word. */
  stage: string;
  /** Steps done, and all of them. */
  done: number;
  total: number;
  /** First day that is in the published snapshot, YYYY-MM-DD. */
  pulled_since: string | null;
  /** ISO instant. */
  started_at: string;
  /** When the steps that `total` counts began (milliseconds), and how many were done then. */
  stage_began: { at: number; done: number };
}

/** A pull that ended since the server started; what is published may not know of it yet. */
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

/** What the API asks of trusted proxies. */
export interface TrustedProxies {
  /** Where browsers reach the program. */
  url: URL;
  isTrusted(address: string | undefined): boolean;
  /** Of the network: who asks through them. */
  clientOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string;
}

/** Whom to erase: one of the two. */
export interface WantedPerson {
  visitor?: string;
  email?: string;
  account?: string;
}

/** Erases, in a process of its own. */
export interface Eraser {
  /** The one that runs, and why the last one came to nothing. */
  state(): { running: RunningErasure | null; problem: string | null };
  /** Errors: Declined, when nobody is found or somebody else writes. */
  plan(person: WantedPerson): Promise<AnswerOf<typeof planErasure>>;
  /** `by`: who asks. Errors: Declined, while one runs. */
  start(person: WantedPerson, by: string): void;
}

export interface ApiDeps {
  /** The newest published snapshot, open until the request that asks for it ends; null while there is none. */
  snapshot(): OpenSnapshot | null;
  /** Which one that is, without keeping it open: for those who stay, and those who only name it. */
  published(): PublishedSnapshot | null;
  /** How many chats the newest published snapshot has, of all accounts; 0 while there is none. */
  publishedChats(): number;
  snapshots: SnapshotStore;
  /** Another text when kept snapshots were written anew under their own names; absent where they never are. */
  rewritten?: () => string;
  /** Digests and what became of them; missing where none are kept. */
  digests?: DigestDeps;
  /** A folder for files that are being made for somebody who takes them away; it need not be there. */
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
  /** What the last pull of an account left beside the snapshots; null or absent: the snapshot says it. */
  recorded?: (account: string) => Recorded | null;
  /** Starts a pull, or another one after that which runs; absent where the server only serves. */
  pullNow?: () => void;
  /** Of which agents figures are shown by name, to whomever; by default of all. */
  agentFigures?: AgentFigures;
  /** What was erased; absent where nothing is kept of it. */
  erasures?: () => Erasure[];
  /** First day (UTC) whose chats have their texts; null or absent: all have. */
  textsKeptFrom?: () => string | null;
  /** Absent where the server only serves. */
  eraser?: Eraser;
  /** CHATLEDGER_API_TOKEN. */
  token: string | null;
  /** True when only this machine can reach the server. */
  loopback: boolean;
  /** Trusted proxies, and the address under which they hand requests on. */
  proxies?: TrustedProxies | undefined;
  /** Origins whose pages may embed shared pages; none where it is missing. */
  embedders?: readonly string[];
  /** Of the program. */
  version: string;
  /** Where errors of the program go; by default standard error. */
  log?: (error: unknown) => void;
}
