// Readers who may see a part: what they are answered is what a warehouse of only their chats would answer, or a refusal.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '#api/app.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { askingOf, documentContext } from '#digests/asking.ts';
import { digestDocument, type DigestDocument } from '#digests/document.ts';
import { rangeOf } from '#digests/periods.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { narrowed, shownOf } from '#warehouse/query/narrowed.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { ownContext } from '#warehouse/query/context.ts';
import { localReader, type Reader, type RowRule } from '#warehouse/query/reader.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { reconcile, record } from '#reports/reconciliation/reconcile.ts';
import { random } from '../drills/random.ts';
import { requestFrom, type Known } from '../drills/readers/questions.ts';
import { pulledAccount, type Pulled, type PulledAccount } from '../etl/pulled.ts';
import { expectSame } from '../same.ts';
import { apiDeps, authOf } from './deps.ts';
import { expectPromised } from './promised.ts';

const folder = mkdtempSync(join(tmpdir(), 'readers-'));
const instant = '2026-05-12T09:00:00Z';
const facts = tables.filter(({ schema }) => schema === 'facts').map(({ name }) => name);
const reports = tables.filter(({ schema }) => schema === 'reports').map(({ name }) => name);

/** What the program did wrong. */
const errors: unknown[] = [];
let service: PulledAccount;
let pulled: Pulled;
let whole: Store;
let published: string;
let known: Known;
/** A group and an agent with chats, and another group. */
let [one, other, login] = [0, 0, ''];

beforeAll(async () => {
  service = await pulledAccount(instant, 12);
  pulled = await service.warehouse();
  await pulled.pull();
  const range = { account: 'default', timezone: 'UTC', from: service.service.firstDay, to: '2026-05-11' };
  const its = { id: 'default', timezone: 'UTC', since: service.service.firstDay };
  await record(pulled.engine, range, await reconcile(ownContext(pulled.engine, its, service.now), range), service.now);
  published = (await publish(pulled.engine, folder, Date.parse(instant))).file;
  whole = await openWarehouse(published, { readOnly: true });
  const values = async (sql: string): Promise<string[]> =>
    (await whole.query(sql)).map((row) => String(Object.values(row)[0]));
  const ofChats = (column: string, table: string) =>
    values(`select ${column} from facts.${table} group by ${column} order by count(*) desc, ${column}`);
  const groups = await ofChats('group_id', 'chat_groups');
  const agents = await ofChats('agent', 'chat_agents');
  [one, other, login] = [Number(groups[1]), Number(groups[0]), agents[1] ?? ''];
  known = {
    agents,
    groups: groups.map(Number),
    tags: await ofChats('tag', 'chat_tags'),
    chats: await values('select chat_id from facts.chats order by chat_id'),
    instants: [instant, '2026-05-12T10:00:00Z', '2020-01-01T00:00:00Z'],
    today: '2026-05-12',
  };
}, 120_000);
afterAll(async () => {
  await whole.close();
  await pulled.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const quoted = (values: readonly (string | number)[]): string =>
  values.map((value) => `'${String(value).replaceAll("'", "''")}'`).join(', ') || "''";

/** The same file with everything else deleted, row by row as a plain loop finds them. */
async function onlyOf({ groups, agent, is_anonymous }: RowRule, name: string): Promise<Store> {
  const file = join(folder, `${name}.duckdb`);
  copyFileSync(published, file);
  const engine = await openWarehouse(file);
  const run = (sql: string): Promise<void> => engine.exec(sql);
  const read = (sql: string): Promise<Row[]> => engine.query(sql);
  for (const table of ['chat_quarters', 'chat_quarter_parts', 'level_parts']) await run(`drop table facts.${table}`);
  if (groups ?? agent) {
    const theirs = new Set<string>();
    for (const row of await read('select chat_id, group_id from facts.chat_groups'))
      if (groups?.includes(Number(row.group_id))) theirs.add(String(row.chat_id));
    for (const row of await read('select chat_id, agent from facts.chat_agents'))
      if (row.agent === agent) theirs.add(String(row.chat_id));
    for (const table of facts) await run(`delete from facts.${table} where chat_id not in (${quoted([...theirs])})`);
    if (groups) await run(`delete from facts.chat_groups where group_id not in (${groups.join(', ')})`);
    const [split, own] = groups ? ['group', quoted(groups)] : ['agent', quoted([agent ?? ''])];
    const others = `not (split = '${split}' and split_value in (${own}))`;
    for (const table of reports) await run(`delete from reports.${table} where ${others}`);
    await run(`delete from ledger.reconciliation where ${others}`);
    await run(`delete from ledger.periods where source not in ('archive', 'archive_v3') and ${others}`);
    const teams = new Map<string, Set<number>>();
    for (const { login: member, group_id } of await read('select login, group_id from account.group_agents'))
      teams.set(String(member), (teams.get(String(member)) ?? new Set()).add(Number(group_id)));
    const mine = groups ?? [...(teams.get(agent ?? '') ?? [])];
    const kept = mine.length > 0 ? mine.join(', ') : '-1';
    for (const table of ['groups', 'group_agents', 'tags', 'canned_responses', 'status'])
      await run(`delete from account.${table} where group_id not in (${kept})`);
    const seen = new Set((await read('select distinct agent from facts.chat_agents')).map((row) => String(row.agent)));
    for (const [member, of] of teams) if (groups?.some((group) => of.has(group))) seen.add(member);
    if (agent !== undefined) seen.add(agent);
    await run(`delete from account.agents where login not in (${quoted([...seen])})`);
  }
  if (is_anonymous) {
    await run(
      'update facts.chats set visitor_name = null, city = null, region = null, start_url = null, referrer = null',
    );
    await run("update facts.messages set text = '', files = null, author_name = null");
    await run("update facts.chat_surveys set answer = ''");
    await run('update facts.chat_goals set order_id = null, order_description = null');
  }
  await engine.close();
  return openWarehouse(file, { readOnly: true });
}

type Asked = { status: number; body: string };

function apiOf(engine: Store, reader: (cookies: string) => Reader) {
  const about = { id: 's1', published_at: new Date(instant).toISOString() };
  return createApi(
    apiDeps(engine, {
      auth: authOf(reader),
      log: (error) => errors.push(error),
      clock: () => service.now * 1000,
      accounts: () => [{ id: 'default', timezone: 'UTC', since: service.service.firstDay }],
      snapshot: () => ({ ...about, engine }),
      snapshots: {
        list: () => Promise.resolve([{ ...about, bytes: 1, pinned: null }]),
        lost: () => Promise.resolve(null),
        open: () => Promise.resolve({ ...about, engine }),
        space: 10e9,
      },
    }),
  );
}

const ask = async (api: ReturnType<typeof apiOf>, path: string, headers = {}): Promise<Asked> => {
  const answer = await api.request(`http://127.0.0.1:3000${path}`, { headers });
  const { status } = answer;
  const body = await answer.text();
  expectPromised('GET', path, status, body);
  return { status, body };
};

/** Answers may have thousands of rows: from where they differ a piece is enough. */
const shortened = ({ status, body }: Asked): Asked => ({ status, body: body.slice(0, 2000) });

/** Who may see one group gets what the source reports of it without asking; whoever has nothing else must ask. */
function asOneGroup(path: string, rule: RowRule): string {
  const [place = '', search = ''] = path.split('?');
  const id = /^\/api\/(?:metrics|receipts)\/([a-z_]+)/.exec(place)?.[1];
  const query = new URLSearchParams(search);
  const splits = (query.get('split') ?? '').split(',');
  const isNarrowed = ['group', 'agent'].some((name) => query.has(name) || splits.includes(name));
  const metric = metrics.find((candidate) => candidate.id === id);
  if (rule.groups?.length !== 1 || isNarrowed || !metric?.reported?.splits.includes('group')) return path;
  query.append('group', String(rule.groups[0]));
  return `${place}?${query}`;
}

/** What a document says of its reader: the filters on its cover, and why a figure cannot be given. */
const aboutReaders = ['filters', 'reason', 'not_given'];
const figuresOf = (document: DigestDocument): unknown =>
  JSON.parse(
    JSON.stringify(document, (key, value: unknown) => {
      if (key === 'nothing') return String(value).startsWith('Not given') ? 'Not given' : value;
      return aboutReaders.includes(key) ? '' : value;
    }),
  );

const rules: [name: string, rule: () => RowRule][] = [
  ['one group', () => ({ groups: [one] })],
  ['two groups', () => ({ groups: [one, other] })],
  ['own chats', () => ({ agent: login })],
  ['no names', () => ({ is_anonymous: true })],
  ['one group without names', () => ({ groups: [other], is_anonymous: true })],
];

describe.each(rules)('a reader of %s', (name, rule) => {
  it('finds in every table the rows of only these chats', { timeout: 60_000 }, async () => {
    const theirs = await onlyOf(rule(), `${name.replaceAll(' ', '-')}-tables`);
    const narrow = await narrowed(whole, rule());
    for (const { schema, name: table, columns } of tables) {
      if (schema === 'ledger' && table !== 'reconciliation') continue;
      const told = Object.keys(columns).filter((column) => !['in_chats', 'in_tickets'].includes(column));
      const sql = `select ${told.map((column) => `"${column}"`).join(', ')} from ${schema}.${table} order by all`;
      expectSame([table, await narrow.query(sql)], [table, await theirs.query(sql)]);
    }
    await theirs.close();
  });

  it('is answered as by a warehouse of only these chats', { timeout: 240_000 }, async () => {
    const draw = random(name.length * 7919);
    const theirs = await onlyOf(rule(), name.replaceAll(' ', '-'));
    const narrow = apiOf(whole, () => ({ id: name, rows: rule() }));
    const alone = apiOf(theirs, () => localReader);
    let equal = 0;
    for (let count = 0; count < 100;) {
      const { path, isPage, isEndless } = requestFrom(draw, known);
      if (isPage || isEndless || path.endsWith('/file') || path.includes('.pdf') || path.includes('.xlsx')) continue;
      count += 1;
      const [ours, expected] = [await ask(narrow, path), await ask(alone, asOneGroup(path, rule()))];
      const isSame = ours.status === expected.status && (ours.status !== 200 || ours.body === expected.body);
      if (!isSame) expect([path, shortened(ours)]).toEqual([path, shortened(expected)]);
      if (ours.status === 200) equal += 1;
    }
    expect(errors).toEqual([]);
    expect(equal).toBeGreaterThan(35);
    await theirs.close();
  });

  it('gets the documents that a warehouse of only these chats would make', { timeout: 240_000 }, async () => {
    const theirs = await onlyOf(rule(), `${name.replaceAll(' ', '-')}-documents`);
    const [group, ...others] = rule().groups ?? [];
    const filters = { group: group === undefined || others.length > 0 ? [] : [group], agent: [], tag: [] };
    const documentOf = async (engine: Store, reader: Reader, id: string): Promise<DigestDocument> => {
      const snapshot = { id: 's1', published_at: new Date(instant).toISOString(), engine };
      const its = { id: 'default', timezone: 'UTC', since: service.service.firstDay };
      const period = rangeOf('2026-05-04', '2026-05-12');
      const asking = await askingOf(await documentContext(reader, snapshot, its), { period, timezone: 'UTC', filters });
      return digestDocument(asking, { title: id, language: 'en-GB', paper: 'a4', content: [id], stamps: [] });
    };
    for (const { id } of dashboards) {
      const ours = await documentOf(whole, { id: name, rows: rule() }, id);
      const expected = await documentOf(theirs, localReader, id);
      if (rule().groups) expect(ours.cover.filters).toContain('the reader sees group');
      expectSame([id, figuresOf(ours)], [id, figuresOf(expected)]);
    }
    await theirs.close();
  });
});

describe.each([
  ['everything', () => ({})],
  ['one group', () => ({ groups: [one] })],
] as [string, () => RowRule][])('a reader of %s without names of agents and visitors', (name, rule) => {
  it('is told none of them, whatever is asked', { timeout: 240_000 }, async () => {
    const rows: RowRule = { ...rule(), is_anonymous: true, hides_agents: true };
    const [narrow, all] = [apiOf(whole, () => ({ id: name, rows })), apiOf(whole, () => ({ id: name, rows: rule() }))];
    // A name of one word may be any word.
    const texts = async (sql: string): Promise<string[]> =>
      (await whole.query(sql)).map((row) => String(Object.values(row)[0])).filter((text) => /[ @]/.test(text));
    const secret = [
      ...(await texts('select login from account.agents union select name from account.agents')),
      ...(await texts('select distinct visitor_name from facts.chats where visitor_name is not null')),
    ];
    expect(secret.length).toBeGreaterThan(50);
    const written = secret.map((word) => JSON.stringify(word).slice(1, -1));
    const ranked = '/api/reconciliation?metric=chat_ranking&limit=1000';
    expect((await ask(all, ranked)).body).toMatch(/good:|bad:/);
    expect(JSON.parse((await ask(narrow, ranked)).body)).toMatchObject({ rows: [] });
    const draw = random(name.length * 15_485_863);
    const seen = { answered: 0, refused: 0, same: 0 };
    for (let count = 0; count < 150;) {
      const { path, isPage, isEndless } = requestFrom(draw, known);
      if (isPage || isEndless || path.endsWith('/file') || path.includes('.pdf') || path.includes('.xlsx')) continue;
      // What is asked for by name comes back in the answer.
      if (path.includes('agent=')) continue;
      count += 1;
      const { status, body } = await ask(narrow, path);
      expect([path, written.filter((word) => body.includes(word))]).toEqual([path, []]);
      const isOfAgents = /split=[^&]*agent|ranking/.test(path);
      if (status === 200) seen.answered += 1;
      if (status === 400 && body.includes('agents:read')) seen.refused += 1;
      if (status === 200 && /^\/api\/metrics/.test(path)) {
        const expected = await ask(all, path);
        expect([path, isOfAgents, body]).toEqual([path, false, expected.body]);
        seen.same += 1;
      }
    }
    expect(errors).toEqual([]);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });
});

describe('an agent', () => {
  it('is told figures of no colleague, and otherwise what the own chats say', { timeout: 240_000 }, async () => {
    const own = apiOf(whole, () => ({ id: 'agent', rows: { agent: login, own_figures: true } }));
    const chats = apiOf(whole, () => ({ id: 'agent', rows: { agent: login } }));
    const draw = random(86_028_121);
    const seen = { same: 0, refused: 0 };
    for (let count = 0; count < 150;) {
      const { path, isPage, isEndless } = requestFrom(draw, known);
      if (isPage || isEndless || path.endsWith('/file') || path.includes('.pdf') || path.includes('.xlsx')) continue;
      count += 1;
      const { status, body } = await ask(own, path);
      if (body.includes('your own figures only')) {
        expect([path, /agent|ranking/.test(path)]).toEqual([path, true]);
        seen.refused += 1;
        continue;
      }
      expect([path, status, body]).toEqual([path, ...Object.values(await ask(chats, path))]);
      seen.same += 1;
      if (!/^\/api\/metrics\//.test(path) || status !== 200 || path.includes('.csv')) continue;
      for (const row of (JSON.parse(body) as { rows: Row[] }).rows)
        expectSame([path, row.agent ?? login], [path, login]);
    }
    expect(errors).toEqual([]);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  });
});

describe('a reader of figures of single agents from 20 chats on', () => {
  const least = 20;
  type Answered = { rows: Row[]; split: string[]; from: string; to: string; compare?: { rows: Row[] } };
  const isOfAgents = (path: string): boolean => /[?&](?:agent=|split=[^&]*agent)|ranking/.test(path);

  it('gets everything else as everybody does', { timeout: 240_000 }, async () => {
    const few = apiOf(whole, () => ({ id: 'few', rows: { agents_from: least } }));
    const all = apiOf(whole, () => localReader);
    const draw = random(49_979_687);
    const seen = { same: 0, shown: 0, hidden: 0 };
    for (let count = 0; count < 120;) {
      const { path, isPage, isEndless } = requestFrom(draw, known);
      if (isPage || isEndless || path.endsWith('/file') || path.includes('.pdf') || path.includes('.xlsx')) continue;
      // Cells of single agents are left out of what the sources were compared by.
      if (/reconciliation|restatements|panels|receipts/.test(path)) continue;
      count += 1;
      const [ours, expected] = [await ask(few, path), await ask(all, path)];
      if (!isOfAgents(path)) {
        expect([path, shortened(ours)]).toEqual([path, shortened(expected)]);
        seen.same += 1;
        continue;
      }
      if (!/^\/api\/metrics\/[a-z_]+\?/.test(path) || ours.status !== 200) continue;
      const [answer, full] = [JSON.parse(ours.body) as Answered, JSON.parse(expected.body) as Answered];
      const measures = Object.keys(metrics.find(({ id }) => path.includes(`/${id}?`))?.measures ?? {});
      for (const [index, row] of answer.rows.entries()) {
        const { state, fewer_than, ...rest } = row;
        if (state !== 'too_few' && state !== 'withheld') {
          expectSame([path, row], [path, full.rows[index]]);
          seen.shown += 1;
          continue;
        }
        expectSame([path, state, fewer_than], [path, state, state === 'too_few' ? least : undefined]);
        const shown = measures.filter((name) => rest[name] !== null);
        expectSame([path, shown], [path, []]);
        seen.hidden += 1;
      }
    }
    expect(errors).toEqual([]);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });

  it('sees no compared cell of a single agent', async () => {
    const few = apiOf(whole, () => ({ id: 'few', rows: { agents_from: least } }));
    for (const path of [
      '/api/reconciliation?split=agent&limit=1000',
      '/api/reconciliation?metric=chat_ranking&limit=1000',
    ]) {
      expect(
        JSON.parse(
          (
            await ask(
              apiOf(whole, () => localReader),
              path,
            )
          ).body,
        ),
      ).not.toMatchObject({ rows: [] });
      expect([path, JSON.parse((await ask(few, path)).body)]).toMatchObject([path, { rows: [] }]);
    }
  });

  it('is shown an agent in a group on a day only with so many chats, as a plain loop counts them', async () => {
    const few = apiOf(whole, () => ({ id: 'few', rows: { agents_from: 3 } }));
    const path = '/api/metrics/first_response_time?from=2026-05-01&to=2026-05-11&timezone=UTC&split=agent,group';
    const { rows } = JSON.parse((await ask(few, path)).body) as Answered;
    const days = new Map<string, string>();
    for (const row of await whole.query('select chat_id, started_second from facts.chats'))
      days.set(String(row.chat_id), new Date(Number(row.started_second) * 1000).toISOString().slice(0, 10));
    const groups = new Map<string, number[]>();
    for (const row of await whole.query('select chat_id, group_id from facts.chat_groups'))
      groups.set(String(row.chat_id), [...(groups.get(String(row.chat_id)) ?? []), Number(row.group_id)]);
    const counts = new Map<string, number>();
    for (const row of await whole.query('select chat_id, agent from facts.chat_agents'))
      for (const group of groups.get(String(row.chat_id)) ?? []) {
        const key = [days.get(String(row.chat_id)), String(row.agent), group].join(' ');
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    let [shown, hidden] = [0, 0];
    for (const { period, agent, group, state } of rows) {
      const chats = counts.get([period, agent, group].join(' ')) ?? 0;
      if (state === 'not_pulled') continue;
      if (chats < 3) expect([period, agent, group, state]).toEqual([period, agent, group, 'too_few']);
      else expect(state).not.toBe('too_few');
      if (chats < 3) hidden += 1;
      else if (state !== 'withheld') shown += 1;
    }
    expect(Math.min(shown, hidden)).toBeGreaterThan(20);
  });
});

describe('a reader of one group', () => {
  const mine: Reader = { id: 'viewer', rows: { groups: [1] } };

  it('gets nothing that was kept for others, and others nothing of his', async () => {
    const reader: Reader = { id: 'viewer', rows: { groups: [one] } };
    const api = apiOf(whole, (cookies) => (cookies === 'viewer=1' ? reader : localReader));
    const path = '/api/metrics/total_chats?from=2026-05-01&to=2026-05-12&grain=total';
    const get = async (headers: Record<string, string>) => api.request(`http://127.0.0.1:3000${path}`, { headers });
    errors.splice(0);
    const [all, part] = [await get({}), await get({ cookie: 'viewer=1' })];
    const etag = String(all.headers.get('etag'));
    expect(errors).toEqual([]);
    expect(part.headers.get('etag')).not.toBe(etag);
    const [{ rows: everything }, { rows: own }] = [
      (await all.json()) as { rows: Row[] },
      (await part.json()) as { rows: Row[] },
    ];
    expect(Number(own[0]?.chats)).toBeGreaterThan(0);
    expect(Number(own[0]?.chats)).toBeLessThan(Number(everything[0]?.chats));
    expect((await get({ cookie: 'viewer=1', 'if-none-match': etag })).status).toBe(200);
    expect((await get({ 'if-none-match': etag })).status).toBe(304);
  });

  it('is refused what is about everybody', async () => {
    const api = apiOf(whole, () => mine);
    for (const path of ['/api/snapshots/current/file', '/api/pulls', '/api/digests', '/api/digests/month'])
      expect([path, (await ask(api, path)).status]).toEqual([path, 403]);
    expect((await api.request('http://127.0.0.1:3000/api/pulls', { method: 'POST' })).status).toBe(403);
  });

  it('finds none of an account that is not his', async () => {
    const api = apiOf(whole, () => ({ id: 'elsewhere', rows: { accounts: ['other'] } }));
    for (const path of ['/api/metrics/total_chats', '/api/chats', '/api/reconciliation', '/api/annotations'])
      expect([path, (await ask(api, path)).status]).toEqual([path, 403]);
    expect(JSON.parse((await ask(api, '/api/accounts')).body)).toEqual({ accounts: [] });
  });
});

it('every table says what a rule leaves of it', () => {
  expect(tables.filter((table) => !shownOf(table)).map(({ schema, name }) => `${schema}.${name}`)).toEqual([]);
});

it('what a rule does not name is not there for it', async () => {
  const engine = await narrowed(whole, { groups: [one] });
  for (const table of ['facts.chat_quarters', 'facts.account_levels', 'facts.agent_levels', 'metrics.total_chats'])
    await expect(engine.query(`select * from ${table}`)).rejects.toThrow(/does not exist/);
  expect(await narrowed(whole, { groups: [one] })).toBe(engine);
  await expect(narrowed(pulled.engine, { groups: [one] })).rejects.toThrow('only a published file');
});
