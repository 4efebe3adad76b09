// The accounts of all data folders that publish to a ClickHouse database, open together for readers: each as it was published last.
import type { Engine, TableColumns } from '../engine.ts';
import { DamagedWarehouse } from '../errors.ts';
import type { AccountsDatabase, HeldSnapshot } from '../snapshot-database.ts';
import { accountsAt, type ClickhouseAccountsSnapshot, type MemberSnapshot } from './clickhouse-accounts-at.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';
import { contentOf, listPublications, stampOf, type KnownPublications } from './clickhouse-catalogue.ts';
import { ClickhouseConnection } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';
import { isOfHost } from './clickhouse-failures.ts';
import { partLost, partsThere } from './clickhouse-parts.ts';
import type { Patience } from './clickhouse-patience.ts';
import { ClickhouseReading } from './clickhouse-reading.ts';
import { viewName, type Places } from './clickhouse-tables.ts';

/** What all data folders have published to a host. */
export interface ListedAccounts {
  /** Another one whenever something was published, rewritten or removed. */
  stamp: string;
  publications: KnownPublications;
  /** Oldest first. */
  snapshots: readonly ClickhouseAccountsSnapshot[];
}

export class ClickhouseAccounts implements AccountsDatabase {
  readonly #connection: ClickhouseConnection;
  #listed: ListedAccounts = { stamp: '', publications: new Map(), snapshots: [] };
  /** Columns of the tables of members whose parts were found whole, of the snapshot that was opened last. */
  #whole = new Map<string, TableColumns>();

  constructor(address: ClickhouseAddress, patience?: Patience) {
    this.#connection = new ClickhouseConnection(address, patience);
  }

  get name(): string {
    return this.#connection.name;
  }

  async list(): Promise<readonly ClickhouseAccountsSnapshot[]> {
    return (await this.look()).snapshots;
  }

  /** The same object as long as nothing was published, rewritten or removed. */
  async look(): Promise<ListedAccounts> {
    const stamp = await stampOf(this.#connection);
    if (stamp !== this.#listed.stamp) {
      const publications = await listPublications(this.#connection, this.#listed.publications);
      this.#listed = { stamp, publications, snapshots: accountsAt([...publications.values()].flat()) };
    }
    return this.#listed;
  }

  async open({ id, rewritten }: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<Engine> {
    const found = await this.#find(id);
    if (found.rewritten !== rewritten)
      throw new DamagedWarehouse(this.name, `something in it was rewritten after the snapshot ${id} was looked for`);
    return this.#opened(found);
  }

  /** What another host lists, as this one has it. Errors: DamagedWarehouse, also if it has it as it was before or after it was rewritten. */
  async openSame(listed: ClickhouseAccountsSnapshot): Promise<Engine> {
    const found = await this.#find(listed.id);
    const marks = new Map(listed.members().map((member) => [`${member.publisher} ${member.id}`, member.rewritten]));
    const other = found.members().find(({ publisher, id, rewritten }) => marks.get(`${publisher} ${id}`) !== rewritten);
    if (other)
      throw new DamagedWarehouse(
        this.name,
        `it has the rows of ${accountsIn(other)} (snapshot ${other.id}) as they were before or after they were rewritten`,
      );
    return this.#opened(found);
  }

  async #find(id: string): Promise<ClickhouseAccountsSnapshot> {
    const found = (await this.look()).snapshots.find((each) => each.id === id);
    if (!found) throw new DamagedWarehouse(this.name, `it has no snapshot ${id}`);
    return found;
  }

  async #opened(found: ClickhouseAccountsSnapshot): Promise<Engine> {
    const { database, name } = this.#connection;
    const whole = new Map<string, TableColumns>();
    const members = found.members();
    for (const member of members) whole.set(keyOf(member), await this.#columnsOf(member));
    const columns = columnsOfAll([...whole.values()]);
    this.#whole = whole;
    const columnsIn = (member: MemberSnapshot): number =>
      [...(whole.get(keyOf(member))?.values() ?? [])].reduce((sum, { size }) => sum + size, 0);
    const oldestFirst = members.toSorted((one, other) => columnsIn(one) - columnsIn(other));
    const places = placesOfAll(database, found, oldestFirst, columns);
    return new ClickhouseReading(`${name}#${found.id}`, this.#connection, places, () => Promise.resolve(columns));
  }

  whyNot(snapshot: Pick<HeldSnapshot, 'id' | 'rewritten'>): Promise<(string | null)[]> {
    return Promise.all([reasonOf(this.open(snapshot))]);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Errors: DamagedWarehouse. */
  async #columnsOf(member: MemberSnapshot): Promise<TableColumns> {
    const known = this.#whole.get(keyOf(member));
    if (known) return known;
    const content = await contentOf(this.#connection, member);
    const lost = partLost(content, await partsThere(this.#connection, member.publisher));
    if (lost !== undefined)
      throw new DamagedWarehouse(
        this.#connection.name,
        `rows of ${accountsIn(member)} (snapshot ${member.id}) are gone: ${lost}`,
      );
    return new Map(content.tables.map(({ name, columns }) => [name, new Set(columns)]));
  }
}

/** Why a snapshot cannot be opened; null when it can. */
export const reasonOf = (opening: Promise<Engine>): Promise<string | null> =>
  opening.then(
    () => null,
    (error: unknown) => {
      if (isOfHost(error)) return error.reason;
      throw error;
    },
  );

const keyOf = ({ publisher, id, edition }: MemberSnapshot): string => `${publisher} ${id} ${edition}`;

const accountsIn = ({ accounts }: MemberSnapshot): string => accounts.map(({ id }) => id).join(', ');

/**
 * Those that every member has, as in a snapshot of the oldest of them: whoever asks looks which tables and columns are there, and counts
 * without the others.
 */
function columnsOfAll(members: readonly TableColumns[]): TableColumns {
  const [first, ...rest] = members;
  const inAll = (table: string, column: string): boolean => rest.every((other) => other.get(table)?.has(column));
  return new Map(
    [...(first ?? [])]
      .filter(([table]) => rest.every((other) => other.has(table)))
      .map(([table, own]) => [table, new Set([...own].filter((column) => inAll(table, column)))]),
  );
}

const text = (value: string): string => clickhouse.literal(value, 'text');

/** Of each member the rows of its accounts; what belongs to no account is that of the first, which may name only columns that all have. */
function placesOfAll(
  database: string,
  { id, published_at }: ClickhouseAccountsSnapshot,
  members: readonly MemberSnapshot[],
  columns: TableColumns,
): Places {
  const instant = clickhouse.literal(published_at.replace('T', ' ').replace('Z', ''), 'instant');
  const selectOf = (table: string, names: ReadonlySet<string>): string => {
    const listed = [...names].map((name) => `"${name}"`).join(', ');
    const from = (member: MemberSnapshot): string => `select ${listed} from "${database}"."${viewName(member, table)}"`;
    if (!names.has('account')) return members.slice(0, 1).map(from).join('');
    const rowsOf = (member: MemberSnapshot): string =>
      `${from(member)} where account in (${member.accounts.map((account) => text(account.id)).join(', ')})`;
    return members.map(rowsOf).join(' union all ');
  };
  const places = new Map([...columns].map(([table, names]) => [table, `(${selectOf(table, names)})`]));
  return places.set('ledger.snapshot', `(select ${text(id)} as snapshot_id, ${instant} as published_at)`);
}
