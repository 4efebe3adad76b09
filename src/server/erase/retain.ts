// Removes expired content in the same steps as an erasure: find, make, prove, place.
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import type { Proof, NotErased } from '#api/contract/erasures.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { leftDatabases } from '../database.ts';
import type { Marks } from '#etl/erased/old.ts';
import { isDue, type DueRetention } from '../erased/due.ts';
import { marksIn } from '../erased/marks.ts';
import { exitCodes, Stopped } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { withAppState } from '../user-data/database.ts';
import type { Erasing } from './erase.ts';
import { dataFiles } from './files.ts';
import { readJob, removeJob, writeJob, type ErasureJob } from './job.ts';
import { foreignFiles, namesBelow } from './leftovers.ts';
import { make, type ErasureProgress } from './rewrite.ts';
import { findOld, roomFor, type Old } from './old.ts';
import { place } from './swap.ts';
import { retentionsIn, type Retention } from './retentions.ts';
import { within } from './archives.ts';

/** What would go, and the room that it takes, in bytes. */
export interface OldPlan extends Pick<Old, 'marks' | 'counts' | 'set_aside' | 'snapshots'> {
  snapshots_rewritten: number;
  needed: number;
  free: number;
}

/** What is due, given the current marks. */
type DueBy = (marks: Marks) => DueRetention;

/** Nothing is due: undefined. Nothing is changed. */
export const planRetention = ({ folder }: Pick<Erasing, 'folder'>, dueBy: DueBy): Promise<OldPlan | undefined> =>
  within(folder, async (state, raw) => {
    const due = dueIn(folder, state, dueBy);
    if (!isDue(due)) return undefined;
    const files = await dataFiles(folder);
    const old = await findOld(folder, files, raw, due, marksIn(state).marks());
    const { marks, counts, set_aside, snapshots, change } = old;
    const room = await roomFor(folder, files, old);
    return { marks, counts, set_aside, snapshots, snapshots_rewritten: change?.touched.length ?? 0, ...room };
  });

/** An interrupted run must be finished first. Undefined if nothing is due. Errors: Stopped; nothing has been changed then. */
export async function retain(
  { folder, accounts, space, progress }: Erasing,
  dueBy: DueBy,
  by: string = userInfo().username,
): Promise<Retention | undefined> {
  return within(folder, async (state, raw, keepRaw) => {
    const due = dueIn(folder, state, dueBy);
    if (!isDue(due)) return undefined;
    const job: ErasureJob = {
      ...{ id: randomUUID(), phase: 'making', begun_at: instantNow(), by, wanted: {}, space, old: due },
      ...{ accounts: accounts.map(({ id, timezone, since }) => ({ id, timezone, since })), words: [], documents: [] },
    };
    progress('looking for what is too old', 0, 1);
    const files = await dataFiles(folder);
    const old = await findOld(folder, files, raw, due, marksIn(state).marks());
    if (!old.change) return nothingHeld(folder, state, job, old);
    writeJob(folder, job);
    try {
      await makeAll({ folder, progress, state, raw, job }, old);
    } catch (error) {
      removeJob(folder);
      throw error;
    }
    keepRaw();
    return placeAll(folder, state, raw, job.id);
  });
}

/** Ends one that a kill has cut off. */
export async function endRetention(
  folder: Folder,
  job: ErasureJob,
  due: DueRetention,
  progress: ErasureProgress,
): Promise<Retention> {
  return within(folder, async (state, raw, keepRaw) => {
    if (job.phase === 'making') {
      try {
        const old = await findOld(folder, await dataFiles(folder), raw, due, marksIn(state).marks());
        await makeAll({ folder, progress, state, raw, job }, old);
      } catch (error) {
        if (error instanceof Stopped) removeJob(folder); // it would stop every pull from now on
        throw error;
      }
    }
    keepRaw();
    return placeAll(folder, state, raw, job.id);
  });
}

const dueIn = (folder: Folder, state: DatabaseSync, dueBy: DueBy): DueRetention =>
  withAppState(folder.path, () => dueBy(marksIn(state).marks()));

const instantNow = (): string => new Date(clock() * 1000).toISOString();

/** Nothing stored is that old: only the marks move, so that late arrivals are not stored. */
function nothingHeld(folder: Folder, state: DatabaseSync, job: ErasureJob, old: Old): Retention {
  return withAppState(folder.path, () => {
    const retentions = retentionsIn(state);
    retentions.add(retentionOf(folder, job, old, { snapshots_rewritten: 0, parts_rewritten: 0, proof: noProof(old) }));
    retentions.end(job.id, instantNow());
    return ended(retentions.find(job.id));
  });
}

const noProof = ({ snapshots }: Old): Proof => ({
  ...{ snapshots, metrics: 0, questions: 0, cells: 0, untouched: snapshots },
});

interface Making {
  folder: Folder;
  progress: ErasureProgress;
  state: DatabaseSync;
  raw: RawArchive;
  job: ErasureJob;
}

/** Makes and proves all new files; from then on they will be placed. */
async function makeAll({ folder, progress, state, raw, job }: Making, old: Old): Promise<void> {
  if (!old.change) throw new Stopped('nothing that is kept is so old any more: ask for it again', exitCodes.failed);
  const made = await make(folder, job, await dataFiles(folder), raw, old.change, progress);
  retentionsIn(state).add(retentionOf(folder, job, old, made));
  writeJob(folder, { ...job, phase: 'placing' });
}

function retentionOf(
  folder: Folder,
  { id, begun_at, by }: ErasureJob,
  { marks, counts, set_aside, written }: Old,
  made: { snapshots_rewritten: number; parts_rewritten: number; proof: Proof },
): Retention {
  const { snapshots_rewritten, parts_rewritten, proof } = made;
  return {
    ...{ id, state: 'placing', begun_at, ended_at: null, by, marks, proof, remains: remainsOf(folder) },
    counts: { gone: counts, ...written, set_aside, snapshots_rewritten, parts_rewritten },
  };
}

async function placeAll(folder: Folder, state: DatabaseSync, raw: RawArchive, id: string): Promise<Retention> {
  const job = readJob(folder);
  const retentions = retentionsIn(state);
  if (!job || !retentions.find(id)) {
    await raw.close();
    throw new Stopped(`the retention ${id} cannot be ended: ask for it again`, exitCodes.failed);
  }
  await place(folder, raw, job);
  retentions.end(id, instantNow());
  removeJob(folder);
  return ended(retentions.find(id));
}

function ended(retention: Retention | undefined): Retention {
  if (!retention) throw new Error('a retention is not in the list any more');
  return retention;
}

/** Files and databases that nothing in here can change. */
const remainsOf = (folder: Folder): NotErased[] => [
  ...leftDatabases(folder, readConfig().database).map((name) => ({
    what: `the database ${name}`,
    reason: 'CHATLEDGER_WAREHOUSE does not name it any more',
  })),
  ...foreignFiles(folder).map((file) => ({
    what: namesBelow(folder, [file])[0] ?? '',
    reason: 'it is not a file of this program, and was not looked at: a backup, perhaps',
  })),
];
