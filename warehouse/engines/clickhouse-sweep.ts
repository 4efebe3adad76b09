// Removes from a ClickHouse database what no snapshot of a data folder names any more, and nothing of other folders. Each step can be repeated
// after a kill.
import { contentsOf, lastEditions, listEditions, removeContent } from './clickhouse-catalogue.ts';
import type { ClickhouseConnection } from './clickhouse-connection.ts';
import { clickhouse } from './clickhouse-dialect.ts';
import { partsThere } from './clickhouse-parts.ts';
import { isStoredBy, isViewOf, viewName } from './clickhouse-tables.ts';

/** What the database has to have. */
interface Named {
  views: ReadonlySet<string>;
  /** By stored table. */
  parts: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What snapshots of a publisher name; `kept`: their ids, by default all. */
async function namedIn(
  connection: ClickhouseConnection,
  publisher: string,
  kept?: ReadonlySet<string>,
): Promise<Named> {
  const views = new Set<string>();
  const parts = new Map<string, Set<string>>();
  const editions = lastEditions(await listEditions(connection, publisher)).filter(({ id }) => kept?.has(id) ?? true);
  for (const [edition, { tables }] of await contentsOf(connection, editions))
    for (const { name, stored, parts: own } of tables) {
      views.add(viewName(edition, name));
      const known = parts.get(stored) ?? new Set();
      parts.set(stored, known);
      for (const { id } of own) known.add(id);
    }
  return { views, parts };
}

/** Number of parts of a publisher that no snapshot names, but for those of a newer one: it may be on its way. */
export async function unnamedParts(connection: ClickhouseConnection, publisher: string): Promise<number> {
  const { parts } = await namedIn(connection, publisher);
  const newest = (await listEditions(connection, publisher)).at(-1)?.id ?? '';
  return [...(await partsThere(connection, publisher))].reduce(
    (sum, [stored, own]) =>
      sum + [...own.keys()].filter((id) => !parts.get(stored)?.has(id) && !isNewer(id, newest)).length,
    0,
  );
}

/** An id begins with that of the snapshot for which the part was made. */
const isNewer = (part: string, snapshot: string): boolean => part.slice(0, snapshot.length) > snapshot;

/**
 * Leaves the last edition of each snapshot of `kept`, and nothing else of the publisher. Views go before the rows that they show: whoever
 * reads one gets an error then, never fewer rows. It may not be publishing; others may.
 */
export async function sweep(
  connection: ClickhouseConnection,
  publisher: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const { database } = connection;
  const named = await namedIn(connection, publisher, kept);
  const all = await listEditions(connection, publisher);
  const lasting = new Set(lastEditions(all).filter(({ id }) => kept.has(id)));
  for (const edition of all) if (!lasting.has(edition)) await removeContent(connection, edition);
  const tables = await connection.rows(
    `select name from system.tables where database = {database:String} and position(name, {own:String}) > 0 order by name`,
    { database, own: `.${publisher}` },
  );
  const names = tables.map(({ name }) => String(name));
  for (const name of names)
    if (isViewOf(publisher, name) && !named.views.has(name))
      await connection.run(`drop view if exists "${database}"."${name}"`);
  for (const [stored, own] of await partsThere(connection, publisher))
    for (const id of own.keys())
      if (!named.parts.get(stored)?.has(id))
        await connection.run(`alter table "${database}"."${stored}" drop partition ${clickhouse.literal(id, 'text')}`);
  for (const name of names)
    if (isStoredBy(publisher, name) && !named.parts.has(name))
      await connection.run(`drop table if exists "${database}"."${name}"`);
}
