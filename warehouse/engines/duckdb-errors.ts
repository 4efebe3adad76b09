// Maps DuckDB's messages about files in use, damaged or not writable to errors of the warehouse.
import { BlockedWarehouse, BusyWarehouse, DamagedWarehouse } from '../errors.ts';

const busy = /could not set lock/i;
/** `… held in /usr/bin/node (PID 17). See also …`. */
const holder = /held in (.+? \(PID \d+\))/i;
/** The world around the file is in the way; the file itself is whole. */
const blocked =
  /no space left|disk quota|file too large|permission denied|read-only file system|operation not permitted|too many open files|no such file or directory|not a directory|is a directory|out of memory|newer version of duckdb|failed to allocate|failed to pin block/i;
const damaged =
  /corrupt|checksum|could not read enough bytes|replaying wal|not a valid duckdb|failed to deserialize|serialization error/i;

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** The query needs more memory than allowed. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && /out of memory|failed to (allocate|pin)/i.test(error.message);

/** Why a file did not open: without another known reason, it is damaged. */
export function openingError(error: unknown, file: string): Error {
  const reason = reasonOf(error);
  if (busy.test(reason)) return new BusyWarehouse(file, holder.exec(reason)?.[1] ?? reason);
  if (blocked.test(reason)) return new BlockedWarehouse(file, reason);
  return new DamagedWarehouse(file, reason);
}

/** The engine repeats the line that failed, which may hold what users wrote: it says nothing about the file, and belongs in no log. */
const withoutLine = (message: string): string => message.replace(/\n+LINE \d+: [^]*$/, '');

/** Why a statement failed: an error about the file, or the original error without the line of the statement. */
export function statementError(error: unknown, file: string): unknown {
  if (error instanceof BlockedWarehouse || error instanceof DamagedWarehouse) return error;
  const message = error instanceof Error ? error.message : String(error);
  const whole = withoutLine(message);
  if (
    blocked.test(whole) &&
    /IO Error|TransactionContext Error|FATAL|Out of Memory|failed to pin block|ENOSPC|EFBIG|EROFS|EACCES/i.test(whole)
  )
    return new BlockedWarehouse(file, reasonOf(error));
  if (damaged.test(whole) && /IO Error|FATAL|Serialization|INTERNAL/i.test(whole))
    return new DamagedWarehouse(file, reasonOf(error));
  return whole === message ? error : new Error(whole);
}
