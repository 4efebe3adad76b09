// What each account's last pull left beside the snapshots: how pulls ended and what failed, also when nothing was published.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Recorded } from '#api/contract/pulls.ts';

const note = z.record(z.string(), Recorded);
type Note = Record<string, Recorded>;

const fileOf = (folder: string): string => join(folder, 'ledger.json');

/** What was noted of other accounts stays. */
export function noteLedger(folder: string, account: string, recorded: Recorded): void {
  const noted: Note = { ...readNote(folder), [account]: recorded };
  writeFileSync(`${fileOf(folder)}.new`, `${JSON.stringify(noted)}\n`);
  renameSync(`${fileOf(folder)}.new`, fileOf(folder));
}

/** The newest snapshot knows better: it was made of facts that no pull brought. */
export const forgetNotes = (folder: string): void => rmSync(fileOf(folder), { force: true });

/** Empty when there is none or it cannot be read: then the newest snapshot says it. */
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
