// Retention as an operator sees it: of old chats nothing is left that anybody wrote, no number is another, and nothing comes back.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '#service/service.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';
import { putBackIn, putBackSentence } from '../../src/server/erase/put-back.ts';
import { data, expectNothingBack, metricsOf, published, rows } from './read-folder.ts';
import { filledFolder, type Filled } from './filled.ts';
import {
  begin,
  beginNode,
  copiedFolder,
  runNode,
  runToEnd,
  until,
  withFilesOf,
  type Ended,
  type Running,
} from './program.ts';
import { refusalOf } from './refusal.ts';
import { dayBefore } from './still.ts';
import { tracesIn } from './traces.ts';
import { testInDrill } from '../chance.ts';

const program = join(import.meta.dirname, 'retaining.ts');
const [names_before, texts_before, later] = [dayBefore(4), dayBefore(2), dayBefore(1)];

let service: Service;
let command: Filled['command'];
let settings: Filled['settings'];
/** A pull, and some snapshots of which older ones are packed. */
let filled: string;
/** Texts, and names with addresses, that stand in chats of these days alone; of those that are kept names alone, for answers go as texts. */
let said: Record<'old' | 'between' | 'kept', string[]>;
let named: Record<'old' | 'kept', string[]>;
/** Every answer of `filled`. */
let before: Record<string, string>;
/** `filled` after both have gone, and what the program said. */
let retained: string;
let ended: Ended;

const retaining = (folder: string, texts: string, names: string): Promise<Ended> =>
  runNode([program, texts, names], settings(), folder);

async function wordsOf(sql: string): Promise<string[]> {
  const found = await rows(filled, sql);
  if (found.length < 3) throw new Error(`the small world has too few words: ${sql}`);
  return found.map(({ word }) => String(word));
}

/** Words that stand in chats which began within these days alone, and that JSON writes as they are. */
const only_within = (from: string, until: string): string =>
  `group by word
   having regexp_full_match(word, '[A-Za-z0-9 .,:;?!@/=&_-]+')
     and min(started_at) >= timestamptz '${from} 00:00:00Z' and max(started_at) < timestamptz '${until} 00:00:00Z'
   order by hash(word) limit 8`;
const texts = (from: string, until: string): Promise<string[]> =>
  wordsOf(
    `select text as word from facts.messages
     where length(text) > 20 and kind = 'message' ${only_within(from, until)}`,
  );
const names = (from: string, until: string): Promise<string[]> =>
  wordsOf(`select visitor_name as word from facts.chats where visitor_name like '% %' ${only_within(from, until)}`);
const people = (from: string, until: string): Promise<string[]> =>
  wordsOf(
    `select word from (
       select visitor_name as word, started_at from facts.chats where visitor_name like '% %'
       union all select answer, started_at from facts.chat_surveys where answer like '%@%'
       union all select start_url, started_at from facts.chats where length(start_url) > 25) as words
     ${only_within(from, until)}`,
  );

beforeAll(async () => {
  const pulled = await filledFolder();
  ({ service, settings, command } = pulled);
  filled = copiedFolder(pulled.folder);
  for (let count = 0; count < 2; count += 1) expect((await command(filled, 'snapshot')).code).toBe(0);
  said = {
    old: await texts('2000-01-01', texts_before),
    between: await texts(texts_before, later),
    kept: await texts(later, '2100-01-01'),
  };
  named = { old: await people('2000-01-01', names_before), kept: await names(names_before, '2100-01-01') };
  before = await metricsOf(filled, [[]]);
  retained = copiedFolder(filled);
  ended = await retaining(retained, texts_before, names_before);
});
afterAll(() => service.close());

async function expectSameMetrics(folder: string): Promise<void> {
  const after = await metricsOf(folder, [[]]);
  for (const [question, answer] of Object.entries(before))
    expect([question, after[question]]).toEqual([question, answer]);
}

test('what was written and who wrote is gone of old chats and there of newer ones, and no metric is another', async () => {
  expect([ended.code, ended.complained]).toEqual([0, '']);
  const { proof, counts } = JSON.parse(ended.said) as {
    proof: { snapshots: number; cells: number; untouched: number };
    counts: { records: number; pages: number; gone: Record<string, { months: Record<string, number> }> };
  };
  expect(proof).toMatchObject({ snapshots: (await snapshots(published(filled))).length, untouched: 0 });
  expect(proof.cells).toBeGreaterThan(1000);
  expect(counts.records).toBeGreaterThan(100);
  expect(counts.pages).toBeGreaterThan(5);
  expect(Object.keys(counts.gone)).toEqual(['texts', 'names']);
  expect(await tracesIn(data(retained), [...said.old, ...named.old])).toEqual([]);
  expect(existsSync(join(data(retained), 'erase'))).toBe(false);
  for (const word of [said.between[0], named.kept[0]]) {
    const places = await tracesIn(data(retained), [word ?? '']);
    expect(places).toEqual(expect.arrayContaining(['raw archive raw.chats.body']));
    expect(places.filter((place) => place.includes(' facts.')).length).toBeGreaterThan(3);
  }
  await expectSameMetrics(retained);
});

test('lengths, ids and places that are counted stay, in every snapshot', async () => {
  const lengths = 'select chat_id, position, length(text) as length from facts.messages order by all';
  const counted =
    'select chat_id, visitor_id, country, rate, queue_seconds, message_count from facts.chats order by all';
  for (const sql of [lengths, counted]) expect(await rows(retained, sql)).toEqual(await rows(filled, sql));
  for (const id of await snapshots(published(retained))) {
    const engine = await openSnapshot(published(retained), id);
    const [left] = await engine.query(
      `select
         count(*) filter (where started_at < timestamptz '${names_before} 00:00:00Z') as old,
         count(*) filter (where started_at < timestamptz '${names_before} 00:00:00Z' and visitor_name = 'erased visitor') as old_without,
         count(*) filter (where started_at >= timestamptz '${names_before} 00:00:00Z' and visitor_name = 'erased visitor') as new_without
       from facts.chats where visitor_name is not null`,
    );
    expect(Number(left?.old)).toBeGreaterThan(10);
    expect(left).toMatchObject({ old_without: left?.old, new_without: 0 });
    await engine.close();
  }
});

testInDrill('neither a pull nor a rebuild brings anything back, and a second time there is nothing to do', async () => {
  const folder = copiedFolder(retained);
  expect((await retaining(folder, texts_before, names_before)).said).toBe('null\n');
  await expectNothingBack(folder, command, () => tracesIn(data(folder), [...said.old, ...named.old]));
});

testInDrill('older data files that are put back say so, and lose it again', async () => {
  const folder = withFilesOf(filled, retained);
  const newest = async () => {
    const engine = await openWarehouse(join(published(folder), 'chatledger.duckdb'), { readOnly: true });
    return putBackIn({ path: data(folder) }, engine).finally(() => engine.close());
  };
  const found = await newest();
  expect(found).toEqual({ visitors: [], kept: ['texts', 'names'] });
  expect(putBackSentence(found)).toContain(
    "texts and names that were too old to be kept ('npx chatledger retain --again')",
  );
  expect((await command(folder, 'retain', '--again')).code).toBe(0);
  expect(await tracesIn(data(folder), [...said.old, ...named.old])).toEqual([]);
  expect(await newest()).toEqual({ visitors: [], kept: [] });
  await expectSameMetrics(folder);
});

// The next month: only what lies between the marks is new. Killed twice, before anything in use is touched and while it is.
testInDrill('one that is killed is ended by the next command that writes', async () => {
  const folder = copiedFolder(retained);
  const job = join(data(folder), 'erase', 'job.json');
  const killedWhile = async (phase: 'making' | 'placing', { child, ended: over }: Running): Promise<void> => {
    await until(() => existsSync(job) && readFileSync(job, 'utf8').includes(`"${phase}"`), 60, phase);
    child.kill('SIGKILL');
    await over;
  };
  await killedWhile('making', beginNode([program, later, names_before], settings(), folder));
  await killedWhile('placing', begin(['snapshot'], settings(), folder));
  const { code, complained } = await command(folder, 'snapshot');
  expect([code, complained.replace(/\(.*\)/, '()')]).toEqual([
    0,
    'chatledger: a retention was cut off: it is ended now ()\n',
  ]);
  expect(await tracesIn(data(folder), [...said.old, ...said.between, ...named.old])).toEqual([]);
  await expectSameMetrics(folder);
  expect((await retaining(folder, later, names_before)).said).toBe('null\n');
});

describe('the command', () => {
  test.each([
    [{ CHATLEDGER_KEEP_TEXTS: '0' }, /CHATLEDGER_KEEP_TEXTS=0 must be a whole number from 1 to 1200/],
    [{ CHATLEDGER_KEEP_NAMES: '1.5' }, /CHATLEDGER_KEEP_NAMES=1\.5 must be a whole number from 1 to 1200/],
    [{ CHATLEDGER_KEEP_TEXTS: 'never' }, /CHATLEDGER_KEEP_TEXTS=never must be a whole number/],
  ])('refuses %j, as every command does', (added, sentence) => {
    expect(refusalOf(filled, { ...settings(), ...added })).toEqual([2, expect.stringMatching(sentence)]);
  });

  test('refuses to begin where everything is kept for ever', async () => {
    const { code, complained } = await runToEnd(['retain'], settings(), filled);
    expect(code).toBe(2);
    expect(complained).toMatch(/kept for ever: set CHATLEDGER_KEEP_TEXTS or CHATLEDGER_KEEP_NAMES/);
  });

  test('moves the marks where nothing is so old, and says so; the doctor knows it', async () => {
    const folder = copiedFolder(filled);
    const kept = { ...settings(), CHATLEDGER_KEEP_TEXTS: '1200' };
    const dry = await runToEnd(['retain', '--dry'], kept, folder);
    expect([dry.code, dry.complained]).toEqual([0, '']);
    // The service of these tests stands still (still.ts).
    const far = /this machine's clock is \d+ days? ahead of that of the account default: set it and pull/;
    expect(dry.said).toMatch(new RegExp(`\nit would not go now: ${far.source}`));
    const refused = await runToEnd(['retain'], kept, folder);
    expect([refused.code, refused.said]).toEqual([1, '']);
    expect(refused.complained).toMatch(new RegExp(`nothing goes: ${far.source}`));
    expect((await runToEnd(['doctor'], kept, folder)).said).toMatch(far);
    expect(dry.said).toMatch(
      /this would go, nothing was changed:\n {2}texts of 0 chats that began before \d{4}-\d\d-01/,
    );
    const { code, said: told } = await runToEnd(['retain', '--trust-clock'], kept, folder);
    expect([code, told]).toEqual([0, expect.stringMatching(/^gone: texts of 0 chats that began before /)]);
    expect((await runToEnd(['retain'], kept, folder)).said).toMatch(/^nothing is due: texts are kept for 1200 months/);
    const { said: audit } = await runToEnd(['audit', 'list'], kept, folder);
    expect(audit).toContain('retention.applied');
    const { said: doctor } = await runToEnd(['doctor'], kept, folder);
    expect(doctor).toMatch(/ok {3} retention: texts are kept for 1200 months .* names are kept for ever/);
  });
});
