// Snapshots in a ClickHouse database, open for readers.
import type { Engine } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import { contentOf, listSnapshots, type ClickhouseSnapshot } from './clickhouse-catalogue.ts';
import { ClickhouseConnection, type ClickhouseAddress } from './clickhouse-connection.ts';
import { ClickhouseReading } from './clickhouse-reading.ts';
import { placesOf } from './clickhouse-tables.ts';

/** An open database: its snapshots, each an engine for readers. */
export class ClickhouseSnapshots {
  readonly #connection: ClickhouseConnection;

  constructor(address: ClickhouseAddress) {
    this.#connection = new ClickhouseConnection(address);
  }

  /** Oldest first. */
  list(): Promise<ClickhouseSnapshot[]> {
    return listSnapshots(this.#connection);
  }

  /** A snapshot by its id, the newest without one. Errors: DamagedWarehouse, if it is not there. */
  async open(id?: string): Promise<ClickhouseSnapshot & { engine: Engine }> {
    const all = await this.list();
    const found = id === undefined ? all.at(-1) : all.find((each) => each.id === id);
    if (!found) throw new DamagedWarehouse(this.#connection.name, `it has no snapshot ${id ?? 'yet'}`);
    const { tables } = await contentOf(this.#connection, found.id);
    const columns = new Map(tables.map(({ name, columns: own }) => [name, new Set(own)]));
    const { database, name } = this.#connection;
    const places = placesOf(database, found.id, columns);
    const engine = new ClickhouseReading(`${name}#${found.id}`, this.#connection, places, () =>
      Promise.resolve(columns),
    );
    return { ...found, engine };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
