// `chatledger access`: everything stored about a person, as JSON and as a readable page, for that person.
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accessOf, type Access } from '../access/access.ts';
import { accessPage } from '../access/page.ts';
import { withAuth } from '../auth.ts';
import { clock } from '../clock.ts';
import { endOnSignal } from '../shutdown.ts';
import { findIn, type Erasing } from '../erase/erase.ts';
import { resumeErasure } from '../erase/resume.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { makeFolderOf } from '../made-folder.ts';
import { out } from '../terminal.ts';
import { erasingOf, wantedIn, type PersonOptions } from './erase.ts';

export async function access({ out: to, ...options }: PersonOptions & { out: string }): Promise<void> {
  const wanted = wantedIn(options);
  endOnSignal();
  const folder = resolve(to);
  const [json, page] = [join(folder, 'access.json'), join(folder, 'access.html')];
  for (const file of [json, page])
    if (existsSync(file)) throw new Stopped(`${file} exists already: name a folder without it`);
  const erasing: Erasing = erasingOf();
  try {
    await resumeErasure(erasing.folder);
    const found: Access = await findIn(erasing, wanted, (warehouse, raw, person) =>
      accessOf(erasing.folder, warehouse, raw, person, clock()),
    );
    makeFolderOf('--out', folder);
    writeFileSync(json, `${JSON.stringify(found, null, 2)}\n`, { mode: 0o600 });
    writeFileSync(page, accessPage(found), { mode: 0o600 });
    await withAuth(({ audit }) => {
      const about = `${found.chats.length} chats and ${found.as_received.length} records as received, as files`;
      audit.record({ action: 'visitor.accessed', about });
    });
    out(
      `${found.chats.length} chats and ${found.as_received.length} records as received are written to ${json} and ${page}`,
      'both name the person, and no erasure finds them outside the data folder: remove them when they have been handed over',
    );
  } catch (error) {
    throw stoppedByFile(error, erasing.folder.path) ?? error;
  }
}
