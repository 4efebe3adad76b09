// The running erasure: a file next to its output, so that the next writer finishes an interrupted one.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Stopped } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { replaceFile } from '../replace-file.ts';

/** Whom to erase: one of the two. */
const WantedErasure = z.object({
  visitor: z.string().optional(),
  /** In lower case. */
  address: z.string().optional(),
  account: z.string().optional(),
});
export type WantedErasure = z.infer<typeof WantedErasure>;

/** Days on which chats began that lose something. */
const Begun = z.object({ from: z.iso.date().nullable(), before: z.iso.date() });

const ErasureJob = z.object({
  id: z.string(),
  /** `making`: nothing in use has been touched. `placing`: the new files are proved and replace those in use. */
  phase: z.enum(['making', 'placing']),
  begun_at: z.iso.datetime(),
  /** Who requested it. */
  by: z.string(),
  wanted: WantedErasure,
  /** Set instead of a person: removes expired content. */
  old: z.object({ texts: Begun.optional(), names: Begun.optional() }).optional(),
  accounts: z.array(z.object({ id: z.string(), timezone: z.string(), since: z.string() })),
  /** Disk space for kept snapshots, in bytes. */
  space: z.number(),
  /** While placing: ids and addresses to search for in notes and delivered files. */
  words: z.array(z.string()).default([]),
  /** Delivered documents that are removed. */
  documents: z.array(z.string()).default([]),
});
export type ErasureJob = z.infer<typeof ErasureJob>;

/** Where an erasure works. */
const workFolder = ({ path }: Pick<Folder, 'path'>): string => join(path, 'erase');
/** Files that are to take the place of those in use, in folders like theirs. */
export const freshFolder = (folder: Pick<Folder, 'path'>): string => join(workFolder(folder), 'fresh');

const fileOf = (folder: Pick<Folder, 'path'>): string => join(workFolder(folder), 'job.json');

/** Errors: Stopped when the file is not what `writeJob` wrote. */
export function readJob(folder: Pick<Folder, 'path'>): ErasureJob | undefined {
  const file = fileOf(folder);
  if (!existsSync(file)) return undefined;
  try {
    return ErasureJob.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new Stopped(`${file} is damaged: remove it, and ask for the erasure again`);
  }
}

export function writeJob(folder: Pick<Folder, 'path'>, job: ErasureJob): void {
  mkdirSync(workFolder(folder), { recursive: true, mode: 0o700 });
  replaceFile(fileOf(folder), JSON.stringify(job), { mode: 0o600, flush: true });
}

/** Removes the job and its remaining output. */
export const removeJob = (folder: Pick<Folder, 'path'>): void =>
  rmSync(workFolder(folder), { force: true, recursive: true });
