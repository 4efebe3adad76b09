// What DuckDB says when a disk is full, in the words it was seen to use: the file is whole, and the operator is told what to do.
import { expect, test } from 'vitest';
import { stoppedByFile } from '#server/errors.ts';
import { openingError, statementError } from '#warehouse/engines/duckdb-errors.ts';
import { BlockedWarehouse, DamagedWarehouse } from '#warehouse/errors.ts';

test.each([
  'IO Error: Could not write all bytes to file "/data/w.duckdb": wanted=262144 wrote=4096: No space left on device',
  'TransactionContext Error: Failed to commit: Could not write file "/data/w.duckdb.wal": No space left on device',
  'IO Error: Checkpoint failed for database "copy". The database has been invalidated. Original error: Could not write file "/data/w.duckdb": No space left on device',
  'FATAL Error: Failed to create checkpoint because of error: Could not write file "/data/w.duckdb": No space left on device',
])('%s', (message) => {
  const error = statementError(new Error(message), '/data/w.duckdb');
  expect(error).toBeInstanceOf(BlockedWarehouse);
  expect(stoppedByFile(error)?.message).toContain('the disk is full: free some space; what was there is intact');
});

test('a text that speaks of a full disk is no full disk, and damage is damage', () => {
  const conversion = new Error('Conversion Error: Could not convert string "No space left on device" to INT32');
  expect(statementError(conversion, 'w')).toBe(conversion);
  expect(statementError(new Error('IO Error: Corrupt database file: computed checksum'), 'w')).toBeInstanceOf(
    DamagedWarehouse,
  );
});

test('the line of the statement says nothing about the file, and is not repeated: users wrote some of it', () => {
  const said = "Conversion Error: Could not convert string 'x0' to INT32 when casting from source column a";
  const line =
    "\n\nLINE 4:   where tag = 'corrupt IO Error no space left on device' and login = 'anna@example.com'\n        ^";
  expect(statementError(new Error(said + line), 'w')).toEqual(new Error(said));
});

test('a file in use is said with whoever has it, and no more', () => {
  const lock =
    'IO Error: Could not set lock on file "/data/w.duckdb": Conflicting lock is held in /usr/bin/node (PID 17) by user vera. See also https://duckdb.org/docs/stable/connect/concurrency';
  const told = '/data/w.duckdb is in use by another process: /usr/bin/node (PID 17)';
  expect(openingError(new Error(lock), '/data/w.duckdb').message).toBe(told);
  const unknown = 'IO Error: Could not set lock on file "/data/w.duckdb": Resource temporarily unavailable';
  expect(openingError(new Error(unknown), '/data/w.duckdb').message).toContain('Resource temporarily unavailable');
});
