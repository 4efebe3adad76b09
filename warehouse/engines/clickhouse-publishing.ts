// Publishes a snapshot's file to ClickHouse: parts that changed are put beside the others and checked, the catalogue names them last.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';
import { LeasedAccount } from '../errors.ts';
import { giveBackLeases, takeLeases, type Taken } from '../leases.ts';
import { partsOf, rowsOfPart, type RowPart } from '../read/monthly-rows.ts';
import type {
  DatabasePublication,
  DatabasePublisher,
  HeldSnapshot,
  Publishers,
  PublishingTo,
} from '../snapshot-database.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';
import {
  contentOf,
  contentsOf,
  countSnapshots,
  createCatalogue,
  lastEditions,
  listEditions,
  listPublications,
  publicationThatCounts,
  writeContent,
  type ClickhouseContent,
  type ClickhousePart,
  type ClickhouseSnapshot,
  type ClickhouseTable,
} from './clickhouse-catalogue.ts';
import { ClickhouseConnection } from './clickhouse-connection.ts';
import { ClickhouseLeases } from './clickhouse-leases.ts';
import {
  createStored,
  createView,
  insertPart,
  partLost,
  partsThere,
  publishersThere,
  storedFor,
} from './clickhouse-parts.ts';
import { tablesIn, together, type FileTable } from './clickhouse-source.ts';
import { sweep } from './clickhouse-sweep.ts';

/** Leases are renewed after so many parts that were written. */
const renew_after = 50;

/** A part that a snapshot names; `rewritten`: the mark of that snapshot. */
type KnownPart = ClickhousePart & Pick<HeldSnapshot, 'rewritten'>;

/** The parts of all snapshots of a publisher that are there, by what is in them. */
async function knownParts(
  connection: ClickhouseConnection,
  publisher: string,
  editions: readonly ClickhouseSnapshot[],
): Promise<Map<string, KnownPart>> {
  const known = new Map<string, KnownPart>();
  const there = await partsThere(connection, publisher);
  for (const [edition, { tables }] of await contentsOf(connection, editions))
    for (const { stored, parts } of tables)
      for (const part of parts)
        if (there.get(stored)?.get(part.id) === part.rows)
          known.set(keyOf(stored, part), { ...part, rewritten: edition.rewritten });
  return known;
}

const keyOf = (
  stored: string,
  { account, month, rows, fingerprint }: Pick<ClickhousePart, 'account' | 'month' | 'rows' | 'fingerprint'>,
): string => JSON.stringify([stored, account, month, rows, fingerprint]);

export class ClickhousePublisher implements DatabasePublisher {
  readonly #connection: ClickhouseConnection;
  readonly #publishing: PublishingTo;
  readonly #publisher: string;
  readonly #leases: ClickhouseLeases;

  constructor(address: ClickhouseAddress, publishing: PublishingTo) {
    this.#connection = new ClickhouseConnection(address);
    this.#publishing = publishing;
    this.#publisher = publishing.holder.id;
    this.#leases = new ClickhouseLeases(this.#connection);
  }

  get name(): string {
    return this.#connection.name;
  }

  async list(): Promise<(ClickhouseSnapshot & { isWhole: boolean })[]> {
    const editions = lastEditions(await this.#editions());
    const there = await partsThere(this.#connection, this.#publisher);
    const contents = await contentsOf(this.#connection, editions);
    return [...contents].map(([edition, content]) => ({
      ...edition,
      isWhole: partLost(content, there) === undefined && content.accounts !== undefined,
    }));
  }

  take(): Promise<Taken> {
    const { accounts, holder, lease_seconds: seconds } = this.#publishing;
    return takeLeases(
      this.#leases,
      accounts.map(({ id }) => id),
      { holder, seconds },
    );
  }

  giveBack(accounts?: readonly string[]): Promise<void> {
    return giveBackLeases(this.#leases, this.#publishing.holder, accounts);
  }

  async publishers(): Promise<Publishers> {
    const { now, leases } = await this.#leases.look();
    const byAccount = [...leases.values()].toSorted((one, other) => (one.account < other.account ? -1 : 1));
    const publications = [...(await listPublications(this.#connection)).values()].flat();
    const newest = [...Map.groupBy(publications, ({ account }) => account)]
      .flatMap(([, own]) => publicationThatCounts(own) ?? [])
      .map(({ id: snapshot, account, epoch, publisher, published_at }) => ({
        ...{ account, epoch, publisher, snapshot, published_at },
      }))
      .toSorted((one, other) => (one.account < other.account ? -1 : 1));
    const snapshots = await countSnapshots(this.#connection);
    const ids = new Set([...snapshots.keys(), ...(await publishersThere(this.#connection))]);
    const folders = [...ids].toSorted().map((id) => ({ id, snapshots: snapshots.get(id) ?? 0 }));
    return { now, leases: byAccount, newest, folders };
  }

  async publish(engine: Engine, snapshot: HeldSnapshot): Promise<DatabasePublication> {
    const connection = this.#connection;
    await this.#hold();
    await connection.run(createCatalogue(connection));
    const editions = await this.#editions();
    const known = await knownParts(connection, this.#publisher, editions);
    const last = editions.findLast(({ id }) => id === snapshot.id)?.edition ?? 0;
    const edition = { ...snapshot, edition: last + 1, publisher: this.#publisher };
    const done: DatabasePublication = { written: 0, rows: 0, kept: 0 };
    // Ids of their own, so that what a killed publication is still writing is never among them.
    const ids = `${snapshot.id}.${edition.edition}.${randomBytes(4).toString('hex')}`;
    const folder = await mkdtemp(join(tmpdir(), 'chatledger-parts-'));
    try {
      const content: ClickhouseContent = { version: 2, leases: {}, tables: [] };
      for (const table of await tablesIn(engine)) {
        const stored = storedFor(this.#publisher, table);
        const place = { ...table, stored };
        await connection.run(createStored(connection, stored, table));
        const parts: ClickhousePart[] = [];
        for (const part of together(await partsOf(engine, ofFile(table)))) {
          const found = await this.#sameOf(engine, table, part, known.get(keyOf(stored, part)), snapshot.rewritten);
          const own = found ?? (await this.#put(engine, place, part, `${ids}.${done.written}`, folder));
          parts.push(own);
          done[found ? 'kept' : 'written'] += 1;
          if (!found) done.rows += part.rows;
          if (!found && done.written % renew_after === 0) await this.#hold();
        }
        content.tables.push({ name: table.name, columns: table.columns.map(({ name }) => name), stored, parts });
      }
      for (const table of content.tables) await connection.run(createView(connection, edition, table));
      // Last of all: whoever lost an account meanwhile names nothing.
      const held = Object.fromEntries(await this.#hold());
      const former = last > 0 ? await contentOf(connection, { ...edition, edition: last }) : undefined;
      const told = { ...content, ...accountsOf(content, { held, former, accounts: this.#publishing.accounts }) };
      await writeContent(connection, edition, told);
      return done;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async keepOnly(ids: readonly string[]): Promise<void> {
    await sweep(this.#connection, this.#publisher, new Set(ids));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #editions(): Promise<ClickhouseSnapshot[]> {
    return listEditions(this.#connection, this.#publisher);
  }

  /** The epochs of the accounts. Errors: LeasedAccount. */
  async #hold(): Promise<Taken['held']> {
    const { held, refused } = await this.take();
    if (refused.length > 0) throw new LeasedAccount(this.name, refused);
    return held;
  }

  /**
   * A known part, if it holds the rows of this one. A fingerprint tells rows that came or went; it may not tell two equal rows from two
   * other equal rows, which rewriting makes of them.
   */
  async #sameOf(
    engine: Engine,
    table: FileTable,
    part: RowPart,
    known: KnownPart | undefined,
    rewritten: string,
  ): Promise<ClickhousePart | undefined> {
    if (!known) return undefined;
    const { rewritten: mark, ...own } = known;
    return mark === rewritten || (await sumOf(engine, table, part)) === own.sum ? own : undefined;
  }

  /** Writes the rows of a part to a file of columns, and that to the server. */
  async #put(
    engine: Engine,
    table: FileTable & Pick<ClickhouseTable, 'stored'>,
    part: RowPart,
    id: string,
    folder: string,
  ): Promise<ClickhousePart> {
    const { dialect } = engine;
    const sum = await sumOf(engine, table, part);
    const file = join(folder, 'rows.parquet');
    const named = `(select ${dialect.literal(id, 'text')} as part, * from ${rowsOfPart(engine, ofFile(table), part)}) as part`;
    const columns = [{ name: 'part', type: dialect.typeName('text') }, ...table.fileColumns];
    await Array.fromAsync(engine.queryInPieces(dialect.writeRows(columns, named, file), {}, true));
    const connection = this.#connection;
    await connection.again(() => insertPart(connection, table, { id, rows: part.rows }, { file, sum }));
    await rm(file);
    const { account, month, rows, fingerprint } = part;
    return { id, account, month, rows, fingerprint, sum };
  }
}

/**
 * An account that the snapshot has no row of is not named: somebody else may have published it until then. What was published before keeps
 * its accounts and epochs, whoever has them now.
 */
function accountsOf(
  { tables }: Pick<ClickhouseContent, 'tables'>,
  about: {
    held: ClickhouseContent['leases'];
    former: ClickhouseContent | undefined;
    accounts: PublishingTo['accounts'];
  },
): Pick<ClickhouseContent, 'accounts' | 'leases'> {
  const { held, former, accounts } = about;
  const leases = former?.leases ?? held;
  const there = new Set(tables.flatMap(({ parts }) => parts.map(({ account }) => account)));
  const named = accounts.filter(({ id }) => there.has(id) && Object.hasOwn(leases, id));
  return { leases, accounts: former?.accounts ?? named };
}

const ofFile = (table: FileTable) => ({ ...table, columns: table.fileColumns, from: table.name, isView: false });

async function sumOf(engine: Engine, table: FileTable, part: RowPart): Promise<string> {
  const from = rowsOfPart(engine, ofFile(table), part);
  const [found] = await engine.query(`select ${engine.dialect.checksum(table.columns)} as checked from ${from}`);
  return String(found?.checked);
}
