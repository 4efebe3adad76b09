// Redaction as an operator sees it: what the rules find is in the raw archive and nowhere else, no number is another, and whatever
// makes the warehouse again makes the same of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type Service } from '#service/service.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { contextWhenPublished } from '#warehouse/query/context.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { run } from '#warehouse/query/run.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { instantOf, openSnapshot, snapshots } from '#warehouse/store/snapshot-store.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { startPlanting, type Planting } from './planted.ts';
import { partOf, testInDrill } from '../chance.ts';
import { copiedFolder, newFolder, runToEnd, type Ended } from './program.ts';
import { refusalOf } from './refusal.ts';
import { dayBefore, stillAt } from './still.ts';
import { tracesIn } from './traces.ts';

const card = '4539 1488 0343 6467';
const iban = 'DE89 3704 0044 0532 0130 00';
const email = 'planted.person@leak.example';
const number = 'K-987654';
const secrets = [card, iban, email, number];
/** How they look in an address. */
const traces = [...secrets, ...secrets.map(encodeURIComponent)];

let service: Service;
let planting: Planting;
let token: string;
/** A pull without rules, and one under all of them. */
let plain: string;
let redacted: string;
const key = 'ef'.repeat(16);
/** Of the account. Of two days with few chats, as at a weekend, rules find little. */
const first_day = dayBefore(2);
const account = (): Record<string, string> => ({
  CHATLEDGER_BASE_URL: planting.url,
  CHATLEDGER_LOGIN: 'owner@example.com',
  CHATLEDGER_API_KEY: key,
  CHATLEDGER_REQUESTS_PER_SECOND: '1000',
  CHATLEDGER_SINCE: first_day,
});
const threads = (source: 'agent_v3' | 'both'): Record<string, string> => ({
  ...account(),
  CHATLEDGER_TOKEN: token,
  CHATLEDGER_ARCHIVE_SOURCE: source,
});
const patterns = '# ours\ncustomer number: K-[0-9]{6}\n';
const rules = { CHATLEDGER_REDACT: 'cards,emails,ibans', CHATLEDGER_REDACT_FILE: 'patterns.txt' };
const command = (folder: string, settings: Record<string, string>, ...words: string[]): Promise<Ended> =>
  runToEnd(words, { ...account(), ...settings }, folder);
const data = (folder: string): string => join(folder, 'data');
const only = ['--only', 'archive,total_chats'];

function folderWithPatterns(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'patterns.txt'), patterns);
  return folder;
}

async function done(ended: Promise<Ended>): Promise<string> {
  const { code, said, complained } = await ended;
  expect([code, complained.replace(/^chatledger: archive .* set aside .*\n/, '')]).toEqual([0, '']);
  for (const secret of secrets) expect(complained).not.toContain(secret);
  return said;
}

const opened = (folder: string): Promise<Store> =>
  openWarehouse(join(data(folder), 'warehouse', 'chatledger.duckdb'), { readOnly: true });

async function rows(folder: string, sql: string): Promise<Row[]> {
  const engine = await opened(folder);
  return engine.query(sql).finally(() => engine.close());
}

/** Everything but what pulls cost. */
async function factsOf(folder: string, without: readonly string[] = []): Promise<Record<string, Row[]>> {
  const content: Record<string, Row[]> = {};
  const engine = await opened(folder);
  for (const { schema, name, columns } of tables.filter(
    (table) => table.schema !== 'ledger' || ['periods', 'quarantine', 'source_differences'].includes(table.name),
  )) {
    const costs = [
      'attempts',
      'failures',
      'bytes',
      'milliseconds',
      'pulled_at',
      'asked_at',
      'pull_id',
      'first_pulled_at',
    ];
    const times = ['changed_at', 'seen_at', 'rows_new', 'rows_changed', 'rows_unchanged'];
    const left = [...costs, ...times, ...without];
    const kept = Object.keys(columns).filter((column) => !left.includes(column) && !left.includes(`${name}.${column}`));
    const listed = kept.map((column) => `"${column}"`).join(', ');
    content[`${schema}.${name}`] = await engine.query(`select ${listed} from ${schema}.${name} order by all`);
  }
  await engine.close();
  return content;
}

/** Answers to every metric by day in the newest snapshot. */
async function metricsOf(folder: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const published = join(data(folder), 'published');
  const id = (await snapshots(published)).at(-1) ?? '';
  const engine = await openSnapshot(published, id);
  const of = { id: 'default', timezone: 'UTC', since: first_day };
  const context = await contextWhenPublished(localReader, { id, published_at: instantOf(id), engine }, of);
  const asked = metrics.filter(({ archived }) => !archived?.businessHours);
  for (const [place, { id: metric, splits }] of asked.entries())
    // Every metric by one of these, by turns; with the drill by all.
    for (const split of partOf([[], ['group'], ['country']], 3, place).filter((each) =>
      each.every((one) => splits.some((of) => of === one)),
    )) {
      const { rows } = await run(metric, { from: first_day, to: dayBefore(0), split }, context);
      answers[`${metric} ${split.join()}`] = JSON.stringify(rows);
    }
  await engine.close();
  return answers;
}

/** Table by table, so that a difference is shown. */
function expectSame(found: Record<string, Row[]>, expected: Record<string, Row[]>): void {
  for (const [table, rows] of Object.entries(expected))
    expect([table, ...(found[table] ?? []).map((row) => JSON.stringify(row))]).toEqual([
      table,
      ...rows.map((row) => JSON.stringify(row)),
    ]);
}

const placesOutsideRaw = async (folder: string): Promise<string[]> =>
  (await tracesIn(data(folder), traces)).filter(
    (place) => !/^(raw archive raw\.|warehouse.archive\.duckdb)/.test(place),
  );

beforeAll(async () => {
  const file = join(newFolder(), 's.sqlite');
  service = await startService({
    file,
    days: 3,
    port: 0,
    apiKey: key,
    clock: () => stillAt,
    world: thirdOfSmallWorld,
  });
  const store = openStore(file);
  token = mintToken(store, { agent: 'owner@example.com', scopes: 'all' });
  store.close();
  planting = await startPlanting(service.url, secrets);
  [plain, redacted] = [folderWithPatterns(), folderWithPatterns()];
  await done(command(plain, {}, 'pull', ...only));
  await done(command(redacted, rules, 'pull', ...only));
});
afterAll(async () => {
  await planting.close();
  await service.close();
});

test('what rules find is in the raw archive and nowhere else, and a rebuild gives the same rows', async () => {
  const before = await placesOutsideRaw(plain);
  for (const place of [
    'facts.messages.text',
    'facts.chats.visitor_name',
    'facts.chats.start_url',
    'facts.chats.referrer',
  ])
    expect(before).toContain(`newest ${place}`);
  for (const place of ['facts.chat_surveys.answer', 'facts.messages.author_name', 'ledger.quarantine.body'])
    expect(before).toContain(`newest ${place}`);
  expect(await placesOutsideRaw(redacted)).toEqual([]);
  expect(await tracesIn(data(redacted), traces)).toContain('raw archive raw.chats.body');
  const pulled = await factsOf(redacted);
  expect(pulled['ledger.quarantine']?.length).toBeGreaterThan(0);
  const folder = copiedFolder(redacted);
  await done(command(folder, rules, 'rebuild'));
  expectSame(await factsOf(folder), pulled);
  expect(await placesOutsideRaw(folder)).toEqual([]);
  expect(await done(command(folder, rules, 'redact'))).toMatch(
    /^redacted when chats are decoded: cards, emails, ibans, 'customer number'\nnone of \d+ chats was decoded under other rules\n$/,
  );
});

test('texts keep their length and words, everything else is what it was, and so is every number', async () => {
  const measured = `select chat_id, position, length(text) as characters, len(regexp_split_to_array(text, '\\s+')) as words
    from facts.messages order by all`;
  expect(await rows(redacted, measured)).toEqual(await rows(plain, measured));
  const texts = [
    'visitor_name',
    'start_url',
    'referrer',
    'author_name',
    'text',
    'files',
    'order_description',
    'answer',
    'chat_variables.value',
  ];
  const without = [...texts, 'redaction', 'body'];
  expectSame(await factsOf(redacted, without), await factsOf(plain, without));
  expect(await metricsOf(redacted)).toEqual(await metricsOf(plain));
});

testInDrill(
  'rules that change are told, change no number, are no news to a pull, and are applied by a rebuild',
  async () => {
    const folder = copiedFolder(plain);
    const numbers = await metricsOf(folder);
    const [{ chats } = {}] = await rows(folder, 'select count(*) as chats from facts.chats');
    const told = `${String(chats)} of ${String(chats)} chats were decoded under other rules: 'npx chatledger rebuild' applies the present ones to all`;
    expect(await done(command(folder, rules, 'redact'))).toContain(told);
    expect(JSON.parse(await done(command(folder, rules, 'redact', '--json')))).toEqual({
      ...{ rules: ['cards', 'emails', 'ibans'], patterns: ['customer number'], chats, under_others: chats },
    });
    const doctor = await command(folder, rules, 'doctor');
    expect(doctor.said).toContain(`WRONG redaction: cards, emails, ibans, 'customer number'; ${told}`);
    expect((await command(folder, {}, 'doctor')).said).not.toContain('redaction:');
    const facts = await factsOf(folder);
    expect(await done(command(folder, rules, 'pull', ...only))).toMatch(/ 0 chats new, 0 changed/);
    expectSame(await factsOf(folder), facts);
    await done(command(folder, rules, 'rebuild'));
    expectSame(await factsOf(folder), await factsOf(redacted));
    expect(await metricsOf(folder)).toEqual(numbers);
    expect((await command(folder, rules, 'doctor')).said).toContain(`ok    redaction: cards`);
    // Off again: as if there had never been rules.
    await done(command(folder, {}, 'rebuild'));
    expectSame(await factsOf(folder), facts);
  },
);

testInDrill(
  'both archives are redacted alike, and what they are compared by shows neither texts nor rules',
  async () => {
    const v3 = folderWithPatterns();
    await done(command(v3, { ...threads('agent_v3'), ...rules }, 'pull', ...only));
    expect(await placesOutsideRaw(v3)).toEqual([]);
    expect(await tracesIn(data(v3), traces)).toContain('raw archive raw.chats.body');
    const [{ dots } = {}] = await rows(
      v3,
      "select count(*) as dots from facts.messages where text like '%···· ···· ···· ····%'",
    );
    expect(Number(dots)).toBeGreaterThan(100);
    const both = copiedFolder(plain);
    await done(command(both, { ...threads('both'), ...rules }, 'pull', ...only));
    expect(
      (await rows(both, 'select * from ledger.source_differences')).filter(({ field }) => field !== 'chat'),
    ).toEqual([]);
  },
);

testInDrill('both archives that are pulled under rules from the beginning differ in nothing', async () => {
  const under = folderWithPatterns();
  await done(command(under, { ...threads('both'), ...rules }, 'pull', ...only));
  expect(
    (await rows(under, 'select * from ledger.source_differences')).filter(({ field }) => field !== 'chat'),
  ).toEqual([]);
  expect(await placesOutsideRaw(under)).toEqual([]);
});

testInDrill(
  'somebody is erased from redacted files, and neither a pull nor a rebuild makes other rows of them',
  async () => {
    const folder = copiedFolder(redacted);
    const [person = {}] = await rows(
      folder,
      `select visitor_id from facts.chats where visitor_name like '%···%' group by all order by count(*) desc, 1 limit 1`,
    );
    await done(command(folder, rules, 'erase', '--visitor', String(person['visitor_id'])));
    const facts = await factsOf(folder);
    expect(
      facts['facts.chats']?.filter(({ visitor_name }) => visitor_name === 'erased visitor').length,
    ).toBeGreaterThan(0);
    await done(command(folder, rules, 'pull', ...only));
    expectSame(await factsOf(folder), facts);
    await done(command(folder, rules, 'rebuild'));
    expectSame(await factsOf(folder), facts);
    expect(await placesOutsideRaw(folder)).toEqual([]);
  },
);

test('rules are tried on the raw archive, which nobody writes meanwhile, and nothing that they find is shown', async () => {
  const folder = copiedFolder(plain);
  const said = await done(command(folder, rules, 'redact', '--dry'));
  for (const rule of ['cards', 'emails', 'ibans', 'customer number']) {
    expect(said).toMatch(new RegExp(`^${rule}: \\d{3,} places in \\d{2,} chats$`, 'm'));
    expect(said).toMatch(new RegExp(`^ {2}default \\S+: .*\\[${rule}: \\d+ characters\\]`, 'm'));
  }
  for (const secret of traces) expect(said).not.toContain(secret);
  const other = JSON.parse(await done(command(folder, rules, 'redact', '--dry', '--rules', 'ibans', '--json')));
  expect(other.rules.map(({ rule }: { rule: string }) => rule)).toEqual(['ibans']);
  const few = JSON.parse(
    await done(command(folder, rules, 'redact', '--dry', '--limit', '7', '--account', 'default', '--json')),
  );
  expect(few.chats).toBe(7);
  // As many chats as there are, and in as many of them something as was planted.
  const whole = JSON.parse(await done(command(folder, {}, 'redact', '--dry', '--file', 'patterns.txt', '--json')));
  const [{ chats } = {}] = await rows(folder, 'select count(*) as chats from facts.chats');
  const [{ set_aside } = {}] = await rows(folder, 'select count(*) as set_aside from ledger.quarantine');
  const [{ found } = {}] = await rows(
    folder,
    `select count(*) as found from facts.chats where visitor_name like '%${number}%'`,
  );
  expect(whole.chats).toBe(Number(chats) + Number(set_aside));
  expect(whole.rules).toMatchObject([{ rule: 'customer number', chats: Number(found) + Number(set_aside) }]);
  const audit = await done(command(folder, {}, 'audit', 'list', '--action', 'redaction.tried', '--json'));
  expect(JSON.parse(audit).rows.length).toBe(4);
});

test.each<[string, Record<string, string>, string[], RegExp]>([
  [
    'a rule that there is not',
    {},
    ['--dry', '--rules', 'cards,names'],
    /--rules cards,names must be some of cards, emails, ibans/,
  ],
  ['no rules', {}, ['--dry'], /there are no rules to try: say --rules cards,emails,ibans or --file FILE/],
  ['a file that is not there', {}, ['--dry', '--file', 'nowhere.txt'], /--file nowhere\.txt cannot be read \(ENOENT\)/],
  ['a limit that is none', rules, ['--dry', '--limit', 'many'], /--limit many is not a number of chats/],
  ['an account that there is not', rules, ['--dry', '--account', 'other'], /other/],
  ['rules without --dry', {}, ['--rules', 'cards'], /--rules can be said with --dry only/],
])('wrong input is refused in a sentence: %s', async (_, settings, words, sentence) => {
  const { code, complained } = await command(plain, settings, 'redact', ...words);
  expect(code).toBe(2);
  expect(complained).toMatch(sentence);
  expect(complained.trim().split('\n')).toHaveLength(1);
});

// As by every command, which reads them first.
test.each<[string, (folder: string) => Record<string, string>, RegExp]>([
  [
    'a setting',
    () => ({ CHATLEDGER_REDACT: 'cards;ibans' }),
    /^CHATLEDGER_REDACT=cards;ibans must be some of cards, emails, ibans.*$/,
  ],
  [
    'an empty file',
    (folder) => ({ CHATLEDGER_REDACT_FILE: join(folder, 'empty.txt') }),
    /^CHATLEDGER_REDACT_FILE=\S+empty\.txt has no pattern in it.*$/,
  ],
  [
    'a pattern',
    (folder) => ({ CHATLEDGER_REDACT_FILE: join(folder, 'wrong.txt') }),
    /^CHATLEDGER_REDACT_FILE=\S+wrong\.txt line 2: 'b' is no expression \(missing closing \).*$/,
  ],
])('wrong rules in the settings are refused in a sentence: %s', (_, settings, sentence) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'wrong.txt'), 'a: x\nb: (y\n');
  writeFileSync(join(folder, 'empty.txt'), '# nothing\n');
  expect(refusalOf(folder, { ...account(), ...settings(folder) })).toEqual([2, expect.stringMatching(sentence)]);
});
