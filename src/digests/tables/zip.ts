// A zip whose bytes depend only on its files and one instant.
import { zipSync, type Zippable } from 'fflate';

/** TRICKY: zips store local time without a zone: this Date shows in local time what the instant is in UTC. */
export function localDate(iso: string): Date {
  const [year = 1980, month = 1, day = 1, hour = 0, minute = 0, second = 0] = iso
    .slice(0, 19)
    .split(/[-:T]/)
    .map(Number);
  return new Date(year, month - 1, day, hour, minute, second);
}

/** `dated` is an ISO instant. */
export function zipOf(files: ReadonlyMap<string, Uint8Array>, dated: string): Uint8Array {
  const mtime = localDate(dated);
  const zippable: Zippable = {};
  for (const [name, bytes] of files) zippable[name] = [bytes, { mtime }];
  return zipSync(zippable);
}
