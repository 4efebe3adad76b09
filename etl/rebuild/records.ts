// What no answer of the source says: which pulls there were and what they cost. It is taken over from a file that knows it.
import type { Store } from '#warehouse/engine.ts';
import { tableOf } from '#warehouse/tables.ts';

const records = ['pulls', 'requests', 'reconciliation', 'notices'].map((name) => tableOf('ledger', name));

/** Until when the warehouse knows what was asked of an account, Unix seconds; later answers are still to be played. */
export async function knownUntil(engine: Store, account: string): Promise<number> {
  const [found] = await engine.query(
    `select max(epoch(coalesce(asked_at, pulled_at))) as until
     from ledger.periods
     where account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  return found?.until == null ? -Infinity : Math.floor(Number(found.until));
}

/** What was asked at that moment, named as raw/events.ts names it: the batches of one second may be written in part. */
export async function loadedAt(engine: Store, account: string, second: number): Promise<Set<string>> {
  const { param } = engine.dialect;
  const rows = await engine.query(
    `select source, grain, split, split_value, day
     from ledger.periods
     where account = ${param('account', 'text')}
       and floor(epoch(coalesce(asked_at, pulled_at))) = ${param('second', 'double')}`,
    { account, second },
  );
  return new Set(
    rows.map(({ source, grain, split, split_value, day }) => {
      if (String(source).startsWith('account.')) return String(source);
      if (String(source).startsWith('archive')) return `${source} ${day}`;
      return [source, grain, split, split_value, day].join(' ');
    }),
  );
}

/** Pulls, requests and comparisons of another file take the place of those here. */
export const takeRecords = (engine: Store, file: string): Promise<void> =>
  engine.beside(file, (other) =>
    engine.transaction(async () => {
      for (const { schema, name, columns } of records) {
        const listed = Object.keys(columns).join(', ');
        await engine.exec(`delete from ${schema}.${name}`);
        await engine.exec(`insert into ${schema}.${name} (${listed}) select ${listed} from ${other}.${schema}.${name}`);
      }
    }),
  );

/** Days of a source that another file has and this one has not. */
export type Lost = readonly { account: string; source: string; days: number; from: string; to: string }[];

export const lostWith = (engine: Store, file: string): Promise<Lost> =>
  engine.beside(file, async (other) => {
    const rows = await engine.query(
      `select account, source, count(distinct day) as days, min(day) as first_day, max(day) as last_day
       from (
         select account, timezone, source, grain, split, split_value, day
         from ${other}.ledger.periods
         where state = 'pulled'
           and not starts_with(source, 'account.')
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

/** A pull that only the raw archive knows gets a row with what can be said of it. */
export async function namePulls(engine: Store, archive: Store): Promise<void> {
  const asked = await archive.query(
    `select account, pull_id, min(moment) as started_at, max(moment) as ended_at, count(*) as requests
     from (
       select account, pull_id, received_at as moment from raw.responses
       union all
       select account, last_pull_id, last_received_at from raw.responses where times > 1
     ) as moments
     group by account, pull_id`,
  );
  const known = await engine.query('select account, pull_id from ledger.pulls');
  const names = new Set(known.map(({ account, pull_id }) => `${account} ${pull_id}`));
  const unknown = asked.filter(({ account, pull_id }) => !names.has(`${account} ${pull_id}`));
  const none = { chats_new: 0, chats_changed: 0, chats_unchanged: 0 };
  const state = { state: 'cut_off', error: 'only the raw archive knows of this pull' };
  await engine.load(
    tableOf('ledger', 'pulls'),
    unknown.map((row) => ({ ...row, ...none, ...state })),
  );
}
