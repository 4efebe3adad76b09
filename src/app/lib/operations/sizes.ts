// Sizes of files in words.
import type { Snapshots } from '#api/contract/pulls.ts';

/** 12.4 MB, 1.2 GB. */
export function sizeOf(bytes: number, locale: string): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [size, place] = [bytes / 1000, 0];
  while (size >= 1000 && place < units.length - 1) [size, place] = [size / 1000, place + 1];
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: size < 100 ? 1 : 0 }).format(size)} ${units[place]}`;
}

/** Bytes of all snapshots that are none of those listed: the file that the next one is written into. 0 for who is told no sizes. */
export function spareBytes({
  snapshots,
  bytes,
}: Pick<Snapshots, 'bytes'> & { snapshots: readonly { bytes: number | null }[] }): number {
  return snapshots.reduce((rest, snapshot) => rest - (snapshot.bytes ?? 0), bytes ?? 0);
}
