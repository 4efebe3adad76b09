// The snapshots of a data folder in a database that several ClickHouse hosts have, each all of it.
import type { Engine } from '../engine.ts';
import type { HeldSnapshot, SnapshotDatabase } from '../snapshot-database.ts';
import { ClickhouseSnapshots } from './clickhouse.ts';
import type { ClickhouseAddresses } from './clickhouse-address.ts';
import { beside_others, type Patience } from './clickhouse-patience.ts';
import { HostRing } from './clickhouse-ring.ts';

export class ClickhouseHosts implements SnapshotDatabase {
  readonly #ring: HostRing<ClickhouseSnapshots>;

  /** `publisher`: the data folder whose snapshots they are. */
  constructor(addresses: ClickhouseAddresses, publisher: string, patience: Patience = beside_others) {
    this.#ring = new HostRing(addresses, (address) => new ClickhouseSnapshots(address, publisher, patience));
  }

  get name(): string {
    return this.#ring.name;
  }

  async list(): Promise<HeldSnapshot[]> {
    const found = (await this.#ring.askAll((host) => host.list())).flat();
    const all = new Map(found.map((each) => [`${each.id} ${each.rewritten}`, each]));
    return [...all.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  open(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine> {
    return this.#ring.open(snapshot.id, (host) => host.open(snapshot));
  }

  close(): Promise<void> {
    return this.#ring.close();
  }
}
