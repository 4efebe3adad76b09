// `chatledger rebuild`: all facts and report tables again from the raw archive, without a request.
import { existsSync } from 'node:fs';
import { rebuild as rebuildFile } from '#etl/rebuild/rebuild.ts';
import type { Lost } from '#warehouse/ledger/records.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { accountsHeld } from '#warehouse/raw/responses.ts';
import { setAside } from '#warehouse/store/damage.ts';
import type { Published } from '#warehouse/engine.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { remove, swapIn } from '#warehouse/store/swap.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { bringDatabase } from '../database.ts';
import { endOnSignal } from '../shutdown.ts';
import { resumeErasure } from '../erase/resume.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { forgetNotes } from '../ledger-note.ts';
import { heardSkew } from '../source-clock.ts';
import { out, outJson, showProgress } from '../terminal.ts';
import { openRaw, openWriter, presentRedaction } from '../writer.ts';

export async function rebuild({ json }: { json?: boolean }): Promise<void> {
  endOnSignal();
  const config = readConfig();
  const folder = openFolder(config.folder);
  try {
    const began = performance.now();
    await resumeErasure(folder);
    await settle(folder);
    const { chats, published } = await run(folder, config.snapshot_space);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    if (json) return outJson({ chats, seconds, snapshot: published.id });
    out(
      `${chats} chats and every report are made again from the raw archive in ${seconds} s; snapshot ${published.id} is published`,
    );
  } catch (error) {
    if (error instanceof DamagedWarehouse && error.file === folder.raw) throw await archiveSetAside(folder, error);
    throw stoppedByFile(error) ?? error;
  }
}

/** A damaged archive cannot be used for a rebuild; the existing warehouse stays. */
async function archiveSetAside(folder: Folder, { message }: Error): Promise<Stopped> {
  const aside = await setAside(folder.raw, clock());
  return new Stopped(
    `${message}: set aside as ${aside}, and nothing was changed; the next pull asks the source again for everything`,
    exitCodes.failed,
  );
}

/** Opens the warehouse as a pull would, so that it is unlocked, migrated, repaired and closed cleanly. */
async function settle(folder: Folder): Promise<void> {
  await (await openWriter(folder)).close();
}

async function run(folder: Folder, space: number): Promise<{ chats: number; published: Published }> {
  const archive = await openRaw(folder);
  const chats = await replaceWarehouse(folder, archive).catch(async (error: unknown) => {
    await archive.close();
    throw error;
  });
  const { engine, close } = await openWriter(folder, archive);
  try {
    const published = await publish(engine, folder.published, clock() * 1000, {
      space,
      clock_skew: heardSkew(folder.published),
      elsewhere: () => bringDatabase(folder),
    });
    forgetNotes(folder.published);
    return { chats, published };
  } finally {
    await close();
  }
}

async function replaceWarehouse(folder: Folder, archive: RawArchive): Promise<number> {
  if ((await accountsHeld(archive.engine)).length === 0)
    throw new Stopped(`${folder.raw} holds no answers: run 'npx chatledger start' or 'npx chatledger pull' first`);
  const { fresh, chats, lost, hasRecords } = await rebuildFile({
    ...{ file: folder.warehouse, archive: archive.engine, erased: archive.erased, now: clock(), onProgress: progress },
    redaction: presentRedaction(),
    records: existsSync(folder.warehouse) ? [folder.warehouse] : [],
  });
  if (lost.length > 0 || !hasRecords) {
    await remove(fresh);
    throw new Stopped(
      hasRecords
        ? sentenceOf(lost)
        : `${folder.warehouse} cannot be read: move it away, and the next pull makes it again from the raw archive`,
      exitCodes.failed,
    );
  }
  await swapIn(fresh, folder.warehouse);
  return chats;
}

/** If a rebuild would lose anything, the warehouse stays as it is. */
const sentenceOf = (lost: Lost): string =>
  `the raw archive does not have everything that the warehouse has (${lost
    .map(({ account, source, days, from, to }) => `${source} of ${account}: ${days} days from ${from} to ${to}`)
    .join(
      '; ',
    )}), so nothing was changed: run 'npx chatledger pull', which asks for these days again, and then rebuild`;

function progress(played: number, total: number): void {
  showProgress(`rebuild: ${played} of ${total} questions`, played >= total);
}
