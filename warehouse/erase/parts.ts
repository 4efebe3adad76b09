// Rewrites packed snapshots without the erased content: only the parts that contain it, each once.
import { link, mkdir, rename, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Store } from '../engine.ts';
import {
  partOf,
  partsFolder,
  readCatalogue,
  writeCatalogue,
  type PackedPart,
  type PackedTable,
} from '../store/packed/catalogue.ts';
import { partEnding, sumOf } from '../store/packed/pack.ts';
import { checkParts } from '../store/packed/open.ts';
import { flush } from '../store/swap.ts';
import { changesOf, selected, type Rewriting } from './rewriting.ts';

/** What becomes of parts, by name, for all snapshots that share them. */
export type PackedParts = Map<string, PackedPart>;

export interface PartsRewriting {
  rewriting: Rewriting;
  /** The name under which the file of changes is open in the engine. */
  changed: string;
}

/**
 * Creates under `to`, a folder like that of published files, a catalogue and its parts: links to unchanged ones. `scratch`: an engine
 * that reads and writes such files. Returns the number of rewritten parts; if it is 0, `to` is empty. Errors: DamagedWarehouse.
 */
export async function rewritePacked(
  scratch: Store,
  file: string,
  to: string,
  { rewriting, changed }: PartsRewriting,
  parts: PackedParts,
): Promise<number> {
  const catalogue = await readCatalogue(file);
  await checkParts(file, catalogue);
  await mkdir(partsFolder(to), { recursive: true });
  await mkdir(join(to, 'snapshots'), { recursive: true });
  const tables: PackedTable[] = [];
  let rewritten = 0;
  for (const table of catalogue.tables) {
    const own: PackedPart[] = [];
    for (const part of table.parts) {
      const left =
        parts.get(part.file) ??
        (await rewritePart(scratch, partOf(file, part.file), partsFolder(to), table, { rewriting, changed }, part));
      parts.set(part.file, left);
      if (left.file !== part.file) rewritten += 1;
      own.push(left);
    }
    tables.push({ ...table, parts: own });
  }
  if (rewritten === 0) return 0;
  const next = { ...catalogue, tables };
  for (const part of [next.description, ...tables.flatMap((table) => table.parts)]) {
    const place = join(partsFolder(to), part.file);
    if (!existsSync(place)) await link(partOf(file, part.file), place);
  }
  await flush(partsFolder(to));
  const place = join(to, 'snapshots', basename(file));
  await writeCatalogue(`${place}.part`, next);
  await flush(`${place}.part`);
  await rename(`${place}.part`, place);
  return rewritten;
}

/** Returns the part itself if none of its rows changes. */
async function rewritePart(
  scratch: Store,
  file: string,
  folder: string,
  { schema, name, columns }: PackedTable,
  { rewriting, changed }: PartsRewriting,
  part: PackedPart,
): Promise<PackedPart> {
  const { dialect } = scratch;
  const names = columns.map((column) => column.name);
  const changes = changesOf({ schema, name, columns: names }, rewriting, dialect, changed);
  if (!changes) return part;
  const rows = `(${dialect.rowsOf(columns, [file])})`;
  const [found] = await scratch.query(`select count(*) as rows from ${rows} as there where ${changes.where}`);
  if (Number(found?.rows) === 0) return part;
  const fresh = join(folder, `${part.file}.part`);
  await scratch.exec(
    dialect.writeRows(columns, `(select ${selected(names, changes)} from ${rows} as there) as left_over`, fresh),
  );
  await flush(fresh);
  const print = dialect.fingerprint(names.map((column) => `"${column}"`));
  const [told] = await scratch.query(
    `select ${print} as fingerprint from (${dialect.rowsOf(columns, [fresh])}) as there`,
  );
  const next = renamed(part.file, BigInt(String(told?.fingerprint)), await sumOf(fresh));
  await rename(fresh, join(folder, next));
  return { file: next, bytes: (await stat(join(folder, next))).size };
}

/** A part is named by its table, days, columns and number of rows, which stay, and by a fingerprint and a sum. */
function renamed(file: string, fingerprint: bigint, sum: string): string {
  const [table, days, shape, rows] = file.split('-');
  return `${[table, days, shape, rows, fingerprint.toString(16), sum].join('-')}${partEnding}`;
}
