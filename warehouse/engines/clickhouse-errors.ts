// Maps what ClickHouse and the way to it say to errors of the warehouse.
import { ClickHouseError } from '@clickhouse/client';
import { BlockedWarehouse, DamagedWarehouse } from '../errors.ts';

const damaged = /^(CHECKSUM_DOESNT_MATCH|CORRUPTED_DATA|CANNOT_READ_ALL_DATA|NO_FILE_IN_DATA_PART|BAD_DATA_PART_NAME)$/;
/** The world around the server is in the way. */
const blocked =
  /^(NETWORK_ERROR|SOCKET_TIMEOUT|TIMEOUT_EXCEEDED|MEMORY_LIMIT_EXCEEDED|NOT_ENOUGH_SPACE|TOO_MANY_SIMULTANEOUS_QUERIES|TABLE_IS_READ_ONLY|READONLY|ACCESS_DENIED|AUTHENTICATION_FAILED|ALL_CONNECTION_TRIES_FAILED|ALL_REPLICAS_ARE_STALE)$/;
const unreachable =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|socket hang up|timeout|aborted/i;

/** Why a statement failed: an error about the warehouse, or the original error. */
export function statementError(error: unknown, file: string): unknown {
  if (error instanceof ClickHouseError) {
    const type = error.type ?? '';
    if (damaged.test(type)) return new DamagedWarehouse(file, error.message);
    return blocked.test(type) ? new BlockedWarehouse(file, error.message) : error;
  }
  if (error instanceof Error && unreachable.test(`${'code' in error ? String(error.code) : ''} ${error.message}`))
    return new BlockedWarehouse(file, error.message);
  return error;
}
