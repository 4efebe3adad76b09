// Erases a person in four steps: find, make, prove, place.
import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import type { Erasure, NotErased } from '#api/contract/erasures.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { writeChanged } from '#etl/raw/erase.ts';
import type { WarehouseAccount } from '#warehouse/query/context.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { leftDatabases } from '../database.ts';
import { exitCodes, Stopped } from '../errors.ts';
import type { Folder } from '../folder.ts';
import { withAppState } from '../user-data/database.ts';
import { erasuresIn } from './erasures.ts';
import { dataFiles, type DataFile } from './files.ts';
import { readJob, removeJob, writeJob, type ErasureJob, type WantedErasure } from './job.ts';
import { cleanNotes, foreignFiles, namesBelow, removeFiles } from './leftovers.ts';
import { make, type ErasureChange, type ErasureProgress } from './rewrite.ts';
import { findPerson, type Person } from './person.ts';
import { place } from './swap.ts';
import { tombstonesIn } from '../erased/tombstones.ts';
import { tracesOf, type Traces } from './traces.ts';
import { accountsKnown, within } from './archives.ts';

export interface Erasing {
  folder: Folder;
  accounts: readonly WarehouseAccount[];
  /** Disk space for kept snapshots, in bytes. */
  space: number;
  progress: ErasureProgress;
}

/** What would be erased. */
export interface Plan {
  person: Person;
  counts: Traces['counts'];
  /** Number of notes, saved views and boards that contain one of the person's ids or addresses. */
  notes: number;
  /** Paths in the data folder: delivered documents, and files that were set aside; they are removed. */
  documents: string[];
  unused: string[];
  not_erased: NotErased[];
}

/** Finds everything about a person without changing anything. Errors: Stopped when nobody is found. */
export const plan = (erasing: Erasing, wanted: WantedErasure): Promise<Plan> =>
  within(erasing.folder, async (state, raw) => {
    const { traces } = await find(erasing, state, raw, wanted);
    return planOf(erasing.folder, traces);
  });

const planOf = (folder: Folder, traces: Traces): Plan => ({
  ...{ person: traces.person, counts: traces.counts, notes: traces.notes.length },
  documents: namesBelow(folder, traces.documents),
  unused: namesBelow(folder, traces.unused),
  not_erased: notErased(folder, traces),
});

interface ErasureOrder {
  wanted: WantedErasure;
  /** Who requests it; by default the local user. */
  by?: string;
  /** Called with the plan before anything is erased. */
  show?: (plan: Plan) => void;
}

/** An interrupted erasure must be finished first. Errors: Stopped; nothing has been changed then. */
export async function erase(
  erasing: Erasing,
  { wanted, by = userInfo().username, show = () => undefined }: ErasureOrder,
): Promise<Erasure> {
  const { folder, accounts, space } = erasing;
  const job: ErasureJob = {
    ...{ id: randomUUID(), phase: 'making', begun_at: new Date(clock() * 1000).toISOString(), by, wanted, space },
    ...{ accounts: accounts.map(({ id, timezone, since }) => ({ id, timezone, since })), words: [], documents: [] },
  };
  return within(folder, async (state, raw, keepRaw) => {
    // The job is written only once the person is found, so that a typing error leaves nothing behind.
    const found = await find(erasing, state, raw, wanted);
    show(planOf(folder, found.traces));
    writeJob(folder, job);
    try {
      await makeAll(erasing, job, state, raw, found);
    } catch (error) {
      removeJob(folder);
      throw error;
    }
    keepRaw();
    return placeAll(folder, state, raw, job.id);
  });
}

/** Finishes an erasure that was interrupted by a kill. */
export async function endPerson(folder: Folder, job: ErasureJob, progress: ErasureProgress): Promise<Erasure> {
  const { accounts, space, wanted } = job;
  return within(folder, async (state, raw, keepRaw) => {
    if (job.phase === 'making') {
      const erasing = { folder, accounts, space, progress };
      try {
        await makeAll(erasing, job, state, raw, await find(erasing, state, raw, wanted));
      } catch (error) {
        if (error instanceof Stopped) removeJob(folder); // it would stop every pull from now on
        throw error;
      }
    }
    keepRaw();
    return placeAll(folder, state, raw, job.id);
  });
}

/** Finds the person and the files in use without changing anything. Errors: Stopped when nobody is found, or the account is unknown. */
export const findIn = <T>(
  { folder, accounts }: Pick<Erasing, 'folder' | 'accounts'>,
  wanted: WantedErasure,
  work: (warehouse: DataFile, raw: RawArchive, person: Person) => Promise<T>,
): Promise<T> =>
  within(folder, async (state, raw) => {
    const files = await dataFiles(folder);
    const [warehouse] = files;
    const person = await personIn(folder, accounts, files, raw, wanted, state);
    if (!warehouse) throw new Stopped(nobody(wanted));
    return work(warehouse, raw, person);
  });

/** Errors: Stopped when nobody is found, or the account is unknown. */
async function personIn(
  folder: Folder,
  accounts: readonly WarehouseAccount[],
  files: readonly DataFile[],
  raw: RawArchive,
  wanted: WantedErasure,
  state: DatabaseSync,
): Promise<Person> {
  const configured = accounts.map(({ id }) => id);
  const ids = await accountsKnown(configured, raw, wanted.account);
  const person = await findPerson(folder, files, raw, wanted, ids);
  if (person.chats.length > 0) return person;
  const stored = withAppState(folder.path, () => tombstonesIn(state));
  const { visitor, address = '' } = wanted;
  const wasErased = ids.some((account) =>
    visitor === undefined ? stored.isErased(account, address) : stored.pseudonymOf('visitor', account, visitor),
  );
  throw new Stopped(wasErased ? erasedBefore : nobody(wanted));
}

interface FoundTraces {
  files: DataFile[];
  traces: Traces;
}

async function find(
  { folder, accounts, progress }: Erasing,
  state: DatabaseSync,
  raw: RawArchive,
  wanted: WantedErasure,
): Promise<FoundTraces> {
  progress('looking for the person', 0, 1);
  const files = await dataFiles(folder);
  const person = await personIn(folder, accounts, files, raw, wanted, state);
  const stored = withAppState(folder.path, () => tombstonesIn(state));
  return { files, traces: await tracesOf(folder, files, raw, person, stored, state) };
}

const erasedBefore = 'nothing is known of this person any more: they were erased before';

const nobody = ({ visitor, address, account }: WantedErasure): string =>
  `nothing is known of ${visitor === undefined ? `the address ${address}` : `the visitor ${visitor}`}${account === undefined ? '' : ` in the account ${account}`}: ` +
  'look how the id is written on the page of one of their conversations, or in facts.chats.visitor_id';

/** Makes and proves all new files; from then on they will be placed. */
async function makeAll(
  { folder, progress }: Pick<Erasing, 'folder' | 'progress'>,
  job: ErasureJob,
  state: DatabaseSync,
  raw: RawArchive,
  { files, traces }: FoundTraces,
): Promise<void> {
  const made = await make(folder, job, files, raw, changeOf(traces), progress);
  const stored = tombstonesIn(state);
  const { visitor, address, account } = job.wanted;
  const of = account ?? traces.person.chats[0]?.account ?? '';
  const { snapshots_rewritten, parts_rewritten, proof } = made;
  const erasure: Erasure = {
    ...{ id: job.id, state: 'placing', begun_at: job.begun_at, ended_at: null, by: job.by, proof },
    person: visitor === undefined ? stored.hashOf('address', of, address ?? '') : stored.hashOf('visitor', of, visitor),
    counts: { ...traces.counts, snapshots_rewritten, parts_rewritten },
    not_erased: [...made.not_erased, ...notErased(folder, traces)],
  };
  const erasures = erasuresIn(state);
  stored.add(traces.tombstones, clock(), () => erasures.add(erasure));
  writeJob(folder, { ...job, phase: 'placing', words: traces.words, documents: traces.documents });
}

const changeOf = ({ archive, person, rewriting, touched, words }: Traces): ErasureChange => ({
  ...{ rewriting, touched, words, accounts: person.chats.map(({ account }) => account) },
  writeRaw: (raw, file) => writeChanged(raw.engine, file, archive),
});

async function placeAll(folder: Folder, state: DatabaseSync, raw: RawArchive, id: string): Promise<Erasure> {
  const job = readJob(folder);
  const erasures = erasuresIn(state);
  if (!job || !erasures.find(id)) {
    await raw.close();
    throw new Stopped(`the erasure ${id} cannot be ended: ask for it again`, exitCodes.failed);
  }
  withAppState(folder.path, () => cleanNotes(state, job.words));
  removeFiles(job.documents);
  await place(folder, raw, job);
  erasures.end(id, new Date(clock() * 1000).toISOString(), erasures.find(id)?.not_erased ?? []);
  removeJob(folder);
  state.exec('pragma wal_checkpoint(truncate)');
  const ended = erasures.find(id);
  if (!ended) throw new Error(`the erasure ${id} is not in the list any more`);
  return ended;
}

function notErased(folder: Folder, { sent, staying, person }: Traces): NotErased[] {
  return [
    ...sent.map(({ digest, period, reader, channel, sent_at }) => ({
      what: `digest ${digest} of ${period}, handed over to ${reader} by ${channel} at ${sent_at}`,
      reason: 'a note that named the person could be read in it, and it has left the program',
    })),
    ...staying,
    ...person.logins.map(() => ({
      what: 'an address of the person',
      reason: 'it is the login of an agent: where agents are meant it stays',
    })),
    ...leftDatabases(folder, readConfig().database).map((name) => ({
      what: `the database ${name}`,
      reason: 'what was published there before is not looked at: CHATLEDGER_WAREHOUSE does not name it any more',
    })),
    ...foreignFiles(folder).map((file) => ({
      what: namesBelow(folder, [file])[0] ?? '',
      reason: 'it is not a file of this program, and was not looked at: a backup, perhaps',
    })),
    {
      what: 'the account itself and backups elsewhere',
      reason: 'the source still has the conversations: erase them there too, and in copies of the data folder',
    },
  ];
}
