// The room on the disk of a data folder, and what the next writer may need of it.
import { existsSync, statfsSync, statSync } from 'node:fs';

export interface DiskSpace {
  free_bytes: number;
  needed_bytes: number;
}

/** What a pull needs besides. */
const spare_bytes = 200e6;

/** A snapshot is a copy of the warehouse, and a rebuild or a migration makes another: both must fit. */
export function diskSpace(folder: string, warehouse: string): DiskSpace {
  const { bavail, bsize } = statfsSync(folder);
  const bytes = existsSync(warehouse) ? statSync(warehouse).size : 0;
  return { free_bytes: bavail * bsize, needed_bytes: bytes * 2 + spare_bytes };
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
