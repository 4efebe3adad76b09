// Leases of accounts in a ClickHouse database. Making a table is what only the first of two can do: each epoch of an account is one.
import { createHash } from 'node:crypto';
import { ClickHouseError } from '@clickhouse/client';
import { z } from 'zod';
import type { Lease, LeaseTable } from '../leases.ts';
import type { ClickhouseConnection } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';

/** What the comment of such a table says. */
const claimed = z.object({
  account: z.string(),
  epoch: z.number(),
  holder: z.object({ id: z.string(), host: z.string() }),
  renewed_at: z.string(),
  until: z.string(),
});

const tablesOf = ({ account }: Lease): string =>
  `lease.${createHash('sha256').update(account).digest('hex').slice(0, 16)}.`;

const text = (value: string): string => clickhouse.literal(value, 'text');
const instant = clickhouse.type('instant', false);

/** A holder that was not heard of for as long is known by its claim alone. */
const remembered_days = 30;

export class ClickhouseLeases implements LeaseTable {
  readonly #connection: ClickhouseConnection;

  constructor(connection: ClickhouseConnection) {
    this.#connection = connection;
  }

  async look(): Promise<{ now: string; leases: ReadonlyMap<string, Lease> }> {
    const { database } = this.#connection;
    const tables = await this.#connection.rows(
      `select '' as name, '' as comment, now64(3) as now
       union all
       select name, comment, now64(3) from system.tables
       where database = {database:String} and (name = 'leases' or startsWith(name, 'lease.'))`,
      { database },
    );
    const leases = new Map<string, Lease>();
    for (const { comment } of tables) {
      if (comment === '') continue;
      const lease = claimed.parse(JSON.parse(String(comment)));
      if (lease.epoch > (leases.get(lease.account)?.epoch ?? 0)) leases.set(lease.account, lease);
    }
    if (tables.some(({ name }) => name === 'leases'))
      for (const { account, epoch, renewed_at, until } of await this.#renewals()) {
        const lease = leases.get(String(account));
        if (lease?.epoch === Number(epoch))
          leases.set(lease.account, { ...lease, renewed_at: String(renewed_at), until: String(until) });
      }
    return { now: String(tables[0]?.now), leases };
  }

  async claim(lease: Lease): Promise<void> {
    const { database } = this.#connection;
    const table = `"${database}"."${tablesOf(lease)}${lease.epoch}"`;
    const comment = text(JSON.stringify(lease));
    try {
      await this.#connection.run(`create table ${table} (account String) engine = Null comment ${comment}`);
    } catch (error) {
      // Somebody came first; or this came twice, because an answer was lost.
      if (!(error instanceof ClickHouseError && error.type === 'TABLE_ALREADY_EXISTS')) throw error;
    }
  }

  async forgetBefore(leases: readonly Lease[]): Promise<void> {
    const { database } = this.#connection;
    const found = await this.#connection.rows(
      `select name from system.tables where database = {database:String} and startsWith(name, 'lease.')`,
      { database },
    );
    for (const lease of leases)
      for (const name of found.map((each) => String(each.name)))
        if (name.startsWith(tablesOf(lease)) && Number(name.slice(tablesOf(lease).length)) < lease.epoch)
          await this.#connection.run(`drop table if exists "${database}"."${name}"`);
  }

  async renew(leases: readonly Lease[], seconds: number): Promise<void> {
    const connection = this.#connection;
    const table = `"${connection.database}"."leases"`;
    await connection.run(
      `create table if not exists ${table} (account String, epoch Int64, holder String, host String, ` +
        `renewed_at ${instant}, until ${instant}) engine = MergeTree order by (account, epoch, renewed_at) ` +
        `ttl toDateTime(renewed_at) + interval ${remembered_days} day`,
    );
    const rows = leases.map(
      ({ account, epoch, holder }) =>
        `select ${text(account)}, ${epoch}, ${text(holder.id)}, ${text(holder.host)}, now64(3), now64(3) + interval ${seconds} second`,
    );
    await connection.run(
      `insert into ${table} (account, epoch, holder, host, renewed_at, until) ${rows.join(' union all ')}`,
    );
  }

  /** The last of each account and epoch. */
  #renewals() {
    const { database } = this.#connection;
    return this.#connection.rows(
      `select account, epoch, argMax(until, renewed_at) as until, max(renewed_at) as renewed_at
       from "${database}"."leases" group by account, epoch`,
    );
  }
}
