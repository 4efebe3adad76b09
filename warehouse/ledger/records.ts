// What another file of the warehouse knows and this one does not: taken over, or counted.
import type { Store } from '../engine.ts';
import { tableOf } from '../tables/tables.ts';

const records = ['pulls', 'requests', 'reconciliation', 'notices'].map((name) => tableOf('ledger', name));

/** Pulls, requests, notices and comparisons of another file take the place of those here. */
export const takeRecords = (store: Store, file: string): Promise<void> =>
  store.beside(file, (other) =>
    store.transaction(async () => {
      for (const { schema, name, columns } of records) {
        const listed = Object.keys(columns).join(', ');
        await store.exec(`delete from ${schema}.${name}`);
        await store.exec(`insert into ${schema}.${name} (${listed}) select ${listed} from ${other}.${schema}.${name}`);
      }
    }),
  );

/** Days of a source that another file has and this one has not. */
export type Lost = readonly { account: string; source: string; days: number; from: string; to: string }[];

export const lostWith = (store: Store, file: string): Promise<Lost> =>
  store.beside(file, async (other) => {
    const rows = await store.query(
      `select account, source, count(distinct day) as days, min(day) as first_day, max(day) as last_day
       from (
         select account, timezone, source, grain, split, split_value, day
         from ${other}.ledger.periods
         where state = 'pulled'
           and source not like 'account.%'
         except
         select account, timezone, source, grain, split, split_value, day
         from ledger.periods
         where state = 'pulled'
       ) as missing
       group by account, source
       order by account, source`,
    );
    return rows.map((row) => ({
      ...{ account: String(row.account), source: String(row.source), days: Number(row.days) },
      ...{ from: String(row.first_day), to: String(row.last_day) },
    }));
  });
