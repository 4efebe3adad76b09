// `chatledger move`: brings every kept snapshot to a database for readers, and compares every metric there with the file.
import { compareMetrics } from '#warehouse/erase/proof.ts';
import {
  databaseAddressIn,
  databaseName,
  wrongDatabaseAddress,
  type DatabaseAddress,
  type DatabaseHost,
} from '#warehouse/engines/database.ts';
import { UnreachableWarehouse } from '#warehouse/errors.ts';
import type { HeldSnapshot, SnapshotDatabase } from '#warehouse/snapshot-database.ts';
import { writerLimits } from '#warehouse/store/open.ts';
import { openSnapshot, publishedAt, snapshots } from '#warehouse/store/snapshot-store.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { sourcesOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { assertDatabase, bringTo, openDatabaseOf } from '../database.ts';
import { resumeErasure } from '../erase/resume.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { endOnSignal } from '../shutdown.ts';
import { out, outJson, showProgress } from '../terminal.ts';
import { withWriter } from '../writer.ts';

interface Moved {
  /** Without user and password. */
  database: string;
  /** How many each of its hosts has now, and how many were put on all of them by this. */
  snapshots: number;
  put: number;
  metrics: number;
  questions: number;
  /** Numbers that were the same. */
  cells: number;
}

/** The folder stays as it is. Stopped, exit code 1, where a number would be another. */
export async function move({ to, json }: { to?: string; json?: boolean }): Promise<void> {
  const config = readConfig();
  const address = addressOf(config, to);
  endOnSignal();
  const folder = openFolder(config.folder);
  const accounts = sourcesOf(config, folder, clock()).map(({ id, timezone, since }) => ({ id, timezone, since }));
  try {
    await assertDatabase(folder, address);
    await resumeErasure(folder);
    const moved = await withWriter(folder, () => moveTo(folder, address, accounts));
    if (json) return outJson(moved);
    const { database, snapshots: many, put, metrics, questions, cells } = moved;
    const placed =
      address.length > 1
        ? `${database} has ${many} snapshots on each of its ${address.length} hosts, and ${put} of them all were put there now`
        : `${database} has ${many} snapshots, of which ${put} were put there now`;
    out(`${placed}: ${cells} numbers of ${metrics} metrics (${questions} questions) are those of the files`);
    if (config.database === null || databaseName(config.database) !== database)
      out(
        'set CHATLEDGER_WAREHOUSE to it: until then readers ask the files, and neither erasing nor retention reaches it',
      );
  } catch (error) {
    if (to !== undefined && error instanceof UnreachableWarehouse)
      throw new Stopped(
        `${error.message}: look at --to and at the server; the data folder is intact`,
        exitCodes.unreachable,
      );
    throw stoppedByFile(error, folder.path) ?? error;
  }
}

/** Errors: Stopped, if none is named. */
function addressOf({ database }: Pick<Config, 'database'>, to: string | undefined): DatabaseAddress {
  if (to === undefined && database) return database;
  if (to === undefined)
    throw new Stopped('say where to: --to ADDRESS, written as CHATLEDGER_WAREHOUSE is, or set that');
  const wrong = wrongDatabaseAddress(to);
  if (wrong !== undefined) throw new Stopped(`--to ${wrong}`);
  return databaseAddressIn(to);
}

/** The writer is open, so that nothing is published meanwhile. */
async function moveTo(folder: Folder, address: DatabaseAddress, accounts: readonly WarehouseAccount[]): Promise<Moved> {
  const progress = (done: number, total: number): void =>
    showProgress(`move: snapshots are put there (${done} of ${total})`, false);
  const put = await bringTo(folder, address, { all: true, progress });
  const moved: Moved = {
    ...{ database: databaseName(address), put, snapshots: 0 },
    ...{ metrics: 0, questions: 0, cells: 0 },
  };
  for (const host of address) {
    const compared = await compareOn(folder, host, accounts);
    moved.snapshots = compared.snapshots;
    moved.metrics = Math.max(moved.metrics, compared.metrics);
    moved.questions += compared.questions;
    moved.cells += compared.cells;
  }
  return moved;
}

/** Every snapshot of a host. Errors: Stopped, if a number is another. */
async function compareOn(
  folder: Folder,
  host: DatabaseHost,
  accounts: readonly WarehouseAccount[],
): Promise<Omit<Moved, 'database' | 'put'>> {
  const database = openDatabaseOf(folder, [host]);
  try {
    const kept = await snapshots(folder.published);
    const there = (await database.list()).filter(({ id }) => kept.includes(id));
    const all = { snapshots: 0, metrics: 0, questions: 0, cells: 0 };
    for (const held of there) {
      showProgress(`move: metrics are compared (${all.snapshots} of ${there.length})`, false);
      const compared = await compareThere(folder, database, held, accounts);
      all.metrics = Math.max(all.metrics, compared.metrics);
      all.snapshots += 1;
      all.questions += compared.questions;
      all.cells += compared.cells;
    }
    return all;
  } finally {
    await database.close();
  }
}

/** Errors: Stopped, if a number is another. */
async function compareThere(
  folder: Folder,
  database: SnapshotDatabase,
  held: HeldSnapshot,
  accounts: readonly WarehouseAccount[],
): Promise<Awaited<ReturnType<typeof compareMetrics>>> {
  const { id } = held;
  const at = { id, published_at: await publishedAt(folder.published, id) };
  const file = await openSnapshot(folder.published, id, writerLimits);
  try {
    const compared = await compareMetrics(
      { ...at, engine: file },
      { ...at, engine: await database.open(held) },
      accounts,
    );
    const [first] = compared.differences;
    if (!first) return compared;
    throw new Stopped(
      `in snapshot ${id} the metric ${first.metric} of ${first.account} is ${JSON.stringify(first.before)} in the file and ` +
        `${JSON.stringify(first.after)} in ${database.name}: this is a mistake of the program, report it, and leave CHATLEDGER_WAREHOUSE unset`,
      exitCodes.failed,
    );
  } finally {
    await file.close();
  }
}
