// Opens the writer's files, the raw archive and the warehouse, and repairs what a crash or a damaged file left behind.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive, type RawArchive } from '#etl/raw/archive.ts';
import { accountsHeld, receivedUntil } from '#warehouse/raw/responses.ts';
import { redactionBy, type Redaction } from '#etl/redact/redaction.ts';
import { rebuild } from '#etl/rebuild/rebuild.ts';
import { namePulls } from '#etl/rebuild/records.ts';
import { askedUntil } from '#warehouse/ledger/periods.ts';
import { replay } from '#etl/rebuild/replay.ts';
import { setAside, setLogAside } from '#warehouse/store/damage.ts';
import type { Store } from '#warehouse/engine.ts';
import { BlockedWarehouse, DamagedWarehouse, OlderArchive } from '#warehouse/errors.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { fileOf, wholeSnapshots } from '#warehouse/store/snapshot-store.ts';
import { newestName } from '#warehouse/store/snapshot.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { markUnpublished, swapIn } from '#warehouse/store/swap.ts';
import { clock } from './clock.ts';
import { readConfig } from './config.ts';
import type { Folder } from './folder.ts';
import { erasedIn } from './erased/erased-in.ts';
import { tell } from './ipc.ts';
import { hoursToKeep } from './user-data/business-hours.ts';
import { variablesToKeep } from './user-data/variables.ts';
import { isAsClosed, markCleanShutdown } from './clean-shutdown.ts';
import { say } from './terminal.ts';

export interface Writer {
  engine: Store;
  archive: RawArchive;
  close(): Promise<void>;
}

/** As the settings have it now: whatever a writer decodes is decoded under the present rules. */
export const presentRedaction = (): Redaction => redactionBy(readConfig().redaction);

/**
 * One writer at a time: the open raw archive is the lock, so it is opened first. Files that this program did not close in their present
 * state are verified completely. A damaged file is set aside and recreated. Errors: BusyWarehouse, BlockedWarehouse, NewerWarehouse.
 */
export async function openWriter(folder: Folder, archive?: RawArchive): Promise<Writer> {
  const raw = archive ?? (await openRaw(folder));
  // Under the lock: until then another writer may come, go or be killed. Opening changes no file that was closed.
  const wasClosed = [folder.raw, folder.warehouse].every(isAsClosed);
  try {
    const hasAnswers = (await accountsHeld(raw.engine)).length > 0;
    const remedy = hasAnswers
      ? 'what is in it is made again from the raw archive'
      : 'the raw archive holds no answers, so everything is pulled anew from the source';
    const open = async (): Promise<Store> => {
      if (hasAnswers && !existsSync(folder.warehouse)) await makeAgain(folder, raw);
      const isChanged = existsSync(folder.warehouse) && !isAsClosed(folder.warehouse);
      return checked(await openWarehouse(folder.warehouse, writerLimits), isChanged);
    };
    const engine = await openOrSetAside(folder.warehouse, open, remedy);
    try {
      if (!wasClosed) await catchUp(folder, engine, raw);
      await bringBusinessHours(folder, engine);
      await bringVariables(folder, engine);
    } catch (error) {
      await engine.close();
      throw error;
    }
    return {
      ...{ engine, archive: raw },
      async close() {
        await engine.close();
        await raw.close();
        markCleanShutdown([folder.warehouse, folder.raw]);
      },
    };
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/** Stores the current business hours; changed ones count as news for the next publication. Errors: Stopped. */
async function bringBusinessHours(folder: Folder, engine: Store): Promise<void> {
  const { accounts, business_hours: file } = readConfig();
  const hoursOf = hoursToKeep(folder, file);
  for (const { id } of accounts)
    if (await setBusinessHours(engine, id, hoursOf(id))) await markUnpublished(folder.warehouse);
}

/** As they are declared now; changed ones are news too. */
async function bringVariables(folder: Folder, engine: Store): Promise<void> {
  for (const { id } of readConfig().accounts)
    if (await setVariables(engine, id, variablesToKeep(folder, id))) await markUnpublished(folder.warehouse);
}

/** Verifies a file that somebody else may have modified. Errors: DamagedWarehouse. */
async function checked(engine: Store, isChanged: boolean): Promise<Store> {
  try {
    if (isChanged) await engine.readThrough();
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** A file that turns out to be damaged while `work` reads it is set aside too, and the work starts again. */
export async function withWriter<T>(folder: Folder, work: (writer: Writer) => Promise<T>): Promise<T> {
  try {
    return await once(folder, work);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse) || ![folder.warehouse, folder.raw].includes(error.file)) throw error;
    const aside = await setAside(error.file, clock());
    say(`${error.message}: set aside as ${aside}; begun once more`);
    return once(folder, work);
  }
}

async function once<T>(folder: Folder, work: (writer: Writer) => Promise<T>): Promise<T> {
  const writer = await openWriter(folder);
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

/** Opens the raw archive alone, as the writer's lock. */
export async function openRaw(folder: Folder): Promise<RawArchive> {
  const wasThere = [folder.warehouse, join(folder.published, newestName)].some((file) => existsSync(file));
  if (wasThere && !existsSync(folder.raw))
    say(`${folder.raw} is gone: a new one is begun, and the source is asked again for everything`);
  try {
    return await openOrSetAside(
      folder.raw,
      async () => {
        const isThere = existsSync(folder.raw);
        let isChanged = false;
        const archive = await openArchive(folder.raw, {
          isWhole: () => !(isChanged = isThere && !isAsClosed(folder.raw)),
          whoErased: () => erasedIn(folder),
        });
        await checked(archive.engine, isChanged);
        if (isChanged)
          say(`${folder.raw} was not closed by its last writer: what came in its last second is asked for again`);
        return archive;
      },
      'a new one is begun; the numbers stay, and the source is asked again for everything, so that they can be rebuilt',
    );
  } catch (error) {
    if (!(error instanceof OlderArchive)) throw error;
    const aside = await setAside(folder.raw, clock(), 'older');
    say(`${error.message}: kept as ${aside}; a new one is begun, and the source is asked again for everything`);
    return openArchive(folder.raw, { whoErased: () => erasedIn(folder) });
  }
}

/** The log is set aside first: without it the file may be intact, and the other file holds what the log contained. */
async function openOrSetAside<T>(file: string, open: () => Promise<T>, consequence: string): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DamagedWarehouse) || error.file !== file) throw error;
    if (existsSync(`${file}.wal`)) {
      say(`${error.message}: its log is set aside as ${await setLogAside(file, clock())}; what it held is made again`);
      return openOrSetAside(file, open, consequence);
    }
    say(`${error.message}: set aside as ${await setAside(file, clock())}; ${consequence}`);
    return open();
  }
}

/** The warehouse is missing: it is recreated from the raw archive. */
async function makeAgain(folder: Folder, archive: RawArchive): Promise<void> {
  say(`${folder.warehouse} is made again from the raw archive`);
  const snapshots = (await wholeSnapshots(folder.published)).reverse().map((id) => fileOf(folder.published, id));
  const { fresh, chats, lost, hasRecords } = await rebuild({
    ...{ file: folder.warehouse, archive: archive.engine, erased: archive.erased },
    ...{ redaction: presentRedaction() },
    ...{ records: snapshots.slice(0, 3), now: clock() },
    onProgress: (played, total) => tell({ kind: 'rebuilding', played, total }),
  });
  await swapIn(fresh, folder.warehouse);
  const asked =
    lost.length > 0 ? `; of ${lost.map(({ source }) => source).join(', ')} days are missing and are pulled again` : '';
  const without = hasRecords ? '' : '; what pulls cost is not known any more, no snapshot could be read that says it';
  say(`${folder.warehouse} is made again: ${chats} chats${asked}${without}`);
}

const timeOf = (second: number): string => new Date(second * 1000).toISOString();

/** The last writer was interrupted: answers that were received but not written, or only to a lost log, are replayed. */
async function catchUp(folder: Folder, engine: Store, archive: RawArchive): Promise<void> {
  let played = 0;
  const redaction = presentRedaction();
  for (const account of await accountsHeld(archive.engine)) {
    const [until, from] = [await receivedUntil(archive.engine, account), await askedUntil(engine, account)];
    if (until < from) {
      say(`the raw archive has no answers of ${account} after ${timeOf(until)}: what came later is asked for again`);
      continue;
    }
    try {
      await replay({
        ...{ engine, archive: archive.engine, erased: archive.erased, redaction, account, from },
        onProgress: () => (played += 1),
      });
    } catch (error) {
      if (error instanceof DamagedWarehouse || error instanceof BlockedWarehouse) throw error;
      // An answer that ends the program must not end it at every start: the source may have a better one by now.
      say(`what ${account} had received cannot be played back (${String(error)}): it is asked for again`);
    }
  }
  if (played === 0) return;
  await namePulls(engine, archive.engine);
  await markUnpublished(folder.warehouse);
  say('the last writer was cut off: what it had received is taken from the raw archive');
}
