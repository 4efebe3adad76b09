// Erasing a visitor as an operator sees it: nothing is left anywhere, no number is another, and nothing comes back.
import { DatabaseSync } from 'node:sqlite';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { results_folder } from '#digests/kept-results.ts';
import { openStore } from '#digests/store.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import type { Service } from '#service/service.ts';
import { openRawArchive, openWarehouse } from '#warehouse/store/open.ts';
import { openSnapshot, snapshots, storedFile } from '#warehouse/store/snapshot-store.ts';
import { data, expectNothingBack, factsOf, metricsOf, published, rows } from './read-folder.ts';
import { filledFolder, only, type Filled } from './filled.ts';
import { erase as eraseBy } from '../../src/server/commands/erase.ts';
import { putBackIn, putBackSentence } from '../../src/server/erase/put-back.ts';
import { isWhole, testInDrill } from '../chance.ts';
import { begin, copiedFolder, runToEnd, until, withFilesOf, type Ended } from './program.ts';
import { tracesIn } from './traces.ts';

let service: Service;
let command: Filled['command'];
let settings: Filled['settings'];
/** A pull, some snapshots of which older ones are packed, and a note about somebody. */
let filled: string;
let person: Person;
/** Every answer of `filled`. */
let before: Record<string, string>;
/** `filled` with files beside the program's own, after an erasure by address. */
let erased: ErasedByAddress;

interface Person {
  visitor: string;
  name: string;
  email: string;
  sentence: string;
  chats: number;
  chat: string;
}
const wordsOf = ({ visitor, name, email, sentence }: Person): string[] => [visitor, name, email, sentence];

/** Somebody with a name and an address that nobody else has, more than one chat, and a sentence of their own. */
async function somebody(folder: string): Promise<Person> {
  const [found] = await rows(
    folder,
    `with people as (
       select visitor_id, any_value(visitor_name) as name, count(*) as chats, min(chat_id) as chat
       from facts.chats where visitor_name like '% %' group by visitor_id),
     mails as (
       select c.visitor_id, any_value(s.answer) as email
       from facts.chat_surveys as s join facts.chats as c using (chat_id)
       where s.answer like '%@%' group by c.visitor_id),
     said as (
       select c.visitor_id, m.text
       from facts.messages as m join facts.chats as c using (chat_id)
       where m.user_type = 'visitor' and m.kind = 'message' and length(m.text) > 20
         and m.text in (select text from facts.messages group by text having count(*) = 1))
     select p.visitor_id as visitor, p.name, p.chats, p.chat, email, min(said.text) as sentence
     from people as p join mails using (visitor_id) join said using (visitor_id)
     where (select count(distinct visitor_id) from facts.chats where visitor_name = p.name) = 1
       and (select count(*) from facts.chat_surveys where answer = email) <= p.chats
     group by all order by p.chats desc, visitor limit 1`,
  );
  if (!found) throw new Error('nobody in the small world is told apart');
  return { ...(found as unknown as Person), chats: Number(found.chats) };
}

async function expectSameMetrics(folder: string): Promise<void> {
  const after = await metricsOf(folder);
  for (const [question, answer] of Object.entries(before))
    expect([question, after[question]]).toEqual([question, answer]);
}

interface ErasedByAddress extends Ended {
  folder: string;
  milliseconds: number;
  /** A file that was set aside, and a delivered digest. */
  aside: string;
  digest: string;
}

async function eraseByAddress(): Promise<ErasedByAddress> {
  const folder = copiedFolder(filled);
  const aside = join(data(folder), 'warehouse', 'chatledger.duckdb.damaged-20261118T000000Z');
  writeFileSync(aside, `something of ${person.name}`);
  writeFileSync(join(data(folder), 'copy.tar'), 'a copy that somebody made');
  const digest = join(data(folder), 'digests', 'month', '2026-10', 'me');
  mkdirSync(digest, { recursive: true });
  writeFileSync(join(digest, 'notes.csv'), `day,note\n2026-10-01,${person.email}\n`);
  writeFileSync(join(digest, 'numbers.csv'), 'day,chats\n2026-10-01,3\n');
  mkdirSync(join(data(folder), 'digests', results_folder));
  writeFileSync(join(data(folder), 'digests', results_folder, 'kept.json.gz'), gzipSync(person.email));
  // A larger account has one: the next publication would write into it.
  copyFileSync(
    join(published(folder), 'chatledger.duckdb'),
    join(published(folder), 'snapshots', '20261101-000000-000.duckdb.spare'),
  );
  const started = performance.now();
  const ended = await command(folder, 'erase', '--email', person.email.toUpperCase());
  return { ...ended, folder, milliseconds: performance.now() - started, aside, digest };
}

beforeAll(async () => {
  const pulled = await filledFolder();
  ({ service, settings, command } = pulled);
  filled = copiedFolder(pulled.folder);
  for (let count = 0; count < 2; count += 1) expect((await command(filled, 'snapshot')).code).toBe(0);
  person = await somebody(filled);
  const state = new DatabaseSync(join(data(filled), 'app.sqlite'));
  state.exec(`create table annotations (
    id text primary key, account text not null, day text not null, text text not null, user text not null,
    created_at text not null) strict`);
  state
    .prepare("insert into annotations values ('n', 'default', '2026-11-12', ?, 'local', '2026-11-12T00:00:00Z')")
    .run(`called back ${person.email} today`);
  const { queries } = userDataIn(state, { clock: () => 0, id: () => 'q' });
  const statement = `from facts.chats where visitor_email = '${person.email}'`;
  const chart = { kind: 'bar' as const, x: person.email, y: ['chats'], split: null };
  queries.add('local', { name: 'One', statement, parameters: { who: person.email }, chart, is_shared: true });
  const { ledger } = openStore(state, [], 0, () => 'key');
  const send = { digest: 'month', period: '2026-10', reader: 'me', channel: 'folder' };
  ledger.addAll([send], { due_at: 0, is_late: false }, 0);
  const run = { statement, parameters: { who: person.email } };
  ledger.made(send, { snapshot: 's', made: JSON.stringify({ queries: [{ id: 'q', run }] }), message_id: 'm' }, 0);
  state.close();
  before = await metricsOf(filled);
  erased = await eraseByAddress();
});
afterAll(() => service.close());

test('a visitor is told what would be erased, and nothing is changed by it', async () => {
  const kept = await snapshots(published(filled));
  expect(kept.map((id) => storedFile(published(filled), id)).filter((file) => file.endsWith('.json'))).toHaveLength(
    kept.length - 2,
  );
  const dry = await command(filled, 'erase', '--visitor', person.visitor, '--dry', '--json');
  expect(dry.code).toBe(0);
  expect(JSON.parse(dry.said)).toMatchObject({ notes: 4, counts: { chats: person.chats, snapshots: kept.length } });
  expect((await tracesIn(data(filled), wordsOf(person))).length).toBeGreaterThan(10);
});

test('nothing of a person is left, no metric of any snapshot is another, and neither a pull nor a rebuild brings anything back', async () => {
  const { said, complained, code } = erased;
  const kept = await snapshots(published(filled));
  // The files that were laid beside are not for others to read; nothing else is said.
  expect([code, complained.replace(/^chatledger: \S+ and \d+ more could be read by other users .*\n/, '')]).toEqual([
    0,
    '',
  ]);
  const [, cells, untouched, of] =
    /^proof: (\d+) numbers of .*; the other (\d+) of (\d+) are not touched$/m.exec(said) ?? [];
  expect([Number(untouched), Number(of)]).toEqual([0, kept.length]);
  expect(Number(cells)).toBeGreaterThan(1000);
  expect(said).not.toContain(person.visitor);
  expect(await tracesIn(data(erased.folder), wordsOf(person))).toEqual([]);
  await expectSameMetrics(erased.folder);
  expect(existsSync(join(data(erased.folder), 'erase'))).toBe(false);

  const folder = copiedFolder(erased.folder);
  const facts = await factsOf(folder);
  await expectNothingBack(folder, command, () => tracesIn(data(folder), wordsOf(person)));

  // Everything is lost but what says who was erased: the source tells it all once more.
  for (const name of ['warehouse', 'published']) rmSync(join(data(folder), name), { recursive: true });
  expect((await command(folder, 'pull', ...only)).code).toBe(0);
  expect(await tracesIn(data(folder), wordsOf(person))).toEqual([]);
  expect((await factsOf(folder))['facts.chats']).toEqual(facts['facts.chats']);
});

test('counts stay, the identity becomes a pseudonym that is the same in every snapshot, and texts keep their lengths', async () => {
  const { folder } = erased;
  const of = (column: string): string => `select ${column} from facts.chats where chat_id = '${person.chat}'`;
  const lengths = `select position, length(text) as length from facts.messages where chat_id = '${person.chat}' order by position`;
  const [said] = await rows(filled, of('message_count, duration_seconds, country, rate, queue_seconds'));
  expect(erased.code).toBe(0);
  expect(await rows(folder, lengths)).toEqual(await rows(filled, lengths));
  expect(await rows(folder, of('message_count, duration_seconds, country, rate, queue_seconds'))).toEqual([said]);
  const pseudonyms = new Set<unknown>();
  for (const id of await snapshots(published(folder))) {
    const engine = await openSnapshot(published(folder), id);
    const [chat] = await engine.query(of('visitor_id, visitor_name, city, start_url'));
    pseudonyms.add(chat?.visitor_id);
    expect(chat).toMatchObject({ visitor_name: 'erased visitor', city: null, start_url: null });
    await engine.close();
  }
  expect([...pseudonyms]).toEqual([expect.stringMatching(/^erased-[0-9a-f]{20}$/)]);
  const [texts] = await rows(
    folder,
    `select distinct regexp_replace(text, '·+', '') as text from facts.messages where chat_id = '${person.chat}'`,
  );
  expect(texts).toEqual({ text: '' });
});

// Without the drill of chance, only removing what grows too old is killed (`retain.test.ts`), which ends in the same way; `npm run drill:erase`
// kills at many moments.
test.each(isWhole ? (['pull', 'snapshot'] as const) : [])(
  'an erasure that is killed is ended by the next command that writes: %s',
  async (next) => {
    const folder = copiedFolder(filled);
    const killed = begin(['erase', '--visitor', person.visitor], settings(), folder);
    if (next === 'snapshot') await until(() => isPlacing(folder), 60, 'the files to be placed');
    else await pause(erased.milliseconds / 2);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const wasUnderWay = existsSync(join(data(folder), 'erase', 'job.json'));
    const words = {
      pull: ['pull', ...only],
      snapshot: ['snapshot'],
    };
    const { code, complained } = await command(folder, ...words[next]);
    expect([code, complained.replace(/chatledger: an erasure was cut off.*\n/, '')]).toEqual([0, '']);
    if (wasUnderWay) expect(complained).toContain('an erasure was cut off: it is ended now');
    if (!wasUnderWay) await command(folder, 'erase', '--visitor', person.visitor);
    expect(await tracesIn(data(folder), wordsOf(person))).toEqual([]);
    await expectSameMetrics(folder);
    expect(existsSync(join(data(folder), 'erase'))).toBe(false);
  },
);

const isPlacing = (folder: string): boolean => {
  const file = join(data(folder), 'erase', 'job.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes('"placing"');
};

/** The folder in which somebody was erased, with the data files of before. */
async function withOlderFiles(): Promise<string> {
  const folder = withFilesOf(filled, erased.folder);
  const engine = await openWarehouse(join(published(folder), 'chatledger.duckdb'), { readOnly: true });
  const found = await putBackIn({ path: data(folder) }, engine);
  await engine.close();
  expect(found.visitors).toContainEqual({ account: 'default', id: person.visitor });
  expect(putBackSentence(found)).toContain("who were erased ('npx chatledger erase --again')");
  expect((await tracesIn(data(folder), wordsOf(person))).length).toBeGreaterThan(10);
  return folder;
}

test('older data files that are put back say so', async () => {
  rmSync(await withOlderFiles(), { recursive: true });
});

// With the tests, what was erased stays erased after a pull and a rebuild.
testInDrill('older data files that are put back are erased again', async () => {
  const folder = await withOlderFiles();
  const { code, said } = await command(folder, 'erase', '--again', '--json');
  expect([code, said.includes(person.visitor)]).toEqual([0, false]);
  const { erasures } = JSON.parse(said) as { erasures: { proof: object }[] };
  expect(erasures.length).toBeGreaterThan(0);
  expect(erasures[0]?.proof).toMatchObject({ snapshots: (await snapshots(published(filled))).length, untouched: 0 });
  expect(await tracesIn(data(folder), wordsOf(person))).toEqual([]);
  await expectSameMetrics(folder);
  expect((await command(folder, 'erase', '--again')).said).toBe('nobody who was erased is there again\n');
});

test('files that were set aside go, and what is none of the program is named', () => {
  const { code, said, aside, digest } = erased;
  expect(code).toBe(0);
  expect(said).toContain('removed: digests/month/2026-10/me/notes.csv');
  expect(said).toMatch(/not erased: copy\.tar: .*backup/);
  expect(existsSync(aside)).toBe(false);
  expect(readdirSync(digest)).toEqual(['numbers.csv']);
});

test('results of saved queries that are kept for digests go, and what was run for one is dotted', () => {
  expect(existsSync(join(data(erased.folder), 'digests', results_folder))).toBe(false);
  const state = new DatabaseSync(join(data(erased.folder), 'app.sqlite'), { readOnly: true });
  const { found } =
    state.prepare("select made ->> '$.queries[0].run.statement' as found from digest_sends").get() ?? {};
  state.close();
  expect(found).toMatch(/^from facts\.chats where visitor_email = '·+'$/);
});

test('an account that is no longer in the settings is named like any other, for its people are stored all the same', async () => {
  const folder = copiedFolder(filled);
  const other = {
    id: 'other',
    base_url: service.url,
    login: 'owner@example.com',
    api_key_env: 'OTHER_KEY',
    timezone: 'UTC',
  };
  writeFileSync(join(folder, 'chatledger.json'), JSON.stringify({ accounts: [other] }));
  const run = (...words: string[]) =>
    runToEnd(['erase', '--visitor', person.visitor, ...words], { OTHER_KEY: 'x' }, folder);
  const found = await run('--account', 'default', '--dry', '--json');
  expect([found.code, found.complained]).toEqual([0, '']);
  expect(JSON.parse(found.said)).toMatchObject({ counts: { chats: person.chats } });
  const unknown = await run('--account', 'shop', '--dry');
  expect([unknown.code, unknown.complained]).toEqual([
    2,
    expect.stringMatching(/no account; choose from other, default/),
  ]);
  // The same for those who are back after an older copy was restored.
  const again = await runToEnd(['erase', '--again', '--dry', '--account', 'default'], { OTHER_KEY: 'x' }, folder);
  expect([again.code, again.said]).toEqual([0, '0 visitors who were erased are there again\n']);
});

describe('refusals leave everything as it is', () => {
  // Before anything is opened: in this process.
  test.each([
    [{}, /say whom: --visitor ID or --email ADDRESS/],
    [{ visitor: 'a', email: 'a@example.com' }, /one of the two/],
    [{ email: 'nobody' }, /not an e-mail address/],
    [{ visitor: ' ' }, /--visitor is empty/],
  ])('%j', async (options, sentence) => {
    const refused = { name: 'Stopped', code: 2, message: expect.stringMatching(sentence) as string };
    await expect(eraseBy(options)).rejects.toMatchObject(refused);
  });

  test.each([
    [['--visitor', 'nobody-at-all'], /nothing is known of the visitor nobody-at-all/],
    [['--email', 'nobody@example.com', '--account', 'default'], /nothing is known of the address/],
    [['--visitor', 'a', '--account', 'shop'], /no account; choose from default/],
  ])('%j', async (words, sentence) => {
    const { code, complained } = await command(filled, 'erase', ...words);
    expect(code).toBe(2);
    expect(complained).toMatch(sentence);
    expect(existsSync(join(data(filled), 'erase'))).toBe(false);
  });

  test('while a pull writes', async () => {
    const folder = copiedFolder(filled);
    const raw = await openRawArchive(join(data(folder), 'warehouse', 'archive.duckdb'));
    try {
      const { code, complained } = await command(folder, 'erase', '--visitor', person.visitor);
      expect(code).toBe(2);
      expect(complained).toMatch(/another process \(\d+\) is writing to .*archive\.duckdb: wait until it is done/);
    } finally {
      await raw.close();
    }
    expect((await tracesIn(data(folder), [person.visitor])).length).toBeGreaterThan(0);
    rmSync(folder, { recursive: true });
  });
});
