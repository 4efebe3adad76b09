// Replays an archive day that was received again unchanged: only the ledger is updated, nothing is decoded.
import { periodOf as storedPeriod } from '#warehouse/ledger/periods.ts';
import type { Cost } from '../fetched.ts';
import { periodOf, type Loading } from '../load/batch.ts';
import type { ArchiveUnit } from '../unit.ts';

/** False when the ledger has no content for the day: then it has to be loaded. */
export async function seenAgain(
  { engine, ledger, batch, bundle }: Pick<Loading, 'engine' | 'ledger' | 'batch' | 'bundle'>,
  unit: ArchiveUnit,
  cost: Cost,
): Promise<boolean> {
  const key = periodOf(unit, unit.day, batch);
  await ledger.recall([key]);
  const hash = ledger.hashOf(key);
  if (hash === undefined) return false;
  const { account, timezone } = batch;
  const before = await storedPeriod(engine, { account, timezone }, key.source, key.day);
  if (!before) return false;
  const said = {
    ...{ state: 'pulled' as const, hash, rows: Number(before.rows), rows_new: 0, rows_changed: 0, cost },
    ...(before.total == null ? {} : { total: Number(before.total) }),
    ...(before.error == null ? {} : { error: String(before.error) }),
  };
  const { rows } = ledger.note([{ ...key, ...said }], batch.now, batch.pull_id);
  bundle.of('ledger', 'periods').rows.push(...rows);
  return true;
}
