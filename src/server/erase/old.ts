// Finds and counts expired chats, and describes the changes that remove their content.
import { statfsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { begunAt, retainedKinds, oldBy, type Retained, type Marks } from '#etl/erased/old.ts';
import { dot, erasedName } from '#etl/erased/dots.ts';
import type { ErasureFilter } from '#etl/erased/erased.ts';
import { askedFor, writeWithoutOld, type OldWritten } from '#etl/raw/old.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { countBegun, monthsBegun, rowsLosing, setAsideOfArchives, type OldSetAside } from '#warehouse/erase/old.ts';
import { hasAsked } from '#warehouse/erase/raw.ts';
import type { Rewriting } from '#warehouse/erase/rewriting.ts';
import type { Begun } from '#warehouse/erase/selection.ts';
import { accountsHeld } from '#warehouse/raw/responses.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import { marksAfter, rangeOf, type DueRetention } from '../erased/due.ts';
import type { Folder } from '../folder.ts';
import { reading, type DataFile } from './files.ts';
import { freshPaths, type ErasureChange } from './rewrite.ts';

/** How much goes of the chats that began within a range. */
export interface OldCounts {
  begun: Begun;
  /** Chats of the warehouse by month (`2026-11`, UTC). */
  months: Record<string, number>;
  /** Rows of the warehouse that lose something, by table. */
  rows: Record<string, number>;
}

export interface Old {
  /** The marks as they will be. */
  marks: Marks;
  counts: Partial<Record<Retained, OldCounts>>;
  /** Records that could not be decoded. */
  set_aside: number;
  /** Retained snapshots. */
  snapshots: number;
  /** The change; undefined if nothing stored is that old. */
  change: ErasureChange | undefined;
  /** Changes to the raw archive, once written. */
  written: OldWritten;
}

export async function findOld(
  folder: Folder,
  files: readonly DataFile[],
  raw: RawArchive,
  due: DueRetention,
  before: Marks,
): Promise<Old> {
  const marks = marksAfter(before, due);
  const erased = oldBy(marks);
  const written: OldWritten = { records: 0, pages: 0, unreadable: 0 };
  const snapshots = files.filter(({ snapshot }) => snapshot !== null).length;
  const begun = rangeOf(due);
  const old: Old = { marks, counts: {}, set_aside: 0, snapshots, change: undefined, written };
  if (!begun) return old;
  const texts = new Map<string, string>();
  const touched: DataFile[] = [];
  let holds = await hasAsked(raw.engine, askedFor(begun));
  for (const file of files)
    await reading(folder, file, async (engine) => {
      const aside = (await setAsideOfArchives(engine)).filter((each) => leftOf(erased, each) !== each.body);
      for (const each of aside) texts.set(each.body, leftOf(erased, each));
      const isTouched = aside.length > 0 || (await countBegun(engine, begun)) > 0;
      holds ||= isTouched;
      if (isTouched && file.snapshot !== null) touched.push(file);
      if (file.snapshot !== null) return;
      old.set_aside = aside.length;
      for (const kept of retainedKinds) {
        const own = due[kept];
        if (!own) continue;
        const rows = await rowsLosing(engine, { of: own, tells: new Set([kept]) });
        const months = await monthsBegun(engine, own);
        old.counts[kept] = { begun: own, months: Object.fromEntries(months), rows: Object.fromEntries(rows) };
      }
    });
  if (!holds) return old;
  const { changed } = freshPaths(folder);
  const rewriting: Rewriting = {
    losses: retainedKinds.flatMap((kept) => (due[kept] ? [{ of: due[kept], tells: new Set([kept]) }] : [])),
    ...{ visitors: [], name: erasedName, dot, changed, hashes: new Map(), days: new Map(), texts },
  };
  const change: ErasureChange = {
    ...{ rewriting, touched, words: [], accounts: await accountsHeld(raw.engine) },
    async writeRaw(archive, file) {
      Object.assign(written, await writeWithoutOld(archive.engine, { erased, begun, file, changed }));
    },
  };
  return { ...old, change };
}

/** A record that does not say when its chat began, or cannot be read, counts as begun when it was seen last. */
function leftOf(erased: ErasureFilter, { account, body, seen_on }: OldSetAside): string {
  try {
    const record = JSON.parse(body) as unknown;
    const day = Number.isNaN(begunAt(record, '')) ? seen_on : '';
    const left = erased.record(account, record, day);
    return left === record ? body : JSON.stringify(left);
  } catch {
    return erased.text(account, body, seen_on);
  }
}

/** Maximum bytes written in addition to the files in use, and free bytes. */
export async function roomFor(
  folder: Folder,
  files: readonly DataFile[],
  { change }: Old,
): Promise<{ needed: number; free: number }> {
  const { bavail, bsize } = statfsSync(folder.path);
  const free = bavail * bsize;
  if (!change) return { needed: 0, free };
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // The archive counts twice: its changes are first written to a separate file.
  const whole = [folder.raw, folder.raw, ...files.filter(({ snapshot }) => snapshot === null).map(({ file }) => file)];
  const copies = change.touched.map(({ file }) => file).filter((file) => !isPacked(file));
  const parts = join(folder.published, 'parts');
  const packed = await readdir(parts).catch(() => []);
  const all = [...whole, ...copies, ...packed.map((name) => join(parts, name))];
  return { needed: all.reduce((sum, file) => sum + sizeOf(file), 0), free };
}
