// Removes expired audit rows according to CHATLEDGER_KEEP_AUDIT: checked hourly, due once a month.
import { setImmediate as turn } from 'node:timers/promises';
import { actingAs } from '#auth/actor.ts';
import type { Audit } from '#auth/audit.ts';
import { clock } from './clock.ts';
import type { Config } from './config.ts';
import { markAt } from './erased/due.ts';
import type { Folder } from './folder.ts';
import { schedule, type CronSchedule } from './schedule.ts';
import { objectionToClock } from './source-clock.ts';

/** `months` after the month of a row; null: for ever. How many rows went. Errors: those of the file. */
export async function keepAudit(audit: Audit, months: number | null, now: number): Promise<number> {
  if (months === null) return 0;
  let gone = 0;
  for (let went = -1; went !== 0; gone += went) {
    went = actingAs({ who: 'CHATLEDGER_KEEP_AUDIT', user: null, address: '' }, () =>
      audit.shorten(markAt(now, months)),
    );
    await turn();
  }
  return gone;
}

/** While the program runs. A clock that may be wrong lets nothing go. */
export function watchAudit(
  audit: Audit,
  { keep_audit }: Config,
  folder: Folder,
  say: (sentence: string) => void,
): CronSchedule {
  let objected = '';
  const look = async (): Promise<void> => {
    if (keep_audit === null) return;
    const isDue = audit.list({ to: markAt(clock(), keep_audit) }, 1).length > 0;
    const objection = isDue ? (objectionToClock(folder.published, clock(), '') ?? '') : '';
    // The first pull finds out the time of the source's clock.
    if (objection !== '' && objection !== objected) say(`rows of the audit wait: ${objection}`);
    objected = objection;
    if (objection !== '') return;
    const gone = await keepAudit(audit, keep_audit, clock());
    if (gone > 0) say(`audit: ${gone} rows were older than ${keep_audit} months and went`);
  };
  const looking = schedule('41 * * * *', () =>
    look().catch((error: unknown) => say(`rows of the audit that are too old are still there: ${String(error)}`)),
  );
  looking.now();
  return looking;
}
