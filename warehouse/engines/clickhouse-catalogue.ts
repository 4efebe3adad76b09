// Which snapshots of a data folder a ClickHouse database has, and of which parts each of their tables is made: one row for an edition of a
// snapshot, written last.
import { Readable } from 'node:stream';
import { z } from 'zod';
import { DamagedWarehouse } from '../errors.ts';
import type { HeldSnapshot, PublishedAccount } from '../snapshot-database.ts';
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
  /** What `Dialect.checksum` says of them. */
  sum: z.string(),
});

const account = z.object({
  id: z.string(),
  timezone: z.string(),
  since: z.string(),
  simulated: z.boolean().default(false),
});

const content = z.object({
  version: z.literal(2),
  /** The accounts of which it has rows, as questions know them; undefined in publications of programs that did not say so. */
  accounts: z.array(account).optional(),
  /** Epochs of the leases under which it was first published, by account: where several published an account, the highest one counts. */
  leases: z.record(z.string(), z.number()),
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

/** A snapshot as the catalogue names it. One that was rewritten has another edition, which takes the place of the one before. */
export interface ClickhouseSnapshot extends HeldSnapshot {
  /** From 1 on. */
  edition: number;
  /** Which data folder published it. */
  publisher: string;
}

const table = (database: string): string => `"${database}"."snapshots"`;

/** A table of a database, with columns as the engine declares them. */
export const createCatalogue = ({ database }: ClickhouseConnection): string =>
  `create table if not exists ${table(database)} (snapshot String, edition Int32, publisher String, rewritten String, ` +
  `published_at ${clickhouse.type('instant', false)}, content String) engine = MergeTree order by (snapshot, edition)`;

/** There is none before the first publication. */
async function isThere(connection: ClickhouseConnection): Promise<boolean> {
  const [there] = await connection.rows(`exists table ${table(connection.database)}`);
  return Number(there?.result) !== 0;
}

/** All editions of a publisher, oldest first; none before its first publication. */
export async function listEditions(connection: ClickhouseConnection, publisher: string): Promise<ClickhouseSnapshot[]> {
  if (!(await isThere(connection))) return [];
  const rows = await connection.rows(
    `select distinct snapshot, edition, rewritten, published_at from ${table(connection.database)}
     where publisher = {publisher:String} order by snapshot, edition`,
    { publisher },
  );
  return rows.map(({ snapshot, edition, rewritten, published_at }) => ({
    ...{ id: String(snapshot), edition: Number(edition), publisher },
    ...{ rewritten: String(rewritten), published_at: String(published_at) },
  }));
}

/** The editions of a publisher that count: of each snapshot the last one. */
export const lastEditions = (all: readonly ClickhouseSnapshot[]): ClickhouseSnapshot[] => [
  ...new Map(all.map((each) => [each.id, each])).values(),
];

/** What an edition is made of. Errors: DamagedWarehouse, if the catalogue does not name it. */
export async function contentOf(
  connection: ClickhouseConnection,
  { id, edition, publisher }: Pick<ClickhouseSnapshot, 'id' | 'edition' | 'publisher'>,
): Promise<ClickhouseContent> {
  const [row] = await connection.rows(
    `select content from ${table(connection.database)}
     where snapshot = {snapshot:String} and edition = {edition:Int32} and publisher = {publisher:String} limit 1`,
    { snapshot: id, edition, publisher },
  );
  if (!row) throw new DamagedWarehouse(connection.name, `it has no snapshot ${id}`);
  return content.parse(JSON.parse(String(row.content)));
}

/** The same of several editions of one publisher at once. */
export async function contentsOf(
  connection: ClickhouseConnection,
  editions: readonly ClickhouseSnapshot[],
): Promise<Map<ClickhouseSnapshot, ClickhouseContent>> {
  const [first] = editions;
  if (!first) return new Map();
  const rows = await connection.rows(
    `select snapshot, edition, content from ${table(connection.database)} where publisher = {publisher:String}`,
    { publisher: first.publisher },
  );
  const contents = new Map(rows.map((row) => [`${String(row.snapshot)} ${Number(row.edition)}`, String(row.content)]));
  return new Map(
    editions.flatMap((each) => {
      const found = contents.get(`${each.id} ${each.edition}`);
      return found === undefined ? [] : [[each, content.parse(JSON.parse(found))] as const];
    }),
  );
}

/** From then on readers find the edition. */
export function writeContent(
  connection: ClickhouseConnection,
  { id, edition, publisher, rewritten, published_at }: ClickhouseSnapshot,
  made: ClickhouseContent,
): Promise<void> {
  const row = {
    ...{ snapshot: id, edition, publisher, rewritten },
    published_at: published_at.replace('T', ' ').replace('Z', ''),
    content: JSON.stringify(made),
  };
  return connection.insert(
    `insert into ${table(connection.database)} (snapshot, edition, publisher, rewritten, published_at, content) format JSONEachRow`,
    Readable.from([JSON.stringify(row)]),
  );
}

/** From then on nobody finds this edition; whoever reads it has it until its views are dropped. */
export async function removeContent(
  connection: ClickhouseConnection,
  { id, edition, publisher }: Pick<ClickhouseSnapshot, 'id' | 'edition' | 'publisher'>,
): Promise<void> {
  const [snapshot, by] = [clickhouse.literal(id, 'text'), clickhouse.literal(publisher, 'text')];
  await connection.run(
    `delete from ${table(connection.database)} where snapshot = ${snapshot} and edition = ${edition} and publisher = ${by}`,
  );
}

/** A snapshot in which an account was published, by whoever had its lease. */
export interface AccountPublication extends ClickhouseSnapshot {
  account: string;
  epoch: number;
  /** What questions know of it; undefined in publications of programs that did not say so. */
  about: PublishedAccount | undefined;
}

/** Publications by what names them, which is written once: publisher, snapshot and edition. */
export type KnownPublications = ReadonlyMap<string, readonly AccountPublication[]>;

/** Contents are long, and are read of so many publications at once. */
const read_together = 200;

/**
 * Of all publishers, by the last edition of each snapshot, in the order in which they were published; each account of a snapshot by itself.
 * Contents are read of those alone that `known` lacks.
 */
export async function listPublications(
  connection: ClickhouseConnection,
  known: KnownPublications = new Map(),
): Promise<KnownPublications> {
  if (!(await isThere(connection))) return new Map();
  const rows = await connection.rows(
    `select publisher, snapshot, max(edition) as last_edition, argMax(published_at, edition) as last_published,
       argMax(rewritten, edition) as last_rewritten
     from ${table(connection.database)} group by publisher, snapshot order by last_published, snapshot, publisher`,
  );
  const all = rows.map(({ publisher, snapshot, last_edition, last_published, last_rewritten }) => ({
    ...{ publisher: String(publisher), id: String(snapshot), edition: Number(last_edition) },
    ...{ rewritten: String(last_rewritten), published_at: String(last_published) },
  }));
  const unknown = all.filter((each) => !known.has(keyOf(each)));
  const read = new Map<string, readonly AccountPublication[]>();
  for (let first = 0; first < unknown.length; first += read_together)
    for (const [key, found] of await readPublications(connection, unknown.slice(first, first + read_together)))
      read.set(key, found);
  // One that was removed between the two is gone.
  return new Map(
    all.flatMap((each) => {
      const found = known.get(keyOf(each)) ?? read.get(keyOf(each));
      return found ? [[keyOf(each), found] as const] : [];
    }),
  );
}

const keyOf = ({ publisher, id, edition }: Pick<ClickhouseSnapshot, 'publisher' | 'id' | 'edition'>): string =>
  `${publisher} ${id} ${edition}`;

async function readPublications(
  connection: ClickhouseConnection,
  wanted: readonly ClickhouseSnapshot[],
): Promise<Map<string, readonly AccountPublication[]>> {
  const named = wanted.map(
    ({ publisher, id, edition }) =>
      `(${clickhouse.literal(publisher, 'text')}, ${clickhouse.literal(id, 'text')}, ${edition})`,
  );
  const rows = await connection.rows(
    `select publisher, snapshot, edition, JSONExtractRaw(content, 'leases') as leases, JSONExtractRaw(content, 'accounts') as accounts
     from ${table(connection.database)} where (publisher, snapshot, edition) in (${named.join(', ')})`,
  );
  const byKey = new Map(wanted.map((each) => [keyOf(each), each]));
  return new Map(
    rows.flatMap(({ publisher, snapshot, edition, leases, accounts }) => {
      const key = keyOf({ publisher: String(publisher), id: String(snapshot), edition: Number(edition) });
      const made = byKey.get(key);
      if (!made) return [];
      const epochs = content.shape.leases.parse(JSON.parse(String(leases) || '{}'));
      const abouts = content.shape.accounts.parse(JSON.parse(String(accounts) || '[]')) ?? [];
      const published = Object.entries(epochs).map(([name, epoch]): AccountPublication => {
        const about = abouts.find(({ id }) => id === name);
        return { account: name, epoch, about, ...made };
      });
      return [[key, published] as const];
    }),
  );
}

/** How many snapshots each publisher has. */
export async function countSnapshots(connection: ClickhouseConnection): Promise<ReadonlyMap<string, number>> {
  if (!(await isThere(connection))) return new Map();
  const rows = await connection.rows(
    `select publisher, count(distinct snapshot) as n from ${table(connection.database)} group by publisher`,
  );
  return new Map(rows.map(({ publisher, n }) => [String(publisher), Number(n)]));
}

/** Another one whenever a publication came, went or was rewritten. Reads no content. */
export async function stampOf(connection: ClickhouseConnection): Promise<string> {
  if (!(await isThere(connection))) return '';
  const [row] = await connection.rows(
    `select toString(count()) as rows, toString(sum(cityHash64(publisher, snapshot, edition, rewritten, published_at))) as sum
     from ${table(connection.database)}`,
  );
  return `${String(row?.rows)} ${String(row?.sum)}`;
}

/**
 * The publication of an account that counts: the newest one of who published it in the highest epoch, so that what somebody publishes who
 * lost the account is passed over. `own`: of one account, oldest first.
 */
export function publicationThatCounts(own: readonly AccountPublication[]): AccountPublication | undefined {
  const [first, ...rest] = own;
  if (!first) return undefined;
  const last = rest.reduce((one, other) => (other.epoch >= one.epoch ? other : one), first);
  // An older snapshot that was written anew has a higher epoch than the newest one of the same folder.
  return own.findLast(({ publisher }) => publisher === last.publisher);
}
