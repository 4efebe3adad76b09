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
  close(): Promise<void>;
}

/** An empty database. */
export async function openDatabase(): Promise<Database> {
  const peer = await startPeer();
  const client = createClient({ url: peer.url });
  await client.command({ query: 'create database warehouse' });
  await client.close();
  const address = { url: peer.url, username: 'default', password: '', database: 'warehouse' };
  const publisher = new ClickhousePublisher(address);
  const snapshots = new ClickhouseSnapshots(address);
  return {
    ...{ peer, address, publisher, snapshots },
    async close() {
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
  await publisher.publish(engine, { id, published_at: '2026-05-12T09:00:00.000Z' });
  return (await snapshots.open(id)).engine;
}
