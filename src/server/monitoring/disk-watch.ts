// Notes each hour what the disk holds, and answers how it grows.
import type { Disk } from '#api/contract/disk.ts';
import { diskOf, type DiskDays } from './disk-days.ts';
import { forecastOf } from './disk-forecast.ts';
import type { DiskUse } from './disk-use.ts';

const hour_ms = 3_600_000;

export interface DiskWatch {
  use(): Promise<DiskUse>;
  disk(): Promise<Disk>;
  /** Unix seconds; NaN while nothing follows from what is known. */
  full_at(): number;
  close(): void;
}

interface WatchedDisk {
  use: () => Promise<DiskUse>;
  days: DiskDays;
  /** Milliseconds since 1970. */
  now: () => number;
  complain: (sentence: string) => void;
}

export function watchDisk({ use, days, now, complain }: WatchedDisk): DiskWatch {
  let isClosed = false;
  const look = async (): Promise<DiskUse> => {
    const found = await use();
    if (!isClosed) days.note(found, now());
    return found;
  };
  const note = (): void =>
    void look().catch((error: unknown) => complain(`the size of the data folder was not noted: ${String(error)}`));
  const timer = setInterval(note, hour_ms).unref();
  note();
  return {
    use,
    disk: async () => diskOf(await look(), days.list()),
    full_at() {
      const { full_on } = forecastOf(days.list());
      return full_on === null ? NaN : Date.parse(full_on) / 1000;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
