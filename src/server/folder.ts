// The data folder: the path of each file, and the few values fixed at the first start.
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exitCodes, Stopped } from './errors.ts';
import { filesOfProcess } from './files.ts';
import { makeFolder } from './made-folder.ts';
import { keepPrivate, sentencesOf, type Privacy } from './privacy.ts';
import { replaceFile, writeBeside } from './replace-file.ts';
import { restoreIn } from './restoring.ts';
import { say } from './terminal.ts';

/** The layout that this program writes; a folder with a higher number belongs to a newer program. */
export const folderLayout = 1;

const state = z.object({
  layout: z.int(),
  /** First day to pull, by account. */
  since: z.record(z.string(), z.iso.date()),
  /** Where the chats of an account come from, by account; `account-origin.ts`. */
  origins: z.record(z.string(), z.enum(['simulated', 'configured'])).optional(),
  /** How the source of an account was asked by the last pull that knew it again, by account; `account-origin.ts`. */
  asked: z.record(z.string(), z.string()).optional(),
  /** The generated API key of the embedded account's owner. */
  service_api_key: z.string(),
  /** The token for calls of the embedded account's owner to the Agent Chat API; created on first use. */
  service_token: z.string().optional(),
});
type FolderState = z.infer<typeof state>;

export interface Folder {
  path: string;
  warehouse: string;
  raw: string;
  published: string;
  service: string;
  /** Temporary download files of this process. */
  files: string;
  /** What others could read of it, and what became of that. */
  privacy: Privacy;
  state: FolderState;
  /** `change`: of what is stored now, which another process may have changed since it was read here. */
  keep(change: (stored: FolderState) => Partial<FolderState>): void;
}

/**
 * Makes the content private to this user, and reports what others could read until now. @throws Stopped if the folder is not writable,
 * was written by a newer version, has a corrupt state file, or is being restored.
 */
export function openFolder(path: string): Folder {
  const file = join(path, 'state.json');
  const restore = restoreIn(path);
  if (restore) throw new Stopped(`a restore into ${path} ${restore.words}: ${restore.remedy}`, exitCodes.failed);
  try {
    for (const name of ['warehouse', 'published', 'service']) makeFolder(join(path, name));
    accessSync(path, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isFile = /^(EEXIST|ENOTDIR)/.test(reason);
    const remedy = isFile ? 'move away the file that lies where a folder belongs' : 'make it writable';
    throw new Stopped(`the data folder ${path} cannot be written (${reason}): ${remedy}, or set CHATLEDGER_DATA`);
  }
  const folder: Folder = {
    path,
    warehouse: join(path, 'warehouse', 'chatledger.duckdb'),
    raw: join(path, 'warehouse', 'archive.duckdb'),
    published: join(path, 'published'),
    service: join(path, 'service', 'service.sqlite'),
    files: filesOfProcess(path, process.pid),
    privacy: keepPrivate(path),
    state: existsSync(file) ? readState(file) : firstState(file),
    keep(change) {
      const stored = existsSync(file) ? readState(file) : folder.state;
      folder.state = { ...stored, ...change(stored) };
      replaceFile(file, textOf(folder.state), { mode: 0o600 });
    },
  };
  if (!process.send) for (const sentence of sentencesOf(folder.privacy)) say(sentence);
  return folder;
}

/** Of several processes that start in a new folder, one writes it and all have it. */
function firstState(file: string): FolderState {
  const made: FolderState = { layout: folderLayout, since: {}, service_api_key: randomBytes(16).toString('hex') };
  const own = writeBeside(file, textOf(made), { mode: 0o600 });
  try {
    linkSync(own, file);
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readState(file);
    // A disk without links.
    renameSync(own, file);
    return made;
  } finally {
    rmSync(own, { force: true });
  }
}

const textOf = (state: FolderState): string => `${JSON.stringify(state, null, 2)}\n`;

function readState(file: string): FolderState {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Stopped(`${file} is not readable as JSON: restore it, or move it away to start afresh`);
  }
  const version = (found as { layout?: unknown } | null)?.layout;
  if (typeof version === 'number' && version > folderLayout)
    throw new Stopped(
      `the data folder was written by a newer version (layout ${version}, this program knows ${folderLayout}): update the program, or set CHATLEDGER_DATA to another folder`,
    );
  const parsed = state.safeParse(found);
  if (!parsed.success) throw new Stopped(`${file} is damaged: restore it, or move it away to start afresh`);
  return parsed.data;
}
