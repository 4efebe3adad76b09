// `chatledger snapshot`: publishes the current warehouse, or writes a snapshot of a past instant as a file.
import { existsSync } from 'node:fs';
import { copyFile, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BlockedWarehouse } from '#warehouse/errors.ts';
import { millisecondsOf } from '#warehouse/periods.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import { unpack } from '#warehouse/store/packed/unpack.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { storedSnapshots } from '#warehouse/store/snapshot-store.ts';
import { remove } from '#warehouse/store/swap.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { bringDatabase } from '../database.ts';
import { endOnSignal } from '../shutdown.ts';
import { resumeErasure } from '../erase/resume.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { heardSkew } from '../source-clock.ts';
import { complain, out, outJson } from '../terminal.ts';
import { withWriter } from '../writer.ts';

interface SnapshotOptions {
  as_of?: string;
  out?: string;
  json?: boolean;
}

export async function snapshot({ as_of, out: to, json }: SnapshotOptions): Promise<void> {
  if ((as_of === undefined) !== (to === undefined))
    throw new Stopped('--as-of and --out go together: an instant, and the file to write what was known then to');
  endOnSignal();
  const config = readConfig();
  const folder = openFolder(config.folder);
  const work =
    as_of === undefined || to === undefined
      ? resumeErasure(folder).then(() =>
          withWriter(folder, ({ engine }) =>
            publish(engine, folder.published, clock() * 1000, {
              space: config.snapshot_space,
              clock_skew: heardSkew(folder.published),
              elsewhere: () => bringDatabase(folder),
            }),
          ),
        )
      : copyOf(folder, as_of, resolve(to));
  const done = await work.catch((error: unknown) => {
    throw stoppedByFile(error) ?? error;
  });
  if (json) outJson(done);
  else out(`snapshot ${done.id} is ${to === undefined ? 'published' : 'written'}: ${done.file}`);
}

interface WrittenSnapshot {
  id: string;
  published_at: string;
  /** A self-contained file. */
  file: string;
}

/** The newest snapshot that was published at or before an instant. @throws Stopped */
async function copyOf(folder: Folder, as_of: string, to: string): Promise<WrittenSnapshot> {
  const milliseconds = millisecondsOf(as_of);
  if (Number.isNaN(milliseconds))
    throw new Stopped(`--as-of ${as_of} is not an instant, write it as 2026-11-01T08:00:00Z or with +01:00`);
  if (milliseconds > clock() * 1000)
    throw new Stopped(`--as-of ${as_of} lies in the future: name an instant in the past`);
  if (existsSync(to)) throw new Stopped(`${to} exists already: name a file that does not`);
  const kept = await storedSnapshots(folder.published);
  const found = kept.findLast(({ published_at }) => Date.parse(published_at) <= milliseconds);
  if (!found) {
    const [oldest] = kept;
    const there = oldest ? `the oldest is from ${oldest.published_at}` : 'nothing is published yet';
    throw new Stopped(`no snapshot is kept from ${as_of} or before: ${there}`);
  }
  const fresh = `${to}.part`;
  await remove(fresh);
  try {
    const omitted = isPacked(found.file) ? await unpack(found.file, fresh) : [];
    if (!isPacked(found.file)) await copyFile(found.file, fresh);
    await rename(fresh, to);
    if (omitted.length > 0)
      complain(`left out, because an earlier version of the program wrote them so: ${omitted.join(', ')}`);
  } catch (error) {
    await remove(fresh);
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new BlockedWarehouse(to, message);
  }
  return { id: found.id, published_at: found.published_at, file: to };
}
