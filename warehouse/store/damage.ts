// A damaged file is never deleted: it is renamed with the current time, which frees its place.
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/** `20261118T102030Z`. `now` in Unix seconds. */
const stamp = (now: number): string => new Date(now * 1000).toISOString().replace(/[-:]|\.\d+/g, '');

/** An unused name next to the file. */
function freeName(file: string, why: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${file}.${why}${number > 1 ? `-${number}` : ''}`;
    if (!existsSync(name)) return name;
  }
}

/** The file and its log, which stay a pair. Returns the new name of the file. `why` is part of it. */
export async function setAside(file: string, now: number, why = 'damaged'): Promise<string> {
  const aside = freeName(file, `${why}-${stamp(now)}`);
  // The log first: without its file it is useless, but a file without its log would look complete.
  if (existsSync(`${file}.wal`)) await rename(`${file}.wal`, `${aside}.wal`);
  if (existsSync(file)) await rename(file, aside);
  return aside;
}

/** The log alone. Returns its new name. */
export async function setLogAside(file: string, now: number): Promise<string> {
  const aside = freeName(`${file}.wal`, `damaged-${stamp(now)}`);
  await rename(`${file}.wal`, aside);
  return aside;
}
