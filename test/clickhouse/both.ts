// One published account in two engines: the file, and ClickHouse in a process, to which it was published.
import { createClient } from '@clickhouse/client';
import { ClickhousePublisher } from '#warehouse/engines/clickhouse-publishing.ts';
import { ClickhouseSnapshots } from '#warehouse/engines/clickhouse.ts';
import type { Engine } from '#warehouse/engine.ts';
import { startPeer, type Peer } from './peer.ts';

export interface Database {
  peer: Peer;
  address: { url: string; username: string; password: string; database: string };
  publisher: ClickhousePublisher;
  snapshots: ClickhouseSnapshots;
  /** Answers of any statement; `run`: of one without rows. */
  rows(query: string): Promise<Record<string, string>[]>;
  run(statement: string): Promise<void>;
  /** Ids of parts that no snapshot names. */
  unnamedParts(): Promise<string[]>;
  close(): Promise<void>;
}

/** A data folder that publishes accounts; nobody waits for the end of its leases. */
export const publishing = (id: string, ...accounts: string[]) => ({
  holder: { id, host: `${id}.test` },
  accounts: accounts.map((each) => ({ id: each, timezone: 'UTC', since: '2025-12-28', simulated: false })),
  lease_seconds: 3600,
});

/** An empty database. */
export async function openDatabase(): Promise<Database> {
  const peer = await startPeer();
  const client = createClient({ url: peer.url });
  await client.command({ query: 'create database warehouse' });
  const address = { url: peer.url, username: 'default', password: '', database: 'warehouse' };
  const publisher = new ClickhousePublisher(address, publishing('tests', 'a'));
  const snapshots = new ClickhouseSnapshots(address, 'tests');
  const rowsOf = async (query: string): Promise<Record<string, string>[]> =>
    (await client.query({ query, format: 'JSONEachRow' })).json();
  return {
    ...{ peer, address, publisher, snapshots },
    rows: rowsOf,
    run: async (query) => void (await client.command({ query })),
    async unnamedParts() {
      const contents = await rowsOf('select content from warehouse.snapshots');
      const parts = await rowsOf(
        "select distinct partition from system.parts where active and database = 'warehouse' and position('@' in \"table\") > 0",
      );
      const named = contents.map(({ content }) => content).join('');
      return parts.flatMap(({ partition = '' }) => (named.includes(`"${partition}"`) ? [] : [partition]));
    },
    async close() {
      await client.close();
      await publisher.close();
      await snapshots.close();
      await peer.close();
    },
  };
}

/** The same snapshot in the database. */
export async function published(
  { publisher, snapshots }: Database,
  engine: Engine,
  id = '20260512-090000-000',
): Promise<Engine> {
  await publisher.publish(engine, { id, published_at: '2026-05-12T09:00:00.000Z', rewritten: '' });
  return snapshots.open({ id, rewritten: '' });
}
