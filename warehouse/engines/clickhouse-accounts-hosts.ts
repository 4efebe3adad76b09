// The accounts of all data folders in a database that several ClickHouse hosts have, each all of it.
import type { Engine } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import type { AccountsDatabase, HeldSnapshot } from '../snapshot-database.ts';
import { ClickhouseAccounts, reasonOf } from './clickhouse-accounts.ts';
import type { ClickhouseAccountsSnapshot } from './clickhouse-accounts-at.ts';
import type { ClickhouseAddresses } from './clickhouse-address.ts';
import { leadingOf, nothingSeen } from './clickhouse-leading.ts';
import { beside_others, type Patience } from './clickhouse-patience.ts';
import { HostRing } from './clickhouse-ring.ts';

/** Lists what one host says (`leadingOf`); a question goes to any that has the same publications. */
export class ClickhouseAccountsHosts implements AccountsDatabase {
  readonly #ring: HostRing<ClickhouseAccounts>;
  #seen = nothingSeen;

  constructor(addresses: ClickhouseAddresses, patience: Patience = beside_others) {
    this.#ring = new HostRing(addresses, (address) => new ClickhouseAccounts(address, patience));
  }

  get name(): string {
    return this.#ring.name;
  }

  async list(): Promise<readonly ClickhouseAccountsSnapshot[]> {
    const hosts = await this.#ring.askAll((host) => host.look());
    const { seen, leading } = leadingOf(hosts, this.#seen, hosts.length === this.#ring.size);
    this.#seen = seen;
    if (typeof leading === 'string') throw new DamagedWarehouse(this.name, leading);
    return leading.snapshots;
  }

  async open(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine> {
    const found = await this.#find(snapshot);
    return this.#ring.open(found.id, (host) => host.openSame(found));
  }

  async whyNot(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<(string | null)[]> {
    const found = await this.#find(snapshot);
    return Promise.all(this.#ring.each.map((host) => reasonOf(host.openSame(found))));
  }

  close(): Promise<void> {
    return this.#ring.close();
  }

  async #find({ id, rewritten }: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<ClickhouseAccountsSnapshot> {
    const found = (await this.list()).find((each) => each.id === id);
    if (!found) throw new DamagedWarehouse(this.name, `it has no snapshot ${id}`);
    if (found.rewritten !== rewritten)
      throw new DamagedWarehouse(this.name, `something in it was rewritten after the snapshot ${id} was looked for`);
    return found;
  }
}
