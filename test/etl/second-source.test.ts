// Two archives of one account: either feeds the same facts, both side by side are compared, and what ends is announced.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { testInDrill, tries } from '../chance.ts';
import { openArchive } from '#etl/raw/archive.ts';
import { warningsOf } from '#etl/fetch/notices.ts';
import { retrying } from '#etl/fetch/retry-budget.ts';
import { pull, type PullOutcome } from '#etl/pull.ts';
import { rebuild } from '#etl/rebuild/rebuild.ts';
import { basic, bearer, type ArchiveChoice } from '#etl/source.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import { startService, type ServiceOptions } from '#service/service.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import type { Row } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { run } from '../warehouse/query-context.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const at = (instant: string): number => Date.parse(instant) / 1000;

/** The reports are the same whichever archive is read. */
const only = new Set(['archive']);

/** Days of an account before today; with the drill more. */
const some_days = tries(2, 4);
/** With the first day of the account, and today. */
const all_days = some_days + 2;

/** An account of some days whose clock stands still unless the test moves it. */
async function account(own: Partial<ServiceOptions> = {}, days = some_days) {
  const folder = mkdtempSync(join(tmpdir(), 'chatledger-sources-'));
  const time = { now: at('2026-11-18T09:00:00Z') };
  const clock = (): number => time.now;
  const file = join(folder, 's.sqlite');
  const service = await startService({
    file,
    days,
    port: 0,
    apiKey: 'secret',
    clock,
    world: thirdOfSmallWorld,
    ...own,
  });
  ends.push(() => service.close());
  const store = openStore(file);
  const token = mintToken(store, { agent: 'owner@example.com', scopes: ['chats--all:ro'] });
  store.close();
  return {
    time,
    service,
    /** A warehouse of its own with its raw archive, pulled as often as asked. */
    async warehouse(name: string) {
      const warehouse = join(folder, `${name}.duckdb`);
      const archive = await openArchive(join(folder, `${name}.raw.duckdb`));
      ends.push(() => archive.close());
      const rows = async (sql: string, read = warehouse): Promise<Row[]> => {
        const engine = await openWarehouse(read);
        try {
          return await engine.query(sql);
        } finally {
          await engine.close();
        }
      };
      return {
        file: warehouse,
        archive,
        rows,
        async pull(archive_source: ArchiveChoice, agent = token): Promise<PullOutcome> {
          const engine = await openWarehouse(warehouse);
          const source = {
            ...{ id: 'default', base_url: service.url, authorization: basic('owner@example.com', 'secret') },
            ...{ region: 'dal', timezone: 'Europe/Warsaw', since: service.firstDay, requests_per_second: null },
            ...{ archive_source, agent_authorization: bearer(agent) },
          };
          const limits = { ...retrying, first_ms: 1, longest_ms: 5 };
          try {
            return await pull({ source, engine, archive, clock, limits, only, publish: () => Promise.resolve() });
          } finally {
            await engine.close();
          }
        },
      };
    },
  };
}

const differences = 'select chat_id, field, rest_v2, agent_v3 from ledger.source_differences order by all';
const states = `select source, state, count(*) as days, sum(rows) as chats from ledger.periods
  where source like 'archive%' group by all order by all`;

test('either archive feeds the same facts, chat by chat, and says so', async () => {
  const { warehouse } = await account({}, 4);
  const [v2, v3] = [await warehouse('v2'), await warehouse('v3')];
  await v2.pull('rest_v2');
  const { failed, quarantined, chats_new } = await v3.pull('agent_v3');
  expect([failed, quarantined]).toEqual([0, 0]);
  expect(chats_new).toBeGreaterThan(tries(100, 300));
  const counted = 'select source, count(*) as chats from facts.chats group by all';
  expect(await v2.rows(counted)).toEqual([{ source: 'rest_v2', chats: chats_new }]);
  expect(await v3.rows(counted)).toEqual([{ source: 'agent_v3', chats: chats_new }]);
  for (const select of [
    `select * exclude (source, content_hash, pull_id, visitor_id, source_timezone, rate),
       replace(rate, 'rated_', '') in ('good', 'bad') as is_rated from facts.chats order by chat_id`,
    "select * exclude (text, author_name, position) from facts.messages where event_type is distinct from 'closed' order by all",
    'select * exclude (rate) from facts.chat_agents order by all',
    'select * exclude (rate) from facts.chat_groups order by all',
    'select * exclude (rate) from facts.chat_tags order by all',
    'select * from facts.chat_surveys order by all',
    'select * from facts.chat_variables order by all',
  ])
    expect(await v3.rows(select)).toEqual(await v2.rows(select));
  expect(await v3.rows('select count(*) as n from facts.chat_goals')).toEqual([{ n: 0 }]);
  expect(await v3.rows(states)).toEqual([{ source: 'archive', state: 'pulled', days: 6, chats: chats_new }]);
  // Where an archive lists no goals, they are not known; they are not zero.
  const question = { from: '2026-11-15', to: '2026-11-18', grain: 'total' };
  const context = { account: 'default', zone: 'Europe/Warsaw', now: at('2026-11-18T09:00:00Z') };
  for (const { file, isGiven } of [
    { file: v2.file, isGiven: true },
    { file: v3.file, isGiven: false },
  ]) {
    const engine = await openWarehouse(file);
    const [goals, conversion] = [
      await run(engine, 'goals', question, context),
      await run(engine, 'conversion', question, context),
    ];
    await engine.close();
    const said = [goals.rows[0]?.goals, conversion.rows[0]?.chats_with_sale, conversion.rows[0]?.rate];
    expect(said).toEqual(Array(3).fill(isGiven ? expect.any(Number) : null));
    expect(Object.keys(goals.not_given ?? {}).includes('goals')).toBe(!isGiven);
    if (!isGiven) expect(conversion.not_given?.rate).toContain('does not name goals and sales');
  }
  const again = await v3.pull('agent_v3');
  expect([again.chats_new, again.chats_changed]).toEqual([0, 0]);
});

test('both side by side: v2.0 feeds, nothing differs, and the next pulls compare only what is due', async () => {
  const { warehouse, service, time } = await account();
  const both = await warehouse('both');
  const { chats_new } = await both.pull('both');
  expect(await both.rows('select distinct source from facts.chats')).toEqual([{ source: 'rest_v2' }]);
  expect(await both.rows(differences)).toEqual([]);
  expect(await both.rows(states)).toEqual([
    { source: 'archive', state: 'pulled', days: all_days, chats: chats_new },
    { source: 'archive_v3', state: 'pulled', days: all_days, chats: chats_new },
  ]);
  const asked = async (): Promise<number> =>
    Number((await both.rows("select count(*) as n from ledger.requests where source = 'archive_v3'"))[0]?.n);
  const before = await asked();
  time.now += 60;
  await both.pull('both');
  expect((await asked()) - before).toBeLessThan(3);
  expect(service.chaos.told().kept_away).toBe(0);
});

test('a difference is listed by field, and goes away with the next comparison in which there is none', async () => {
  const { warehouse, service, time } = await account();
  const both = await warehouse('both');
  service.chaos.follow(chaosPlan(`no_messages@/chats#${some_days},page_short@/v3.5*#2`));
  await both.pull('both');
  expect(service.chaos.told().faults).toEqual({ no_messages: 1, page_short: 1 });
  const listed = await both.rows(differences);
  const of = (field: string): Row[] => listed.filter((row) => row.field === field);
  expect(of('message_count')).toMatchObject([{ rest_v2: '0', agent_v3: expect.stringMatching(/^[1-9]/) }]);
  expect(of('messages[0].text')).toMatchObject([{ rest_v2: null }]);
  expect(new Set(listed.map(({ chat_id }) => chat_id)).size).toBe(1);
  service.chaos.follow(null);
  time.now += 8 * 86_400;
  await both.pull('both');
  expect(await both.rows(differences)).toEqual([]);
});

test('a chat that only one archive has is listed, and a thread that cannot be read is set aside', async () => {
  const { warehouse, service } = await account();
  const both = await warehouse('both');
  service.chaos.follow(chaosPlan({ rates: { page_short: 1 }, path: '/v3.5*', sticky: true }));
  await both.pull('both');
  expect(await both.rows(differences)).toEqual([]);
  const short = await both.rows("select error from ledger.periods where source = 'archive_v3' and error is not null");
  expect(String(short[0]?.error)).toContain('were reached in each of 3 readings');
  const other = await warehouse('other');
  service.chaos.follow(chaosPlan('total_too_low@/v3.5*#1,missing_field@/v3.5*#2'));
  await other.pull('both');
  const aside = await other.rows("select source, reason from ledger.quarantine where source = 'archive_v3'");
  expect(aside).toHaveLength(1);
});

test('a refused token does not stop what v2.0 feeds; feeding from v3.5 it does', async () => {
  const { warehouse } = await account();
  const both = await warehouse('both');
  const { chats_new, failed } = await both.pull('both', 'dal:wrong');
  expect(chats_new).toBeGreaterThan(tries(25, 75) * some_days);
  expect(failed).toBe(all_days);
  expect(await both.rows("select distinct error from ledger.periods where source = 'archive_v3'")).toEqual([
    { error: expect.stringContaining('Invalid access token') },
  ]);
  await expect((await warehouse('fed')).pull('agent_v3', 'dal:wrong')).rejects.toThrow(/Invalid access token/);
});

testInDrill('pages that fail for the moment cost requests and nothing else', async () => {
  const { warehouse, service } = await account();
  const [clean, drilled] = [await warehouse('clean'), await warehouse('drilled')];
  await clean.pull('agent_v3');
  service.chaos.follow(
    chaosPlan('seed=4,500=0.1,html=0.1,reset_body=0.1,truncated=0.1,gzip=0.1,path=/v3.5*,retry_after_seconds=0'),
  );
  const before = service.requests();
  const { requests, faults, failed } = await drilled.pull('agent_v3');
  const { arrived, kept_away } = service.chaos.told();
  expect(faults).toBeGreaterThan(2);
  expect(failed).toBe(0);
  expect(requests).toBe(service.requests() - before + kept_away);
  expect(requests).toBe(arrived);
  for (const name of ['chats', 'messages', 'chat_agents', 'chat_tags', 'chat_surveys', 'chat_variables']) {
    const select = `select * exclude (${name === 'chats' ? 'pull_id' : 'account'}) from facts.${name} order by all`;
    expect(await drilled.rows(select)).toEqual(await clean.rows(select));
  }
});

testInDrill('what was pulled from v3.5, and what was compared, comes back from the raw archive', async () => {
  const { warehouse, service, time } = await account();
  const both = await warehouse('both');
  service.chaos.follow(chaosPlan(`no_messages@/chats#${some_days}`));
  await both.pull('both');
  time.now += 3600;
  await both.pull('agent_v3');
  const asked = service.requests();
  const { fresh } = await rebuild({
    file: both.file,
    archive: both.archive.engine,
    records: [both.file],
    now: time.now,
  });
  expect(service.requests()).toBe(asked);
  for (const select of [
    'select * from facts.chats order by chat_id',
    'select * from facts.messages order by chat_id, position',
    differences,
    states,
  ])
    expect(await both.rows(select, fresh)).toEqual(await both.rows(select));
  expect((await both.rows('select distinct source from facts.chats order by 1')).length).toBe(2);
});

test('headers that announce an end are kept by source with first and last time, and told once each', async () => {
  const { warehouse, time } = await account({ lifecycle: { legacy: '2027-05-31', deprecation: '2026-12-31' } });
  const both = await warehouse('both');
  const { notices } = await both.pull('both');
  expect(notices).toContainEqual({ source: 'archive', header: 'deprecation', value: '2026-12-31' });
  expect(notices.map(({ source }) => source)).not.toContain('archive_v3');
  expect(warningsOf(notices)).toEqual([
    expect.stringMatching(
      /^the interface of agents, .* and \d+ more is a legacy version: .* 2027-05-31 \(header Legacy\)$/,
    ),
    'the interface of archive is deprecated and may stop answering: that stage ends on 2026-12-31 (header Deprecation)',
  ]);
  time.now += 600;
  await both.pull('both');
  const kept = "select first_seen_at, last_seen_at from ledger.notices where source = 'archive'";
  expect(await both.rows(kept)).toEqual([
    { first_seen_at: '2026-11-18T09:00:00.000Z', last_seen_at: '2026-11-18T09:10:00.000Z' },
  ]);
});
