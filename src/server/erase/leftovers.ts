// Files that are not in use and may hold a person, and what people wrote about one: found, and removed or changed.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { addressOf, replaceAddresses } from '#etl/erased/addresses.ts';
import { dotted } from '#etl/erased/dots.ts';
import { goneEnding } from '#warehouse/store/packed/catalogue.ts';
import { filesOfDead } from '../files.ts';
import type { Folder } from '../folder.ts';

/** Leftovers of damaged, replaced or interrupted files; none of them is read again. */
const unused = /\.(damaged|older|before|migrating|rebuild|part|spare|new|lines|tmp)\b/;

/** Whether the name of a file in the data folder says so. */
export const isLeftover = (name: string): boolean => unused.test(name) || name.endsWith(goneEnding);

/** Paths in the data folder to remove: files set aside, and leftovers of interrupted work and downloads. */
export function unusedFiles({ path }: Pick<Folder, 'path'>): string[] {
  const found: string[] = [];
  for (const name of ['warehouse', 'published', 'published/snapshots', 'published/parts'])
    for (const entry of namesIn(join(path, name))) if (isLeftover(entry)) found.push(join(path, name, entry));
  return [...found, ...filesOfDead(path)];
}

/** Files in the data folder that do not belong to this program, possibly copies. */
export const foreignFiles = ({ path }: Pick<Folder, 'path'>): string[] => [
  ...namesIn(path)
    .filter(
      (name) =>
        !/^(warehouse|published|service|digests|erase|files|((state|backups|settings)\.json|logo\.png)((\.\d+)?\.new)?|app\.sqlite(-wal|-shm)?|(start|pins)\.lock(-journal)?)$/.test(
          name,
        ),
    )
    .map((name) => join(path, name)),
  ...namesIn(join(path, 'warehouse'))
    .filter((name) => !unused.test(name))
    .filter((name) => !/^((chatledger|archive)\.duckdb(\.wal|\.unpublished)?|closed\.json)$/.test(name))
    .map((name) => join(path, 'warehouse', name)),
];

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** Notes, views, boards, saved queries, shared links and tokens of people with one of the words in them. */
export interface LeftoverText {
  table: 'annotations' | 'views' | 'boards' | 'saved_queries' | 'shares' | 'api_tokens';
  column: 'text' | 'name' | 'address' | 'title' | 'panels' | 'statement' | 'parameters' | 'chart';
  id: string;
  text: string;
  created_at: string;
}

const places = [
  ['annotations', 'text'],
  ['views', 'name'],
  ['views', 'address'],
  ['boards', 'title'],
  ['boards', 'panels'],
  ['saved_queries', 'name'],
  ['saved_queries', 'statement'],
  ['saved_queries', 'parameters'],
  ['saved_queries', 'chart'],
  ['shares', 'title'],
  ['api_tokens', 'name'],
] as const;

/** `words` in lower case. */
export function notesHolding(state: DatabaseSync, words: readonly string[]): LeftoverText[] {
  const hasColumn = (table: string, column: string): boolean =>
    state.prepare('select 1 from pragma_table_info(?) where name = ?').get(table, column) !== undefined;
  return places.flatMap(([table, column]) =>
    hasColumn(table, column)
      ? state
          .prepare(`select id, "${column}" as text, created_at from ${table}`)
          .all()
          .map(({ id, text, created_at }) => ({
            table,
            column,
            id: String(id),
            text: String(text),
            created_at: String(created_at),
          }))
          .filter(({ text }) => holds(text, words))
      : [],
  );
}

export const holds = (text: string, words: readonly string[]): boolean => {
  const small = text.toLowerCase();
  return words.some((word) => small.includes(word) || small.includes(encodeURIComponent(word).toLowerCase()));
};

/** Replaces the words with dots, then rewrites the file so that nothing deleted remains in it. */
export function cleanNotes(state: DatabaseSync, words: readonly string[]): void {
  for (const { table, column, id, text } of notesHolding(state, words))
    state.prepare(`update ${table} set "${column}" = ? where id = ?`).run(withoutWords(text, words), id);
  cleanSends(state, words);
  state.exec('pragma wal_checkpoint(truncate)');
  state.exec('vacuum');
  state.exec('pragma wal_checkpoint(truncate)');
}

/** Boards and statements that digests were sent with, and their values. */
function cleanSends(state: DatabaseSync, words: readonly string[]): void {
  const isThere = state.prepare("select 1 from sqlite_master where type = 'table' and name = 'digest_sends'").get();
  if (!isThere) return;
  for (const part of ['$.queries', '$.boards']) {
    const sends = state.prepare(
      'select rowid as id, made ->> ? as said from digest_sends where made ->> ? is not null',
    );
    const change = state.prepare('update digest_sends set made = json_set(made, ?, json(?)) where rowid = ?');
    for (const { id, said } of sends.all(part, part))
      if (holds(String(said), words)) change.run(part, withoutWords(String(said), words), Number(id));
  }
}

function withoutWords(text: string, words: readonly string[]): string {
  let left = replaceAddresses(text, (address) => (words.includes(addressOf(address)) ? dotted(address) : address));
  for (const word of words)
    for (const written of [word, encodeURIComponent(word)])
      left = left.replaceAll(new RegExp(RegExp.escape(written), 'gi'), (found) => dotted(found));
  return left;
}

/** Delivered documents below `digests/` with one of the words in them, as text or packed in a zip. */
export function documentsHolding({ path }: Pick<Folder, 'path'>, words: readonly string[]): string[] {
  const root = join(path, 'digests');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((file) => statSync(file).isFile() && textsIn(readFileSync(file)).some((text) => holds(text, words)))
    .sort();
}

const zipHeader = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/** The file's texts, including compressed ones. */
function textsIn(bytes: Buffer): string[] {
  const texts = [bytes.toString('utf8')];
  for (let at = bytes.indexOf(zipHeader); at !== -1; at = bytes.indexOf(zipHeader, at + 4)) {
    const method = bytes.readUInt16LE(at + 8);
    const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    if (method === 8) texts.push(inflated(bytes.subarray(from)));
  }
  return texts;
}

function inflated(bytes: Buffer): string {
  try {
    return inflateRawSync(bytes).toString('utf8');
  } catch {
    return ''; // four bytes that only look like the head of an entry
  }
}

/** A document sent while a note named the person: it may contain the note. */
export interface SentDocument {
  digest: string;
  period: string;
  reader: string;
  channel: string;
  sent_at: string;
}

/** Documents that went out since the oldest of those notes on days was written. */
export function sentWith(state: DatabaseSync, notes: readonly LeftoverText[]): SentDocument[] {
  const since = notes
    .filter(({ table }) => table === 'annotations')
    .map(({ created_at }) => created_at)
    .sort()[0];
  if (since === undefined) return [];
  const isThere = state.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
  const kept = { digest_sends: "state in ('sent', 'unknown')", digest_sent_early: 'true' };
  return Object.entries(kept)
    .filter(([table]) => isThere.get(table) !== undefined)
    .flatMap(([table, wentOut]) =>
      state
        .prepare(`select digest, period, reader, channel, sent_at from ${table} where ${wentOut} and sent_at >= ?`)
        .all(Math.floor(Date.parse(since) / 1000)),
    )
    .map((row) => ({
      ...(row as unknown as SentDocument),
      sent_at: new Date(Number(row['sent_at']) * 1000).toISOString(),
    }));
}

/** Removes files; missing ones are ignored. */
export function removeFiles(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true, recursive: true });
}

export const namesBelow = ({ path }: Pick<Folder, 'path'>, files: readonly string[]): string[] =>
  files.map((file) => relative(path, file));
