// The thread that looks for rows in the service's file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createFileReader } from '#service/file-reader.ts';

it('an answer that takes longer than the thread is kept idle is waited for, and the next question finds one again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-file-reader-'));
  const file = join(folder, 'service.sqlite');
  const sqlite = new DatabaseSync(file);
  try {
    sqlite.exec('create table numbers (number integer primary key); insert into numbers values (1), (3)');
    const reader = createFileReader(file, sqlite, 1);
    const counting = `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 200000)
      select 1 from numbers where number = ? and (select max(n) from counted) = cast(? as integer)`;
    const asked = Uint32Array.of(1, 2, 3);
    const began = performance.now();
    expect([...(await reader.passing({ sql: counting, values: ['200000'] }, asked))]).toEqual([1, 3]);
    expect(performance.now() - began).toBeGreaterThan(5);
    await new Promise((later) => setTimeout(later, 50));
    expect([...(await reader.passing({ sql: 'select 1 from numbers where number = ?', values: [] }, asked))]).toEqual([
      1, 3,
    ]);
    await reader.end();
  } finally {
    sqlite.close();
    rmSync(folder, { recursive: true });
  }
});
