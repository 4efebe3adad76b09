// What the place of a backup is, by its name and by what is there: a folder of many, or a file of one.
import { statSync } from 'node:fs';
import { Stopped } from '../errors.ts';

const otherArchive = /\.(tar\.\w+|tgz|txz|tzst|zip|zst|gz|xz|7z|rar)$/i;

/** What is there decides; of what is not, the name. */
export function isFilePlace(place: string): boolean {
  const found = statSync(place, { throwIfNoEntry: false });
  return found ? !found.isDirectory() : namesFile(place);
}

/** Whether a place that is not there yet becomes a file. @throws Stopped for one that looks like another kind of file. */
export function namesFile(place: string): boolean {
  if (otherArchive.test(place))
    throw new Stopped(`${place}: a backup in one file is called NAME.tar; it is compressed already`);
  return /\.tar$/i.test(place);
}
