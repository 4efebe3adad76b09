// Rewrites the files from which something is erased and proves that no metric changed. The files in use stay untouched.
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { NotErased, Proof } from '#api/contract/erasures.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { rewriteFile } from '#warehouse/erase/files.ts';
import { rewritePacked, type PackedParts, type PartsRewriting } from '#warehouse/erase/parts.ts';
import { compareMetrics, type ProofResult } from '#warehouse/erase/proof.ts';
import { placesHolding } from '#warehouse/erase/traces.ts';
import type { Rewriting } from '#warehouse/erase/rewriting.ts';
import type { Store } from '#warehouse/engine.ts';
import { open } from '#warehouse/engines/default.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import { openSnapshot, publishedAt } from '#warehouse/store/snapshot-store.ts';
import type { Folder } from '../folder.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { reading, type DataFile } from './files.ts';
import { freshFolder, type ErasureJob } from './job.ts';

/** The change, whatever is removed. */
export interface ErasureChange {
  rewriting: Rewriting;
  /** Kept snapshots that contain something to change. */
  touched: readonly DataFile[];
  /** Ids and addresses, in lower case, to search for in the new files. */
  words: readonly string[];
  /** Accounts of the chats. */
  accounts: readonly string[];
  /** Writes the raw archive anew to a file that is not there; first of all. */
  writeRaw(raw: RawArchive, file: string): Promise<void>;
}

/** The result of the rewrite. */
interface RewriteResult {
  proof: Proof;
  snapshots_rewritten: number;
  parts_rewritten: number;
  /** Ids and addresses that remain because they refer to somebody or something else. */
  not_erased: NotErased[];
}

/** Reports the current step: `done` of `total`. */
export type ErasureProgress = (what: string, done: number, total: number) => void;

/** Paths of the new files, and the change if it is a file. */
export const freshPaths = (
  folder: Pick<Folder, 'path'>,
): Record<'warehouse' | 'raw' | 'published' | 'changed', string> => {
  const fresh = freshFolder(folder);
  return {
    changed: join(fresh, 'changed.duckdb'),
    warehouse: join(fresh, 'warehouse', 'chatledger.duckdb'),
    raw: join(fresh, 'warehouse', 'archive.duckdb'),
    published: join(fresh, 'published'),
  };
};

/** Errors: Stopped when a metric would be another: then nothing is changed. */
export async function make(
  folder: Folder,
  job: ErasureJob,
  files: readonly DataFile[],
  raw: RawArchive,
  change: ErasureChange,
  progress: ErasureProgress,
): Promise<RewriteResult> {
  const fresh = freshPaths(folder);
  await rm(freshFolder(folder), { force: true, recursive: true });
  for (const path of [
    join(freshFolder(folder), 'warehouse'),
    join(fresh.published, 'snapshots'),
    join(fresh.published, 'parts'),
  ])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  const { touched, rewriting, words } = change;
  const total = touched.length + 2;
  progress('the raw archive is written anew', 0, total);
  await change.writeRaw(raw, fresh.raw);
  progress('the warehouse is written anew', 1, total);
  await rewriteFile(folder.warehouse, fresh.warehouse, rewriting);
  const found = new Set(await placesIn(fresh.warehouse, words));
  const kept = files.filter(({ snapshot }) => snapshot !== null).length;
  const proof: Proof = { snapshots: kept, metrics: 0, questions: 0, cells: 0, untouched: kept };
  let [snapshots_rewritten, parts_rewritten] = [0, 0];
  const parts: PackedParts = new Map();
  const accounts = accountsOf(job, change);
  const scratch = await open(join(freshFolder(folder), 'scratch.duckdb'), writerLimits);
  const writeAll = async (changed: string): Promise<void> => {
    for (const [place, file] of touched.entries()) {
      progress('kept snapshots are written anew and compared', 2 + place, total);
      const rewritten = await rewriteSnapshot(scratch, file, fresh.published, { rewriting, changed }, parts);
      if (rewritten === 0) continue;
      const { compared, places } = await prove(folder, fresh.published, file, accounts, words);
      assertSame(file.snapshot ?? '', compared);
      snapshots_rewritten += 1;
      parts_rewritten = [...parts].filter(([from, to]) => from !== to.file).length;
      for (const each of places) found.add(each);
      proof.metrics = compared.metrics;
      proof.questions += compared.questions;
      proof.cells += compared.cells;
      proof.untouched -= 1;
    }
  };
  try {
    await (rewriting.changed === null ? writeAll('') : scratch.beside(rewriting.changed, writeAll));
  } finally {
    await scratch.close();
    rmSync(join(freshFolder(folder), 'scratch.duckdb'), { force: true });
  }
  const not_erased = [...found].sort().map((what) => ({
    what,
    reason:
      'an id or address of the person stands there as something that is counted, such as a tag, or as the login of an agent',
  }));
  return { proof, snapshots_rewritten, parts_rewritten, not_erased };
}

/** Also of accounts that are not configured any more: days of any zone will do to compare. */
function accountsOf({ accounts }: ErasureJob, change: ErasureChange): WarehouseAccount[] {
  const known = new Set(accounts.map(({ id }) => id));
  const others = [...new Set(change.accounts)].filter((id) => !known.has(id));
  const since = accounts.map((account) => account.since).sort()[0] ?? '2000-01-01';
  return [...accounts, ...others.map((id) => ({ id, timezone: 'UTC', since }))];
}

async function placesIn(file: string, words: readonly string[]): Promise<string[]> {
  const engine = await openWarehouse(file, { readOnly: true, ...writerLimits });
  return placesHolding(engine, words).finally(() => engine.close());
}

/** Number of rewritten parts or files; 0 if it stays as it is. */
async function rewriteSnapshot(
  scratch: Store,
  { file }: DataFile,
  published: string,
  how: PartsRewriting,
  parts: PackedParts,
): Promise<number> {
  if (isPacked(file)) return rewritePacked(scratch, file, published, how, parts);
  await rewriteFile(file, join(published, 'snapshots', basename(file)), how.rewriting);
  return 1;
}

async function prove(
  folder: Folder,
  published: string,
  file: DataFile,
  accounts: readonly WarehouseAccount[],
  words: readonly string[],
): Promise<{ compared: ProofResult; places: string[] }> {
  const id = file.snapshot ?? '';
  const at = { id, published_at: await publishedAt(folder.published, id) };
  return reading(folder, file, async (before) => {
    const after = await openSnapshot(published, id, writerLimits);
    try {
      const compared = await compareMetrics({ ...at, engine: before }, { ...at, engine: after }, accounts);
      return { compared, places: await placesHolding(after, words) };
    } finally {
      await after.close();
    }
  });
}

function assertSame(snapshot: string, { differences }: ProofResult): void {
  const [first] = differences;
  if (!first) return;
  const { metric, account, split, before, after } = first;
  throw new Stopped(
    `nothing was erased: in snapshot ${snapshot} the metric ${metric} of ${account}${split.length > 0 ? ` by ${split.join(', ')}` : ''} ` +
      `would become another (${JSON.stringify(before)}, then ${JSON.stringify(after)}): this is a mistake of the program, report it`,
    exitCodes.failed,
  );
}
