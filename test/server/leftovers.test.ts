// What an erasure removes, changes, leaves to those who know it, or cannot speak for: files of the data folder, and what people wrote.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore } from '#digests/store.ts';
import { cleanNotes, foreignFiles, notesHolding, unusedFiles } from '../../src/server/erase/leftovers.ts';
import { stayingIn } from '../../src/server/erase/staying.ts';
import { holdPinsLock, holdStartLock } from '../../src/server/system-locks.ts';
import { newFolder } from './program.ts';

test('every file of the program is known as one, downloads of processes that are gone are removed, and others are named', () => {
  const path = newFolder();
  const gone = '4194305'; // more than the system counts to
  const own = [
    'state.json',
    'state.json.37.new',
    'settings.json',
    'backups.json',
    'logo.png',
    'app.sqlite',
    'app.sqlite-wal',
    'start.lock',
    'pins.lock',
  ];
  for (const name of ['warehouse', 'published', 'service', 'digests', 'erase', `files/${gone}`, `files/${process.pid}`])
    mkdirSync(join(path, name), { recursive: true });
  for (const name of [
    ...own,
    `files/${gone}/chats.csv`,
    `files/${process.pid}/chats.csv`,
    'copy of settings.json',
    'old.tar',
  ])
    writeFileSync(join(path, name), '');
  expect(foreignFiles({ path }).map((file) => relative(path, file))).toEqual(['copy of settings.json', 'old.tar']);
  expect(unusedFiles({ path }).map((file) => relative(path, file))).toEqual([`files/${gone}`]);
});

test('what a running program holds in the folder is no copy of anything', async () => {
  const path = newFolder();
  const letGo = [holdStartLock(path), await holdPinsLock(path)];
  expect(foreignFiles({ path })).toEqual([]);
  for (const each of letGo) each();
});

test('shared links, tokens and boards of sends are dotted; what went out with rows, or has to stay as it is, is named', () => {
  const state = new DatabaseSync(':memory:');
  state.exec(`create table shares (id text, title text, created_at text);
    create table api_tokens (id text, name text, created_at text);
    create table users (email text);
    create table audit (who text, about text);
    insert into shares values ('s', 'for Ann@x.test', ''), ('t', 'for all', '');
    insert into api_tokens values ('a', 'export of ann@x.test', '');
    insert into users values ('ann@x.test'), ('bob@x.test');
    insert into audit values ('bob@x.test', 'for Ann@x.test of bob@x.test'), ('bob@x.test', 'erasure')`);
  const { ledger } = openStore(state, [], 0, () => 'key');
  const sends = ['2026-W40', '2026-W41'].map((period) => ({ digest: 'week', period, reader: 'me', channel: 'mail' }));
  ledger.addAll(sends, { due_at: 0, is_late: false }, 0);
  const made = { digest: { title: 'Week' }, boards: [{ title: 'Board of ann@x.test' }], queries: [{ id: 'q' }] };
  for (const send of sends) ledger.made(send, { snapshot: 's', made: JSON.stringify(made), message_id: 'm' }, 0);
  state.exec("update digest_sends set state = 'sent', sent_at = substr(period, 7)");
  state
    .prepare('insert into digests (id, body, handled_until) values (?, ?, 0)')
    .run('d', '{"title": "of ann@x.test"}');
  const words = ['ann@x.test'];
  expect(notesHolding(state, words).map(({ id }) => id)).toEqual(['s', 'a']);
  cleanNotes(state, words);
  expect(notesHolding(state, words)).toEqual([]);
  expect(state.prepare("select distinct made ->> '$.boards[0].title' as title from digest_sends").all()).toEqual([
    { title: 'Board of ··········' },
  ]);
  expect(stayingIn(state, words).map(({ what }) => what)).toEqual([
    'digest week of 2026-W40 to 2026-W41, handed over to me by mail',
    'the digest d',
    'an address of the person',
    '1 row of the audit',
  ]);
  state.close();
});
