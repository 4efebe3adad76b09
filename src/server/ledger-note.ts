// The ledger after each account's last pull, stored next to the snapshots: results and failures, even if nothing was published.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Recorded } from '#api/contract/pulls.ts';
import { replaceFile } from './replace-file.ts';

const note = z.record(z.string(), Recorded);
type Note = Record<string, Recorded>;

const fileOf = (folder: string): string => join(folder, 'ledger.json');

/** Notes of other accounts are preserved. */
export function noteLedger(folder: string, account: string, recorded: Recorded): void {
  const noted: Note = { ...readNote(folder), [account]: recorded };
  replaceFile(fileOf(folder), `${JSON.stringify(noted)}\n`);
}

/** The newest snapshot is more accurate: its facts did not come from a pull. */
export const forgetNotes = (folder: string): void => rmSync(fileOf(folder), { force: true });

/** Empty if it is missing or unreadable: then the newest snapshot applies. */
function readNote(folder: string): Note {
  try {
    return note.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')));
  } catch {
    return {};
  }
}

/** Reads the file again only when it was written since. */
export function watchNote(folder: string): (account: string) => Recorded | null {
  let noted: Note = {};
  let seen = '';
  return (account) => {
    const { mtimeMs, ino } = statSync(fileOf(folder), { throwIfNoEntry: false }) ?? { mtimeMs: 0, ino: 0 };
    const look = `${mtimeMs} ${ino}`;
    if (look !== seen) [noted, seen] = [readNote(folder), look];
    return Object.hasOwn(noted, account) ? (noted[account] ?? null) : null;
  };
}
