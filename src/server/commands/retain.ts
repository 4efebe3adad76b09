// `chatledger retain`: removes the texts and names of chats older than the settings allow, and proves that no figure changed.
import { retainedKinds, type Marks } from '#etl/erased/old.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { endOnSignal } from '../shutdown.ts';
import { endErasure } from '../erase/finish.ts';
import type { Erasing } from '../erase/erase.ts';
import { sentenceOf } from '../erase/resume.ts';
import { planRetention, retain as retainNow, type OldPlan } from '../erase/retain.ts';
import { sentencesOf, type Retention } from '../erase/retentions.ts';
import { dueAgain, dueBy, isDue, type DueRetention, type Keep } from '../erased/due.ts';
import { marksOf } from '../erased/erased-in.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { endStopped, endWithParent, tell } from '../ipc.ts';
import { keepSentence } from '../retention-status.ts';
import { objectionToClock } from '../source-clock.ts';
import { out, outJson } from '../terminal.ts';
import { erasingOf } from './erase.ts';

interface RetainOptions {
  dry?: boolean;
  /** Proceed even if no source confirms this machine's clock. */
  trustClock?: boolean;
  /** Repeat past removals. */
  again?: boolean;
  json?: boolean;
}

export async function retain({ dry, trustClock, again, json = false }: RetainOptions): Promise<void> {
  endWithParent();
  const { keep } = readConfig();
  const isChild = process.send !== undefined;
  if (!isChild && !again && retainedKinds.every((kept) => keep[kept] === null))
    throw new Stopped('texts and names are kept for ever: set CHATLEDGER_KEEP_TEXTS or CHATLEDGER_KEEP_NAMES');
  const due = (marks: Marks): DueRetention => (again ? dueAgain(marks) : dueBy(keep, marks, clock()));
  endOnSignal();
  const standard = erasingOf('retain');
  const progress: Erasing['progress'] = (what, done, total) => tell({ kind: 'erasing', what, done, total });
  const erasing = isChild ? { ...standard, progress } : standard;
  try {
    const ended = await endErasure(erasing.folder, erasing.progress);
    if (ended && !json) out(sentenceOf(ended));
    const objection = trustClock || again ? undefined : objectionToClock(erasing.folder.published, clock());
    if (dry) {
      const plan = await planRetention(erasing, due);
      if (json) return outJson(plan ?? { due: false });
      out(...linesOfPlan(plan, keep, marksOf(erasing.folder)));
      return plan && objection ? out(`it would not go now: ${objection}`) : undefined;
    }
    if (objection && isDue(due(marksOf(erasing.folder))))
      throw new Stopped(`nothing goes: ${objection}`, exitCodes.failed);
    const retention = await retainNow(erasing, due, isChild ? 'the schedule' : undefined);
    if (json) outJson(retention ?? { due: false });
    else out(...(retention ? linesOf(retention) : linesOfPlan(undefined, keep, marksOf(erasing.folder))));
    if (retention) tell({ kind: 'retained', sentence: linesOf(retention).join('; ') });
  } catch (error) {
    const stopped = error instanceof Stopped ? error : stoppedByFile(error, erasing.folder.path);
    if (!stopped) throw error;
    endStopped(stopped);
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

function linesOfPlan(plan: OldPlan | undefined, keep: Keep, marks: Marks): string[] {
  if (!plan) return [`nothing is due: ${keepSentence(keep, marks)}`];
  const { counts, set_aside, snapshots_rewritten, snapshots, needed, free } = plan;
  return [
    'this would go, nothing was changed:',
    ...sentencesOf({ gone: counts }).map((sentence) => `  ${sentence}`),
    ...retainedKinds.flatMap((kept) => {
      const months = Object.entries(counts[kept]?.months ?? {});
      return months.length === 0 ? [] : [`  ${kept} by month: ${months.map((of) => of.join(' ')).join(', ')}`];
    }),
    `  ${set_aside} records set aside; ${snapshots_rewritten} of ${snapshots} kept snapshots are written anew`,
    `  it takes up to ${megabytes(needed)} beside what is there; ${megabytes(free)} are free`,
  ];
}

function linesOf({ id, counts, proof, remains }: Retention): string[] {
  const sentences = sentencesOf(counts);
  const { records, pages, unreadable, set_aside, snapshots_rewritten, parts_rewritten } = counts;
  const isMoved = proof.cells === 0 && records === 0;
  return [
    ...(sentences.length > 0 ? sentences.map((sentence) => `gone: ${sentence}`) : ['nothing that is kept is so old']),
    ...(isMoved
      ? []
      : [
          `raw archive: ${records} versions of chats, ${pages} pages, ${unreadable} answers that could not be read; ${set_aside} records set aside`,
          `${snapshots_rewritten} snapshots and ${parts_rewritten} parts are written anew; ${proof.cells} numbers of ${proof.metrics} metrics are the same before and after`,
        ]),
    ...remains.map(({ what, reason }) => `not looked at: ${what}: ${reason}`),
    `retention ${id} is in the audit; nothing of it comes back with a pull or a rebuild`,
  ];
}
