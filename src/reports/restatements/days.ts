// The local days that both snapshots have and whose content changed between them, by source.
import type { QueryContext } from '#warehouse/context.ts';

/** Source (archive or report) -> changed local days, in order. */
export type ChangedDays = ReadonlyMap<string, readonly string[]>;

/** Reads the newer ledger only: a day is in both when it was first received before the older snapshot was published. */
export async function changedDays(older: QueryContext, newer: QueryContext): Promise<ChangedDays> {
  const rows = await select(newer, Math.floor(Date.parse(older.snapshot.published_at) / 1000));
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const days = found.get(String(row.source)) ?? [];
    days.push(String(row.day));
    found.set(String(row.source), days);
  }
  return found;
}

function select({ snapshot, account }: QueryContext, published: number) {
  const { param } = snapshot.engine.dialect;
  return snapshot.engine.query(
    `select distinct source, day
     from ledger.periods
     where account = ${param('account', 'text')}
       and timezone = ${param('timezone', 'text')}
       and state = 'pulled'
       and grain = 'day'
       and epoch(changed_at) >= ${param('published', 'bigint')}
       and epoch(first_pulled_at) <= ${param('published', 'bigint')}
     order by source, day`,
    { account: account.id, timezone: account.timezone, published },
  );
}
