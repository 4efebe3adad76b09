// What digests need of the program around them, and nothing more. The server implements it; tests hand in a small one.
import { boardNamed } from '#dashboards/board-names.ts';
import type { BoardLayout } from '#dashboards/boards.ts';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import type { WarehouseAccount, Snapshot } from '#warehouse/query/context.ts';
import type { Reader as AskingReader } from '#warehouse/query/reader.ts';
import type { Brand } from './brand.ts';
import type { Webhooks } from './channels/http.ts';
import type { Post } from './channels/smtp.ts';
import type { TargetTerms } from '#reports/targets/target.ts';
import type { Owner } from './ledger.ts';
import type { QueryRunner } from './saved-queries.ts';
import type { Sending } from './sending.ts';
import type { DigestStore } from './store.ts';

/** Snapshots that stay whatever their age. */
interface DigestPins {
  /** Snapshot id -> why it stays. */
  all(): Promise<Readonly<Record<string, string>>>;
  add(id: string, reason: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** `former`: a former user with this address, who has lost access. */
export type UserAt = { kind: 'user'; reader: AskingReader } | { kind: 'former' } | { kind: 'nobody' };

export interface DigestDeps {
  store: DigestStore;
  /** The newest snapshot, or null if there is none. */
  current(): Snapshot | null;
  /** A kept snapshot. Errors: if it has been removed. */
  open(id: string): Promise<Snapshot>;
  pins: DigestPins;
  accounts(): readonly WarehouseAccount[];
  /** End of the last pull that brought everything, in milliseconds since 1970. */
  pulled_at(): number | null;
  /** Milliseconds since 1970. */
  clock(): number;
  /** Whether the source says so; by default it is. */
  isClockRight?(): boolean;
  /** Where digests are written, an absolute path. */
  folder: string;
  /** What links in mails begin with; null: no links. */
  public_url: string | null;
  /** Where readers reach the pages, by default nowhere: receipts are not linked then. */
  pages_url?: string | null;
  /** What the user with this address may see; by default nobody is a user. */
  userAt?(address: string): UserAt;
  /** Which named agents' figures are shown; by default all. */
  agentFigures?: AgentFigures;
  /** Targets of an account, including history; none by default. */
  targetsOf?(account: string): TargetTerms[];
  /** A board by id; none by default. */
  board?(id: string): BoardLayout | undefined;
  /** Runs saved queries that stand on boards; by default none are. */
  queries?: QueryRunner;
  /** What the installation is called; by default as the program is. */
  brand?(): Brand;
  post: Post | null;
  webhooks: Webhooks;
  sending: Sending;
  owner: Owner;
  log(sentence: string): void;
}

/** In seconds since 1970. */
export const secondsNow = (deps: Pick<DigestDeps, 'clock'>): number => Math.floor(deps.clock() / 1000);

/** The account of a digest: the named one, or the first. Errors: Error if there is none. */
export function accountFor(deps: Pick<DigestDeps, 'accounts'>, id: string | undefined): WarehouseAccount {
  const accounts = deps.accounts();
  const found = id === undefined ? accounts[0] : accounts.find((account) => account.id === id);
  if (!found) throw new Error(`there is no account ${id ?? ''}`);
  return found;
}

/** The targets of a digest's account. Errors: Error if there is no such account. */
export const targetsFor = (
  deps: Pick<DigestDeps, 'accounts' | 'targetsOf'>,
  { account }: { account?: string | undefined },
): TargetTerms[] => deps.targetsOf?.(accountFor(deps, account).id) ?? [];

/** The boards that a digest names, as they are now. */
export const boardsOf = (deps: Pick<DigestDeps, 'board'>, content: readonly string[]): BoardLayout[] =>
  content.flatMap((name) => deps.board?.(boardNamed(name) ?? '') ?? []);
