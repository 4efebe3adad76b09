// Maps what ClickHouse and the way to it say to errors of the warehouse.
import { ClickHouseError } from '@clickhouse/client';
import { BlockedWarehouse, DamagedWarehouse, UnreachableWarehouse } from '../errors.ts';

/** A view of a snapshot that is not there any more is one of them. */
const damaged =
  /^(CHECKSUM_DOESNT_MATCH|CORRUPTED_DATA|CANNOT_READ_ALL_DATA|NO_FILE_IN_DATA_PART|BAD_DATA_PART_NAME|UNKNOWN_TABLE)$/;
/** The world around the server is in the way. */
const blocked = /^(TIMEOUT_EXCEEDED|MEMORY_LIMIT_EXCEEDED|NOT_ENOUGH_SPACE|TABLE_IS_READ_ONLY)$/;
const passing =
  /^(NETWORK_ERROR|SOCKET_TIMEOUT|TOO_MANY_SIMULTANEOUS_QUERIES|ALL_CONNECTION_TRIES_FAILED|ALL_REPLICAS_ARE_STALE)$/;
/** They stay so until somebody changes an address, a password or a right. */
const refused =
  /^(READONLY|ACCESS_DENIED|AUTHENTICATION_FAILED|REQUIRED_PASSWORD|WRONG_PASSWORD|UNKNOWN_USER|UNKNOWN_DATABASE|UNKNOWN_SETTING|SETTING_CONSTRAINT_VIOLATION)$/;
const noAnswer =
  /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|EAI_AGAIN|socket hang up|timeout|aborted/i;
const noServer = /ENOTFOUND|CERT|EPROTO|SSL|TLS|SIGNATURE/;

/** What came is no answer of a ClickHouse server, or the beginning of one. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
  constructor(answer: string) {
    super(`what came is no answer of ClickHouse: ${answer.trim().slice(0, 100)}`);
  }
}

/** Why a statement failed: an error about the warehouse, or the original error. */
export function statementError(error: unknown, file: string): unknown {
  if (error instanceof UnreachableWarehouse) return error;
  if (error instanceof ClickHouseError) {
    const type = error.type ?? '';
    if (damaged.test(type)) return new DamagedWarehouse(file, error.message);
    if (passing.test(type)) return new UnreachableWarehouse(file, error.message, true);
    if (refused.test(type)) return new UnreachableWarehouse(file, error.message, false);
    return blocked.test(type) ? new BlockedWarehouse(file, error.message) : error;
  }
  if (!(error instanceof Error)) return error;
  if (error instanceof SyntaxError) return statementError(new BrokenAnswer(error.message), file);
  if (error instanceof BrokenAnswer) return new UnreachableWarehouse(file, error.message, true);
  const said = `${'code' in error ? String(error.code) : ''} ${error.message}`.trim();
  if (noAnswer.test(said)) return new UnreachableWarehouse(file, said, true);
  if (noServer.test(said)) return new UnreachableWarehouse(file, said, false);
  // The page of a proxy, as the client hands on what is no exception.
  return /^\s*</.test(error.message) ? statementError(new BrokenAnswer(error.message), file) : error;
}
