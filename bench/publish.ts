// How long it takes to publish a warehouse.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '#warehouse/engine.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tables } from '#warehouse/tables/tables.ts';

/** Publishes three times to a temporary folder; `time` is called with each. Returns the number of fact rows. */
export async function publishTimes(
  engine: Store,
  time: (work: () => Promise<unknown>) => Promise<void>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-publish-'));
  try {
    for (let count = 0; count < 3; count++) await time(() => publish(engine, folder, Date.now()));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  let rows = 0;
  for (const { schema, name } of tables.filter((table) => table.schema === 'facts'))
    rows += Number((await engine.query(`select count(*) as rows from ${schema}.${name}`))[0]?.rows);
  return rows;
}
