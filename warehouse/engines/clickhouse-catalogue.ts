// Which snapshots a ClickHouse database has, and of which parts each of their tables is made: one row for a snapshot, written last.
import { Readable } from 'node:stream';
import { z } from 'zod';
import { DamagedWarehouse } from '../errors.ts';
import type { ClickhouseConnection } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';

const part = z.object({
  /** The value of the column `part` in its rows. */
  id: z.string(),
  account: z.string().nullable(),
  /** `YYYY-MM`; null: all rows of the account. */
  month: z.string().nullable(),
  rows: z.number(),
  /** The same for the same rows, whoever publishes them. */
  fingerprint: z.string(),
});

const content = z.object({
  version: z.literal(1),
  tables: z.array(
    z.object({
      /** With its schema: `facts.chats`. */
      name: z.string(),
      columns: z.array(z.string()),
      /** The table with its rows, and with those of other snapshots in the same columns. */
      stored: z.string(),
      parts: z.array(part),
    }),
  ),
});

export type ClickhousePart = z.infer<typeof part>;
export type ClickhouseContent = z.infer<typeof content>;
export type ClickhouseTable = ClickhouseContent['tables'][number];

/** A snapshot as the catalogue names it. */
export interface ClickhouseSnapshot {
  id: string;
  /** ISO instant. */
  published_at: string;
}

const table = (database: string): string => `"${database}"."snapshots"`;

/** A table of a database, with columns as the engine declares them. */
export const createCatalogue = ({ database }: ClickhouseConnection): string =>
  `create table if not exists ${table(database)} (snapshot String, published_at ${clickhouse.type('instant', false)}, ` +
  `written_at ${clickhouse.type('instant', false)} default now64(6), content String) engine = MergeTree order by snapshot`;

/** Oldest first. */
export async function listSnapshots(connection: ClickhouseConnection): Promise<ClickhouseSnapshot[]> {
  const rows = await connection.rows(
    `select distinct snapshot, published_at from ${table(connection.database)} order by snapshot`,
  );
  return rows.map(({ snapshot, published_at }) => ({ id: String(snapshot), published_at: String(published_at) }));
}

/** What a snapshot is made of. Errors: DamagedWarehouse, if the catalogue does not name it. */
export async function contentOf(connection: ClickhouseConnection, snapshot: string): Promise<ClickhouseContent> {
  const [row] = await connection.rows(
    `select content from ${table(connection.database)} where snapshot = {snapshot:String} order by written_at desc limit 1`,
    { snapshot },
  );
  if (!row) throw new DamagedWarehouse(connection.name, `it has no snapshot ${snapshot}`);
  return content.parse(JSON.parse(String(row.content)));
}

/** From then on readers find the snapshot. */
export function writeContent(
  connection: ClickhouseConnection,
  { id, published_at }: ClickhouseSnapshot,
  made: ClickhouseContent,
): Promise<void> {
  const row = {
    snapshot: id,
    published_at: published_at.replace('T', ' ').replace('Z', ''),
    content: JSON.stringify(made),
  };
  return connection.insert(
    `insert into ${table(connection.database)} (snapshot, published_at, content) format JSONEachRow`,
    Readable.from([JSON.stringify(row)]),
  );
}

/** From then on nobody finds these snapshots; whoever reads one has it until its parts are dropped. */
export async function removeContents(connection: ClickhouseConnection, ids: readonly string[]): Promise<void> {
  const named = ids.map((id) => clickhouse.literal(id, 'text')).join(', ');
  await connection.run(`delete from ${table(connection.database)} where snapshot in (${named})`);
}
