// Whether a ClickHouse server can be used: its version, the database, and what the user may do there.
import { Readable } from 'node:stream';
import { UnreachableWarehouse } from '../errors.ts';
import type { DatabaseCheck } from '../snapshot-database.ts';
import type { ClickhouseAddress } from './clickhouse-address.ts';
import { ClickhouseConnection } from './clickhouse-connection.ts';
import { unnamedParts } from './clickhouse-sweep.ts';

/** The first version that knows every setting that requests carry. */
const oldest = [24, 12] as const;

const isOlder = (version: string): boolean => {
  const [year = 0, month = 0] = version.split('.').map(Number);
  return year < oldest[0] || (year === oldest[0] && month < oldest[1]);
};

interface HostUse {
  /** Which data folder publishes there. */
  publisher: string;
  /** Tries what a publication does, with a table that is gone afterwards. */
  canWrite: boolean;
  /** Others have the same, and each is published to. */
  isOneOfSeveral: boolean;
}

/** Errors: UnreachableWarehouse. */
export async function check(
  address: ClickhouseAddress,
  { publisher, canWrite, isOneOfSeveral }: HostUse,
): Promise<DatabaseCheck> {
  const connection = new ClickhouseConnection(address);
  const { database, name } = connection;
  try {
    const version = await connection.version();
    if (isOlder(version))
      throw new UnreachableWarehouse(name, `its version ${version} is older than ${oldest.join('.')}`, false);
    const [there] = await connection.rows('select engine from system.databases where name = {database:String}', {
      database,
    });
    if (!there)
      throw new UnreachableWarehouse(name, `there is no database ${database}, or this user may not see it`, false);
    const engine = String(there.engine);
    // A view that is made for one host would take the place of another's.
    if (isOneOfSeveral && /replicated|shared/i.test(engine))
      throw new UnreachableWarehouse(
        name,
        `the database ${database} brings its tables to other servers itself (engine ${engine}): name one host of it`,
        false,
      );
    if (canWrite) await tryWriting(connection, publisher);
    return { version, unnamed_parts: await unnamedParts(connection, publisher) };
  } catch (error) {
    if (error instanceof UnreachableWarehouse) throw error;
    const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UnreachableWarehouse(
      name,
      said === '' ? 'what answers there is no ClickHouse' : said.slice(0, 300),
      false,
    );
  } finally {
    await connection.close();
  }
}

/** Whatever the user lacks is said by the server. */
async function tryWriting(connection: ClickhouseConnection, publisher: string): Promise<void> {
  const { database } = connection;
  const [table, view] = [`"${database}"."doctor ${publisher}"`, `"${database}"."doctor view ${publisher}"`];
  await connection.run(
    `create table if not exists ${table} (part String) engine = MergeTree partition by part order by part`,
  );
  await connection.run(`create or replace view ${view} as select part from ${table}`);
  await connection.insert(`insert into ${table} (part) format JSONEachRow`, Readable.from(['{"part":"a"}']));
  await connection.run(`alter table ${table} drop partition 'a'`);
  await connection.run(`delete from ${table} where part = 'a'`);
  await connection.run(`drop view if exists ${view}`);
  await connection.run(`drop table if exists ${table}`);
}
