// Snapshots of a data folder in a ClickHouse database on one host, open for readers.
import type { Engine } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import type { HeldSnapshot, SnapshotDatabase } from '../snapshot-database.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';
import { contentOf, lastEditions, listEditions, type ClickhouseSnapshot } from './clickhouse-catalogue.ts';
import { ClickhouseConnection } from './clickhouse-connection.ts';
import { partLost, partsThere } from './clickhouse-parts.ts';
import type { Patience } from './clickhouse-patience.ts';
import { ClickhouseReading } from './clickhouse-reading.ts';
import { placesOf } from './clickhouse-tables.ts';

export class ClickhouseSnapshots implements SnapshotDatabase {
  readonly #connection: ClickhouseConnection;
  readonly #publisher: string;

  /** `publisher`: the data folder whose snapshots they are. */
  constructor(address: ClickhouseAddress, publisher: string, patience?: Patience) {
    this.#connection = new ClickhouseConnection(address, patience);
    this.#publisher = publisher;
  }

  get name(): string {
    return this.#connection.name;
  }

  async list(): Promise<ClickhouseSnapshot[]> {
    return lastEditions(await listEditions(this.#connection, this.#publisher));
  }

  async open({ id, rewritten }: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine> {
    const { database, name } = this.#connection;
    const found = (await this.list()).find((each) => each.id === id);
    if (!found) throw new DamagedWarehouse(name, `it has no snapshot ${id}`);
    if (found.rewritten !== rewritten)
      throw new DamagedWarehouse(name, `it has the snapshot ${id} as it was before or after it was rewritten`);
    const content = await contentOf(this.#connection, found);
    const lost = partLost(content, await partsThere(this.#connection, this.#publisher));
    if (lost !== undefined) throw new DamagedWarehouse(name, `rows of the snapshot ${id} are gone: ${lost}`);
    const columns = new Map(content.tables.map(({ name: table, columns: own }) => [table, new Set(own)]));
    const places = placesOf(database, found, columns);
    return new ClickhouseReading(`${name}#${id}`, this.#connection, places, () => Promise.resolve(columns));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
