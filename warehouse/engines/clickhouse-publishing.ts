// Publishes a snapshot's file to ClickHouse: parts that changed are put beside the others and checked, the catalogue names them last.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, Row } from '../engine.ts';
import type { CheckedColumn } from '../dialect.ts';
import { partsOf, rowsOfPart, type RowPart } from '../read/monthly-rows.ts';
import { tables, type ColumnType } from '../tables/tables.ts';
import {
  contentOf,
  createCatalogue,
  listSnapshots,
  removeContents,
  writeContent,
  type ClickhouseContent,
  type ClickhousePart,
  type ClickhouseSnapshot,
  type ClickhouseTable,
} from './clickhouse-catalogue.ts';
import { ClickhouseConnection, type ClickhouseAddress } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';
import { createStored, createView, insertPart, storedName, type StoredShape } from './clickhouse-parts.ts';

/** An account with fewer rows of a table has them in one part. */
const rows_together = 100_000;

const kinds: readonly ColumnType[] = ['text', 'int', 'bigint', 'double', 'decimal', 'bool', 'date', 'instant'];

/** The tables of a file, and how its engine names their types. */
interface FileTable extends StoredShape {
  fileColumns: readonly { name: string; type: string }[];
}

async function tablesIn(engine: Engine): Promise<FileTable[]> {
  const kindOf = (type: string): CheckedColumn['type'] => {
    const found = kinds.find((kind) => engine.dialect.typeName(kind) === type);
    if (found === undefined && type !== 'HUGEINT') throw new Error(`no other engine has the type ${type}`);
    return found ?? 'huge';
  };
  const rows = await engine.query(
    `select c.table_schema || '.' || c.table_name as name, c.column_name, c.data_type, c.is_nullable
     from information_schema.columns as c
     join information_schema.tables as t using (table_catalog, table_schema, table_name)
     where c.table_catalog = current_database() and t.table_type = 'BASE TABLE'
     order by name, c.ordinal_position`,
  );
  const column = (row: Row) => ({
    ...{ name: String(row.column_name), type: kindOf(String(row.data_type)), nullable: row.is_nullable === 'YES' },
  });
  return [...Map.groupBy(rows, (row) => String(row.name))].map(([name, own]) => ({
    ...{ name, columns: own.map(column), order: orderOf(name, own.map(column)) },
    fileColumns: own.map((row) => ({ name: String(row.column_name), type: String(row.data_type) })),
  }));
}

/** Columns that other tables are sorted by, as far as they have them. */
const usual = ['account', 'started_quarter', 'quarter', 'day', 'chat_id', 'position', 'name'];

function orderOf(name: string, columns: readonly { name: string }[]): readonly string[] {
  const declared = tables.find((table) => `${table.schema}.${table.name}` === name)?.order;
  const has = (wanted: string): boolean => columns.some((column) => column.name === wanted);
  const found = (declared ?? usual).filter(has);
  return found.length > 0 ? found : columns.slice(0, 1).map((column) => column.name);
}

/** Months of an account with few rows are one part. */
function together(parts: readonly RowPart[]): RowPart[] {
  const byAccount = Map.groupBy(parts, ({ account }) => account);
  return [...byAccount.values()].flatMap((own) => {
    const rows = own.reduce((sum, part) => sum + part.rows, 0);
    const [first] = own;
    if (!first || rows > rows_together || first.month === null) return own;
    const all = own.map(({ month, rows: many, fingerprint }) => `${month} ${many} ${fingerprint}`).join('\n');
    return [{ ...first, month: null, rows, fingerprint: createHash('sha256').update(all).digest('hex') }];
  });
}

/** The parts of all snapshots, by what is in them. */
async function knownParts(connection: ClickhouseConnection): Promise<Map<string, ClickhousePart>> {
  const known = new Map<string, ClickhousePart>();
  for (const { id } of await listSnapshots(connection))
    for (const { stored, parts } of (await contentOf(connection, id)).tables)
      for (const part of parts) known.set(keyOf(stored, part), part);
  return known;
}

const keyOf = (stored: string, { account, month, rows, fingerprint }: Omit<ClickhousePart, 'id'>): string =>
  JSON.stringify([stored, account, month, rows, fingerprint]);

/** What a publication did. */
interface ClickhousePublication {
  /** Parts that were not there. */
  written: number;
  /** Their rows. */
  rows: number;
  /** Parts that were. */
  kept: number;
}

export class ClickhousePublisher {
  readonly #connection: ClickhouseConnection;

  constructor(address: ClickhouseAddress) {
    this.#connection = new ClickhouseConnection(address);
  }

  /** `engine`: the published file, which nobody writes. Cut off anywhere, it leaves what readers find as it was. */
  async publish(engine: Engine, snapshot: ClickhouseSnapshot): Promise<ClickhousePublication> {
    const connection = this.#connection;
    await connection.run(createCatalogue(connection));
    const known = await knownParts(connection);
    const done: ClickhousePublication = { written: 0, rows: 0, kept: 0 };
    const folder = await mkdtemp(join(tmpdir(), 'chatledger-parts-'));
    try {
      const content: ClickhouseContent = { version: 1, tables: [] };
      for (const table of await tablesIn(engine)) {
        const stored = storedName(table);
        await connection.run(createStored(connection, table));
        const parts: ClickhousePart[] = [];
        for (const part of together(
          await partsOf(engine, { ...table, columns: table.fileColumns, from: table.name, isView: false }),
        )) {
          const found = known.get(keyOf(stored, part));
          const own = found ?? (await this.#put(engine, table, part, `${snapshot.id}.${done.written}`, folder));
          parts.push(own);
          done[found ? 'kept' : 'written'] += 1;
          if (!found) done.rows += part.rows;
        }
        content.tables.push({ name: table.name, columns: table.columns.map(({ name }) => name), stored, parts });
      }
      for (const table of content.tables) await connection.run(createView(connection, snapshot.id, table));
      await writeContent(connection, snapshot, content);
      return done;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Writes the rows of a part to a file of columns, and that to the server. */
  async #put(engine: Engine, table: FileTable, part: RowPart, id: string, folder: string): Promise<ClickhousePart> {
    const { dialect } = engine;
    const from = rowsOfPart(engine, { ...table, columns: table.fileColumns, from: table.name, isView: false }, part);
    const [found] = await engine.query(`select ${dialect.checksum(table.columns)} as checked from ${from}`);
    const file = join(folder, 'rows.parquet');
    const named = `(select ${dialect.literal(id, 'text')} as part, * from ${from}) as part`;
    const columns = [{ name: 'part', type: dialect.typeName('text') }, ...table.fileColumns];
    await Array.fromAsync(engine.queryInPieces(dialect.writeRows(columns, named, file), {}, true));
    await insertPart(this.#connection, table, { id, rows: part.rows }, { file, sum: String(found?.checked) });
    await rm(file);
    const { account, month, rows, fingerprint } = part;
    return { id, account, month, rows, fingerprint };
  }

  /** Removes snapshots, and the parts that none names any more, but for those of a publication that may be under way. */
  async remove(ids: readonly string[]): Promise<void> {
    const connection = this.#connection;
    const gone: ClickhouseTable[][] = [];
    for (const id of ids) gone.push((await contentOf(connection, id)).tables);
    if (ids.length > 0) await removeContents(connection, ids);
    for (const [at, id] of ids.entries())
      for (const { name } of gone[at] ?? [])
        await connection.run(`drop view if exists "${connection.database}"."${id}/${name}"`);
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    const connection = this.#connection;
    const all = await listSnapshots(connection);
    const named = new Set([...(await knownParts(connection)).values()].map(({ id }) => id));
    const newest = all.at(-1)?.id ?? '';
    const there = await connection.rows(
      `select distinct "table", partition from system.parts where active and database = {database:String} and "table" like '%@%'`,
      { database: connection.database },
    );
    for (const { table, partition } of there) {
      const id = String(partition);
      // A part that is newer than all snapshots may be of a publication that is still writing.
      if (named.has(id) || id.slice(0, id.lastIndexOf('.')) > newest) continue;
      await connection.run(
        `alter table "${connection.database}"."${String(table)}" drop partition ${clickhouse.literal(id, 'text')}`,
      );
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
