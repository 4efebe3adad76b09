// Recreates a whole warehouse from the raw archive in a new file; the file in use is not touched.
import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Store } from '#warehouse/engine.ts';
import { BlockedWarehouse, DamagedWarehouse } from '#warehouse/errors.ts';
import { askedUntil } from '#warehouse/ledger/periods.ts';
import { lostWith, takeRecords, type Lost } from '#warehouse/ledger/records.ts';
import { countChats } from '#warehouse/ledger/stored-rows.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { accountsHeld, questionsHeld } from '#warehouse/raw/responses.ts';
import { remove } from '#warehouse/store/swap.ts';
import { nobodyErased, type ErasureFilter } from '../erased/erased.ts';
import { hashOf } from '../raw/pages.ts';
import { noRedaction, type Redaction } from '../redact/redaction.ts';
import { namePulls } from './records.ts';
import { replay } from './replay.ts';

interface RebuildSetup {
  /** The new warehouse file. */
  file: string;
  /** The raw archive. */
  archive: Store;
  /** Who is left out; by default nobody. */
  erased?: ErasureFilter;
  /** Redaction of texts; none by default. */
  redaction?: Redaction;
  /** Closed files that may contain pulls, requests and comparisons, which answers do not; the first readable one is used. */
  records: readonly string[];
  /** Unix seconds. */
  now: number;
  /** Questions played and in all. */
  onProgress?: (played: number, total: number) => void;
}

interface Rebuilt {
  /** The new file, closed and whole. */
  fresh: string;
  /** Chats in it. */
  chats: number;
  /** One of `records` could be read. */
  hasRecords: boolean;
  /** Days that a file of `records` knows and the raw archive does not have. */
  lost: Lost;
}

/**
 * After an interruption it continues where it was, if called by the same program with the same redaction rules; otherwise it starts anew.
 * Errors: those of open.ts, for the new file.
 */
export async function rebuild(setup: RebuildSetup): Promise<Rebuilt> {
  const { file, archive, erased = nobodyErased, redaction = noRedaction, records, now, onProgress } = setup;
  const fresh = `${file}.rebuild-${programHash(redaction)}`;
  await removeOthers(file, fresh);
  const engine = await openFresh(fresh, now);
  try {
    const total = await questionsHeld(archive);
    let before = 0;
    for (const account of await accountsHeld(archive)) {
      const from = await askedUntil(engine, account);
      let last = 0;
      await replay({
        ...{ engine, archive, erased, redaction, account, from },
        onProgress: (played) => onProgress?.(Math.min(total, before + (last = played)), total),
      });
      before += last;
    }
    const lost = await recordsOf(engine, records);
    await namePulls(engine, archive);
    const chats = await countChats(engine);
    await engine.checkpoint();
    return { fresh, chats, hasRecords: lost !== undefined, lost: lost ?? [] };
  } finally {
    await engine.close();
  }
}

/** Nothing when no file can be read. */
async function recordsOf(engine: Store, files: readonly string[]): Promise<Lost | undefined> {
  for (const file of files) {
    try {
      await takeRecords(engine, file);
      return await lostWith(engine, file);
    } catch (error) {
      // An older snapshot may be damaged, or have other columns; the next one may serve.
      if (error instanceof BlockedWarehouse) throw error;
    }
  }
  return undefined;
}

/** Reuses the file that a crash left behind, unless it is damaged. */
async function openFresh(fresh: string, now: number): Promise<Store> {
  const options = { ...writerLimits, now };
  try {
    return await openWarehouse(fresh, options);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse)) throw error;
    await remove(fresh);
    return openWarehouse(fresh, options);
  }
}

/** Distinguishes programs and rules that decode answers differently. */
function programHash({ fingerprint }: Redaction): string {
  const folder = join(import.meta.dirname, '..');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return hashOf([...texts, fingerprint ?? ''].join('\n'))
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .slice(0, 8);
}

async function removeOthers(file: string, fresh: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    const path = join(dirname(file), name);
    if (name.startsWith(`${basename(file)}.rebuild-`) && !path.startsWith(fresh)) await remove(path);
  }
}
