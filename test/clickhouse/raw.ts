// A ClickHouse database looked at apart from the program: in which columns of which tables words stand, and what snapshots there are.
import { createClient, type ClickHouseClient } from '@clickhouse/client';
import { startPeer, type Peer } from './peer.ts';

export interface RawDatabase {
  peer: Peer;
  /** As a setting names it, without a password. */
  address: string;
  /** Columns with one of the words in a row, of every table and view. */
  tracesOf(words: readonly string[]): Promise<string[]>;
  rows(query: string): Promise<Record<string, unknown>[]>;
  run(statement: string): Promise<void>;
  close(): Promise<void>;
}

export async function rawDatabase(password = ''): Promise<RawDatabase> {
  const peer = await startPeer(password);
  const client: ClickHouseClient = createClient({ url: peer.url, password });
  const rows = async (query: string): Promise<Record<string, unknown>[]> =>
    (await client.query({ query, format: 'JSONEachRow' })).json();
  await client.command({ query: 'create database warehouse' });
  return {
    peer,
    address: `${peer.url.replace('http:', 'clickhouse:')}/warehouse`,
    rows,
    run: async (query) => void (await client.command({ query })),
    async tracesOf(words) {
      const columns = await rows(
        "select \"table\", name from system.columns where database = 'warehouse' and position(type, 'String') > 0",
      );
      const found: string[] = [];
      for (const [table, own] of Map.groupBy(columns, (row) => String(row['table']))) {
        const holds = own.map(({ name }) => {
          const each = words.map((word) => `position("${String(name)}", '${word.replaceAll("'", "\\'")}') > 0`);
          return `countIf(${each.join(' or ')}) as "${String(name)}"`;
        });
        const [row = {}] = await rows(`select ${holds.join(', ')} from warehouse."${table}"`);
        for (const [name, count] of Object.entries(row)) if (Number(count) > 0) found.push(`${table} ${name}`);
      }
      return found;
    },
    async close() {
      await client.close();
      await peer.close();
    },
  };
}
