// Finds and counts a person's traces, and describes the changes that erase them.
import type { DatabaseSync } from 'node:sqlite';
import type { Counts, NotErased } from '#api/contract/erasures.ts';
import { changesIn, type ArchiveChanges } from '#etl/raw/erase.ts';
import type { RawArchive } from '#etl/raw/archive.ts';
import { addressOf, replaceAddresses } from '#etl/erased/addresses.ts';
import { dot, dotted, erasedName } from '#etl/erased/dots.ts';
import { erasedBy, pseudonymPrefix, type ErasureFilter, type Tombstones } from '#etl/erased/erased.ts';
import { hashOf } from '#etl/raw/pages.ts';
import { chatsOf, rowsOf, setAsideWith, textsHolding, type SetAside } from '#warehouse/erase/traces.ts';
import type { Rewriting } from '#warehouse/erase/rewriting.ts';
import type { Folder } from '../folder.ts';
import { reading, type DataFile } from './files.ts';
import {
  documentsHolding,
  notesHolding,
  sentWith,
  unusedFiles,
  type LeftoverText,
  type SentDocument,
} from './leftovers.ts';
import type { Person } from './person.ts';
import { stayingIn } from './staying.ts';
import type { StoredTombstones, Tombstone } from '../erased/tombstones.ts';

export interface Traces {
  person: Person;
  rewriting: Rewriting;
  archive: ArchiveChanges;
  tombstones: Tombstone[];
  /** Kept snapshots that contain something to change. */
  touched: DataFile[];
  counts: Counts;
  /** Ids and addresses, in lower case. */
  words: string[];
  notes: LeftoverText[];
  documents: string[];
  sent: SentDocument[];
  staying: NotErased[];
  unused: string[];
}

/** Ids shorter than this are found in texts that do not mean them. */
const least_word = 6;

export async function tracesOf(
  folder: Folder,
  files: readonly DataFile[],
  raw: RawArchive,
  person: Person,
  stored: StoredTombstones,
  state: DatabaseSync,
): Promise<Traces> {
  const tombstones = tombstonesOf(person, stored);
  const erased = erasedBy(withNew(stored, tombstones));
  const ids = person.visitors.map(({ id }) => id);
  const words = [...ids.filter((id) => id.length >= least_word).map((id) => id.toLowerCase()), ...person.addresses];
  const archive = await changesIn(raw.engine, erased, person.chats, [...ids, ...person.addresses]);
  const { hashes, texts, touched, rows, setAside, mentions } = await inFiles(
    folder,
    files,
    person,
    erased,
    tombstones,
    archive,
  );
  const notes = notesHolding(state, words);
  return {
    ...{ person, archive, tombstones, touched, words, notes },
    rewriting: {
      losses: [{ of: { chats: person.chats }, tells: new Set(['texts', 'names']) }],
      ...{ name: erasedName, dot, changed: null, hashes, days: archive.days, texts },
      visitors: tombstones.filter(({ kind }) => kind === 'visitor'),
    },
    counts: {
      ...{ visitors: person.visitors.length, chats: person.chats.length, rows: Object.fromEntries(rows) },
      raw_records: archive.records.length,
      raw_pages: [...archive.bodies.values()].filter(({ form }) => form === 'page').length,
      raw_unreadable: [...archive.bodies.values()].filter(({ form }) => form !== 'page').length,
      ...{ set_aside: setAside, mentions, snapshots: files.filter(({ snapshot }) => snapshot !== null).length },
      ...{ snapshots_rewritten: touched.length, parts_rewritten: 0 },
    },
    documents: documentsHolding(folder, words),
    sent: sentWith(state, notes),
    staying: stayingIn(state, words),
    unused: unusedFiles(folder),
  };
}

/** People who were erased before keep their pseudonyms. */
function tombstonesOf({ visitors, chats, addresses }: Person, stored: StoredTombstones): Tombstone[] {
  const pseudonyms = new Map(
    visitors.map(({ account, id }) => {
      const before = id.startsWith(pseudonymPrefix) ? id : stored.pseudonymOf('visitor', account, id);
      return [JSON.stringify([account, id]), before ?? stored.newPseudonym()] as const;
    }),
  );
  const [everywhere = stored.newPseudonym()] = pseudonyms.values();
  const accounts = [...new Set(chats.map(({ account }) => account))];
  return [
    ...visitors.map(({ account, id }): Tombstone => {
      return { kind: 'visitor', account, id, pseudonym: pseudonyms.get(JSON.stringify([account, id])) ?? everywhere };
    }),
    ...chats.map(({ account, id }): Tombstone => ({ kind: 'chat', account, id, pseudonym: everywhere })),
    ...accounts.flatMap((account) =>
      addresses.map((id): Tombstone => ({ kind: 'address', account, id, pseudonym: everywhere })),
    ),
  ];
}

/** The tombstones that there will be. */
function withNew(stored: StoredTombstones, added: readonly Tombstone[]): Tombstones {
  const nameOf = (kind: string, account: string, id: string): string => JSON.stringify([kind, account, id]);
  const fresh = new Map(added.map(({ kind, account, id, pseudonym }) => [nameOf(kind, account, id), pseudonym]));
  return {
    isEmpty: stored.isEmpty && fresh.size === 0,
    pseudonymOf: (kind, account, id) => stored.pseudonymOf(kind, account, id) ?? fresh.get(nameOf(kind, account, id)),
    isErased: (account, address) => stored.isErased(account, address) || fresh.has(nameOf('address', account, address)),
    pseudonymFor: (account, visitor) => stored.pseudonymFor(account, visitor),
  };
}

interface InFiles {
  hashes: Map<string, string>;
  texts: Map<string, string>;
  touched: DataFile[];
  rows: Map<string, number>;
  setAside: number;
  mentions: number;
}

async function inFiles(
  folder: Folder,
  files: readonly DataFile[],
  person: Person,
  erased: ErasureFilter,
  tombstones: readonly Tombstone[],
  archive: ArchiveChanges,
): Promise<InFiles> {
  const { chats, addresses } = person;
  const found: InFiles = {
    ...{ hashes: new Map(archive.contents), texts: new Map(), touched: [], rows: new Map(), setAside: 0, mentions: 0 },
  };
  const words = [...person.visitors.map(({ id }) => id.toLowerCase()), ...addresses];
  const changed = new Set(archive.contents.keys());
  for (const file of files)
    await reading(folder, file, async (engine) => {
      const own = await chatsOf(engine, { visitors: [], chats });
      // A version that the raw archive does not have any more: what names it must say nothing of it either.
      for (const { content_hash } of own)
        if (content_hash !== null && !archive.staying.has(content_hash) && !found.hashes.has(content_hash))
          found.hashes.set(content_hash, hashOf(`${tombstones[0]?.pseudonym} ${content_hash}`));
      const texts = await textsHolding(engine, addresses, chats);
      for (const text of texts) {
        const left = withoutAddresses(text, addresses);
        if (left !== text) found.texts.set(text, left);
      }
      const setAside = await setAsideWith(engine, chats, words);
      for (const each of setAside) found.texts.set(each.body, setAsideWithout(erased, each));
      const isTouched =
        own.length + setAside.length > 0 || texts.some((text) => found.texts.has(text)) || changed.size > 0;
      if (file.snapshot !== null && isTouched) found.touched.push(file);
      if (file.snapshot === null) {
        found.rows = await rowsOf(engine, chats);
        found.setAside = setAside.length;
      }
    });
  found.mentions = [...found.texts.keys()].length - found.setAside;
  return found;
}

const withoutAddresses = (text: string, addresses: readonly string[]): string =>
  replaceAddresses(text, (address) => (addresses.includes(addressOf(address)) ? dotted(address) : address));

/** A record that was truncated for its length cannot be parsed. */
function setAsideWithout(erased: ErasureFilter, { account, body }: SetAside): string {
  try {
    return JSON.stringify(erased.record(account, JSON.parse(body), ''));
  } catch {
    return erased.text(account, body, '');
  }
}
