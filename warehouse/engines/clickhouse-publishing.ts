// Publishes a snapshot's file to ClickHouse: parts that changed are put beside the others and checked, the catalogue names them last.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engine.ts';
import { ForeignDatabase } from '../errors.ts';
import { partsOf, rowsOfPart, type RowPart } from '../read/monthly-rows.ts';
import type { DatabasePublication, DatabasePublisher, HeldSnapshot } from '../snapshot-database.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';
import {
  contentsOf,
  createCatalogue,
  lastEditions,
  listEditions,
  writeContent,
  type ClickhouseContent,
  type ClickhousePart,
  type ClickhouseSnapshot,
} from './clickhouse-catalogue.ts';
import { ClickhouseConnection } from './clickhouse-connection.ts';
import { createStored, createView, insertPart, partLost, partsThere, storedName } from './clickhouse-parts.ts';
import { tablesIn, together, type FileTable } from './clickhouse-source.ts';
import { sweep } from './clickhouse-sweep.ts';

/** A part that a snapshot names; `rewritten`: the mark of that snapshot. */
type KnownPart = ClickhousePart & Pick<HeldSnapshot, 'rewritten'>;

/** The parts of all snapshots that are there, by what is in them. */
async function knownParts(
  connection: ClickhouseConnection,
  editions: readonly ClickhouseSnapshot[],
): Promise<Map<string, KnownPart>> {
  const known = new Map<string, KnownPart>();
  const there = await partsThere(connection);
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
  readonly #publisher: string;

  /** `publisher`: which data folder it is. */
  constructor(address: ClickhouseAddress, publisher: string) {
    this.#connection = new ClickhouseConnection(address);
    this.#publisher = publisher;
  }

  get name(): string {
    return this.#connection.name;
  }

  async list(): Promise<(ClickhouseSnapshot & { isWhole: boolean })[]> {
    const editions = lastEditions(await this.#editions());
    const there = await partsThere(this.#connection);
    const contents = await contentsOf(this.#connection, editions);
    return [...contents].map(([edition, content]) => ({ ...edition, isWhole: partLost(content, there) === undefined }));
  }

  async publish(engine: Engine, snapshot: HeldSnapshot): Promise<DatabasePublication> {
    const connection = this.#connection;
    await connection.run(createCatalogue(connection));
    const editions = await this.#editions();
    const known = await knownParts(connection, editions);
    const last = editions.findLast(({ id }) => id === snapshot.id)?.edition ?? 0;
    const edition = { ...snapshot, edition: last + 1, publisher: this.#publisher };
    const done: DatabasePublication = { written: 0, rows: 0, kept: 0 };
    // Ids of their own, so that what a killed publication is still writing is never among them.
    const ids = `${snapshot.id}.${edition.edition}.${randomBytes(4).toString('hex')}`;
    const folder = await mkdtemp(join(tmpdir(), 'chatledger-parts-'));
    try {
      const content: ClickhouseContent = { version: 1, tables: [] };
      for (const table of await tablesIn(engine)) {
        const stored = storedName(table);
        await connection.run(createStored(connection, table));
        const parts: ClickhousePart[] = [];
        for (const part of together(await partsOf(engine, ofFile(table)))) {
          const found = await this.#sameOf(engine, table, part, known.get(keyOf(stored, part)), snapshot.rewritten);
          const own = found ?? (await this.#put(engine, table, part, `${ids}.${done.written}`, folder));
          parts.push(own);
          done[found ? 'kept' : 'written'] += 1;
          if (!found) done.rows += part.rows;
        }
        content.tables.push({ name: table.name, columns: table.columns.map(({ name }) => name), stored, parts });
      }
      for (const table of content.tables) await connection.run(createView(connection, edition, table));
      await writeContent(connection, edition, content);
      return done;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async keepOnly(ids: readonly string[]): Promise<void> {
    await this.#editions();
    await sweep(this.#connection, new Set(ids));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Errors: ForeignDatabase. */
  async #editions(): Promise<ClickhouseSnapshot[]> {
    const editions = await listEditions(this.#connection);
    if (editions.some(({ publisher }) => publisher !== this.#publisher)) throw new ForeignDatabase(this.name);
    return editions;
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
  async #put(engine: Engine, table: FileTable, part: RowPart, id: string, folder: string): Promise<ClickhousePart> {
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

const ofFile = (table: FileTable) => ({ ...table, columns: table.fileColumns, from: table.name, isView: false });

async function sumOf(engine: Engine, table: FileTable, part: RowPart): Promise<string> {
  const from = rowsOfPart(engine, ofFile(table), part);
  const [found] = await engine.query(`select ${engine.dialect.checksum(table.columns)} as checked from ${from}`);
  return String(found?.checked);
}
