// A publication after a hundred of the newest chats have changed: how long it takes, and how many bytes are new.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '#server/folder.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { newestName, publish } from '#warehouse/store/snapshot.ts';

export interface Published {
  /** Until the newest name is that of the new file. */
  seconds: number;
  /** Until older ones are packed and tidied too. */
  whole_seconds: number;
  /** Of files that were not there before, and of those that have changed. */
  written_mb: number;
}

function filesIn(folder: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const { ino, mtimeMs, size } = statSync(join(entry.parentPath, entry.name));
    found.set(`${ino} ${mtimeMs}`, size);
  }
  return found;
}

const changed = 100;

/** Chats are rated otherwise, as when visitors rate late. Older snapshots are packed in the same time. */
export async function publishChanged(path: string): Promise<Published> {
  const folder = openFolder(path);
  const engine = await openWarehouse(folder.warehouse, writerLimits);
  try {
    await engine.exec(
      "update facts.chats set rate = case rate when 'rated_good' then 'rated_bad' else 'rated_good' end\n" +
        `where chat_id in (select chat_id from facts.chats where started_quarter > (select max(started_quarter) - 96 from facts.chats) order by started_second desc limit ${changed})`,
    );
    const before = filesIn(folder.published);
    const newest = join(folder.published, newestName);
    const { ino } = statSync(newest);
    const began = performance.now();
    let seconds = NaN;
    const timer = setInterval(() => {
      if (Number.isNaN(seconds) && statSync(newest).ino !== ino) seconds = (performance.now() - began) / 1000;
    }, 10);
    await publish(engine, folder.published, Date.now()).finally(() => clearInterval(timer));
    if (Number.isNaN(seconds)) seconds = (performance.now() - began) / 1000; // it was over before it was looked at
    const whole_seconds = (performance.now() - began) / 1000;
    let bytes = 0;
    for (const [file, size] of filesIn(folder.published)) if (!before.has(file)) bytes += size;
    return { seconds, whole_seconds, written_mb: bytes / 1_000_000 };
  } finally {
    await engine.close();
  }
}
