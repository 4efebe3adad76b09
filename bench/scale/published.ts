// A publication after a hundred of the newest chats have changed: how long it takes, and how many bytes it writes.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '#server/folder.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { newestName, publish } from '#warehouse/store/snapshot.ts';
import { touch } from '#warehouse/store/touched.ts';

export interface Published {
  /** Until the newest name refers to the new file. */
  seconds: number;
  /** Until older ones are packed and tidied too. */
  whole_seconds: number;
  /** Bytes written according to the system until readers see it, including the writer's own file. */
  written_mb: number;
  /** Until older ones are packed too. */
  whole_mb: number;
}

/** Megabytes that this process wrote, and those it started that have ended. */
function writtenMb(): number {
  const [, bytes = ''] = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8')) ?? [];
  return Number(bytes) / 1_000_000;
}

const changed = 100;

const late = 'changed_chats';

/** As a pull writes chats with late ratings: deletes and reinserts them, and the bridges that repeat the rating. */
async function rateLate(engine: Store): Promise<void> {
  const other = "case rate when 'rated_good' then 'rated_bad' else 'rated_good' end as rate";
  await engine.transaction(async () => {
    await engine.exec(
      `create temp table ${late} as\nselect account, started_quarter, chat_id from facts.chats\n` +
        `where started_quarter > (select max(started_quarter) - 96 from facts.chats) order by started_second desc limit ${changed}`,
    );
    for (const table of ['chats', 'chat_agents', 'chat_groups', 'chat_tags']) {
      const hash = table === 'chats' ? ", md5(content_hash || 'late') as content_hash" : '';
      const rows = `facts.${table} semi join ${late} using (account, started_quarter, chat_id)`;
      await engine.exec(`create temp table fresh as select * replace (${other}${hash}) from ${rows}`);
      await engine.exec(
        `delete from facts.${table} as old using ${late} as mark where ${['account', 'started_quarter', 'chat_id'].map((key) => `old.${key} = mark.${key}`).join(' and ')}`,
      );
      await engine.exec(`insert into facts.${table} select * from fresh`);
      await engine.exec('drop table fresh');
    }
    const rows = await engine.query(`select account, started_quarter from ${late}`);
    await touch(
      engine,
      rows.map(({ account, started_quarter }) => ({
        account: String(account),
        started_quarter: Number(started_quarter),
      })),
    );
    await engine.exec(`drop table ${late}`);
  });
}

/** Older snapshots are packed in the same time. */
export async function publishChanged(path: string): Promise<Published> {
  const folder = openFolder(path);
  const engine = await openWarehouse(folder.warehouse, writerLimits);
  try {
    await rateLate(engine);
    const before = writtenMb();
    const newest = join(folder.published, newestName);
    const { ino } = statSync(newest);
    const began = performance.now();
    const soFar = (): { seconds: number; mb: number } => ({
      ...{ seconds: (performance.now() - began) / 1000, mb: writtenMb() - before },
    });
    let seen: ReturnType<typeof soFar> | undefined;
    const timer = setInterval(() => {
      if (statSync(newest).ino !== ino) seen ??= soFar();
    }, 10);
    await publish(engine, folder.published, Date.now()).finally(() => clearInterval(timer));
    const whole = soFar();
    const { seconds, mb } = seen ?? whole; // it ended before it was measured
    return { seconds, written_mb: mb, whole_seconds: whole.seconds, whole_mb: whole.mb };
  } finally {
    await engine.close();
  }
}
