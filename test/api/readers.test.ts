// Readers who may see a part: what they are answered is what a warehouse of only their chats would answer, or a refusal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboards } from '#dashboards/dashboards.ts';
import { digestQuestions, documentContext } from '#digests/digest-questions.ts';
import { digestDocument, type DigestDocument } from '#digests/document.ts';
import { rangeOf } from '#digests/periods.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { askOf } from '#warehouse/query/ask.ts';
import { compile } from '#warehouse/query/compile.ts';
import { narrowed, shownOf } from '#warehouse/query/narrowed.ts';
import { localReader, type Reader, type RowRule } from '#warehouse/query/reader.ts';
import { hasOutcomes } from '#warehouse/query/agent-outcomes.ts';
import { shortcutsOf } from '#warehouse/query/shortcuts.ts';
import { chatColumnIds } from '#warehouse/read/chat-columns.ts';
import { tables } from '#warehouse/tables/tables.ts';
import { isWhole, partOf, tries } from '../chance.ts';
import { random } from '../drills/random.ts';
import type { Known } from '../drills/readers/questions.ts';
import { readersOfRows } from '../drills/rows.ts';
import { expectSame } from '../same.ts';
import { wordsIn } from '../words-in.ts';
import { expectedOf, isNotReported, isOfEachAgent, isSearchOfMasked } from './expected.ts';
import {
  ask,
  instant,
  questionFrom,
  restrictedAccount,
  pseudonymSecret,
  shortened,
  withIds,
  type Restricted,
} from './restricted.ts';

let account: Restricted;
let whole: Store;
let known: Known;
let errors: unknown[];
/** A group and an agent with chats, and another group. */
let [one, other, login] = [0, 0, ''];
/** Files with only what a rule leaves: made when a test first wants one, and closed at the end. */
const made = new Map<string, Promise<Store>>();
function onlyOf(rule: RowRule, name: string): Promise<Store> {
  const file = made.get(name) ?? account.onlyOf(rule, name);
  made.set(name, file);
  return file;
}
const apiOf: Restricted['apiOf'] = (engine, reader) => account.apiOf(engine, reader);

beforeAll(async () => {
  account = await restrictedAccount();
  ({ whole, known, errors } = account);
  [one, other, login] = [known.groups[1] ?? 0, known.groups[0] ?? 0, known.agents[1] ?? ''];
});
afterAll(async () => {
  for (const file of made.values()) await (await file).close();
  await account.close();
});

/** What a document says of its reader: the filters on its cover, and why a figure cannot be given. */
const aboutReaders = ['filters', 'reason', 'not_given'];
const metricOfPanel = (value: unknown): MetricDefinition | undefined => {
  const id = (value as { panel?: { metric?: unknown } } | null)?.panel?.metric;
  return metrics.find((one) => one.id === id);
};
/** Panels that are made of reports alone, of which the source makes one for each agent. */
const isOfOwnReports = (metric: MetricDefinition | undefined): boolean =>
  metric?.reported?.each === undefined && !!metric?.reported?.splits.includes('agent') && !('archived' in metric);
/**
 * Panels that are made of the reports of every agent, and that a reader of some of what they are made of is refused; and those of reports
 * alone, which a warehouse of one agent's chats has not pulled for itself.
 */
const isRefused = (value: unknown, { groups, agent }: RowRule): boolean => {
  const metric = metricOfPanel(value);
  if (!metric?.reported) return false;
  const isArchived = 'archived' in metric;
  return agent !== undefined
    ? metric.reported.each !== undefined || !isArchived
    : !!metric.reported.each && groups !== undefined && isArchived;
};
const figuresOf = (document: DigestDocument, rule: RowRule, ids: (text: string) => string): unknown => {
  const group = Object.fromEntries(
    Object.entries(document.names['group'] ?? {}).filter(([id, name]) => ids(name) !== id),
  );
  return told({ ...document, names: { ...document.names, group } }, rule, ids);
};
const told = (part: unknown, rule: RowRule, ids: (text: string) => string): unknown =>
  JSON.parse(
    JSON.stringify(part, (key, value: unknown) => {
      if (isRefused(value, rule)) return 'refused';
      if (key === 'nothing') return String(value).startsWith('Not given') ? 'Not given' : value;
      if (aboutReaders.includes(key)) return '';
      return typeof value === 'string' ? ids(value) : value;
    }),
  );

/** Of a document the panels that are made of the reports on one agent. */
function ownReports(document: DigestDocument, ids: (text: string) => string): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(document, (_, value: unknown) => {
    if (isOfOwnReports(metricOfPanel(value))) found.push(told(value, {}, ids));
    return value;
  });
  return found;
}

/** A metric or a page more, and the seed draws other questions: they go on until each kind of answer was seen. */
const isOneRare = (seen: Record<string, number>, least: number, asked: number): boolean =>
  asked < 600 && Math.min(...Object.values(seen)) <= least;

const rules: [name: string, rule: () => RowRule][] = [
  ['one group', () => ({ groups: [one] })],
  ['two groups', () => ({ groups: [one, other] })],
  ['own chats', () => ({ agent: login })],
  ['no names', () => ({ is_anonymous: true })],
  // What one part of a rule takes, and what the other does, is held above and below.
  ...(isWhole
    ? [['one group without names', () => ({ groups: [other], is_anonymous: true })] satisfies [string, () => RowRule]]
    : []),
];

describe.each(rules)('a reader of %s', (name, rule) => {
  it('finds in every table the rows of only these chats', async () => {
    const theirs = await onlyOf(rule(), name);
    const narrow = await narrowed(whole, rule(), pseudonymSecret);
    for (const { schema, name: table, columns } of tables) {
      if (schema === 'ledger' && table !== 'reconciliation') continue;
      const told = Object.keys(columns).filter((column) => !['in_chats', 'in_tickets'].includes(column));
      const sql = `select ${told.map((column) => `"${column}"`).join(', ')} from ${schema}.${table} order by all`;
      expectSame([table, await narrow.query(sql)], [table, await theirs.query(sql)]);
    }
  });

  it('is answered as by a warehouse of only these chats', async () => {
    const draw = random(name.length * 7919);
    const theirs = await onlyOf(rule(), name);
    const narrow = apiOf(whole, () => ({ id: name, rows: rule() }));
    const alone = apiOf(theirs, () => localReader);
    const ids = await withIds(theirs);
    const seen = { equal: 0 };
    const questions = tries(12, 100);
    let count = 0;
    while (count < questions || isOneRare(seen, 10, count)) {
      const path = questionFrom(draw, known);
      count += 1;
      const [ours, expected] = [await ask(narrow, path), await expectedOf(alone, path, rule())];
      if (isSearchOfMasked(path, rule(), ours) || isOfEachAgent(rule(), ours)) continue;
      const isSame = ours.status === expected.status && (ours.status !== 200 || ids(ours.body) === expected.body);
      if (!isSame && !isNotReported(path, rule(), ours, expected))
        expect([path, shortened(ours)]).toEqual([path, shortened(expected)]);
      if (ours.status === 200) seen.equal += 1;
    }
    expect(errors).toEqual([]);
    expect(seen.equal).toBeGreaterThan((isWhole ? 0.35 : 0.25) * count);
  });

  it('takes the rows away that a warehouse of only these chats has', async () => {
    const theirs = await onlyOf(rule(), name);
    const narrow = apiOf(whole, () => ({ id: name, rows: rule() }));
    const alone = apiOf(theirs, () => localReader);
    const ids = await withIds(theirs);
    const columns = chatColumnIds.join(',');
    for (const path of [
      `/api/chat-rows?from=2026-05-01&to=2026-05-12&columns=${columns}&limit=1000`,
      `/api/chat-rows.csv?from=2026-05-01&to=2026-05-12&timezone=Asia/Kathmandu&columns=${columns}`,
    ]) {
      const [ours, expected] = [await ask(narrow, path), await ask(alone, path)];
      expect([path, ours.status, ours.body.length > 5000]).toEqual([path, 200, true]);
      expectSame([path, ids(ours.body)], [path, expected.body]);
    }
  });

  it('gets the documents that a warehouse of only these chats would make', async () => {
    const theirs = await onlyOf(rule(), name);
    const [group, ...others] = rule().groups ?? [];
    const filters = {
      group: group === undefined || others.length > 0 ? [] : [group],
      agent: [],
      tag: [],
      variable: [],
    };
    const documentOf = async (
      engine: Store,
      reader: Reader,
      id: string,
      agent: string[] = [],
    ): Promise<DigestDocument> => {
      const snapshot = { id: 's1', published_at: new Date(instant).toISOString(), engine, pseudonyms: pseudonymSecret };
      const its = { id: 'default', timezone: 'UTC', since: account.account.since };
      const period = rangeOf('2026-05-04', '2026-05-12');
      const asking = await digestQuestions(await documentContext(reader, snapshot, its), {
        period,
        timezone: 'UTC',
        filters: { ...filters, agent },
      });
      return digestDocument(asking, { title: id, language: 'en-GB', paper: 'a4', content: [id], stamps: [] });
    };
    // Every fourth one, by turns, so that each has its reader; with the drill all of them.
    const ids = await withIds(theirs);
    const turn = rules.findIndex(([of]) => of === name) % 4;
    for (const { id, panels } of dashboards.filter((_, place) => isWhole || place % 4 === turn)) {
      const ours = await documentOf(whole, { id: name, rows: rule() }, id);
      const expected = await documentOf(theirs, localReader, id);
      if (rule().groups) expect(ours.cover.filters).toContain('limited to group');
      if (rule().agent) expect(ours.cover.filters).toContain('limited to chats of');
      const { agent } = rule();
      // What the source reports of the own agent is told to the reader without asking.
      const named = agent === undefined ? expected : await documentOf(theirs, localReader, id, [agent]);
      const isOfReports = !panels.some(({ metric }) => 'archived' in metricOf(metric));
      const { clear } = isOfReports ? named : expected;
      expectSame([id, figuresOf(ours, rule(), ids)], [id, figuresOf({ ...expected, clear }, rule(), ids)]);
      if (agent === undefined) continue;
      expect(ownReports(ours, ids).length > 0).toBe(panels.some(({ metric }) => isOfOwnReports(metricOf(metric))));
      expectSame([id, ownReports(ours, ids)], [id, ownReports(named, ids)]);
    }
  });
});

describe.each([
  ['everything', () => ({})],
  ['one group', () => ({ groups: [one] })],
] as [string, () => RowRule][])('a reader of %s without names of agents and visitors', (name, rule) => {
  it('is told none of them, whatever is asked', async () => {
    const rows: RowRule = { ...rule(), is_anonymous: true, hides_agents: true };
    const [narrow, all] = [apiOf(whole, () => ({ id: name, rows })), apiOf(whole, () => ({ id: name, rows: rule() }))];
    // A name of one word may be any word.
    const texts = async (sql: string): Promise<string[]> =>
      (await whole.query(sql)).map((row) => String(Object.values(row)[0])).filter((text) => /[ @]/.test(text));
    const secret = [
      ...(await texts('select login from account.agents union select name from account.agents')),
      ...(await texts('select distinct visitor_name from facts.chats where visitor_name is not null')),
      ...(await whole.query('select distinct visitor_id as id from facts.chats')).map(({ id }) => String(id)),
    ];
    expect(secret.length).toBeGreaterThan(50);
    const toldIn = wordsIn(secret.map((word) => JSON.stringify(word).slice(1, -1)));
    const ranked = '/api/reconciliation?metric=chat_ranking&limit=1000';
    expect((await ask(all, ranked)).body).toMatch(/good:|bad:/);
    expect(JSON.parse((await ask(narrow, ranked)).body)).toMatchObject({ rows: [] });
    const draw = random(name.length * 15_485_863);
    const seen = { answered: 0, refused: 0, same: 0 };
    for (let count = 0; count < tries(12, 110) || isOneRare(seen, 5, count);) {
      const path = questionFrom(draw, known);
      // What is asked for by name comes back in the answer.
      if (path.includes('agent=')) continue;
      count += 1;
      const { status, body } = await ask(narrow, path);
      expect([path, toldIn(body)]).toEqual([path, []]);
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
  it('is told figures of no colleague, and otherwise what the own chats say', async () => {
    const own = apiOf(whole, () => ({ id: 'agent', rows: { agent: login, own_figures: true } }));
    const chats = apiOf(whole, () => ({ id: 'agent', rows: { agent: login } }));
    const draw = random(86_028_121);
    const seen = { same: 0, refused: 0 };
    for (let count = 0; count < tries(12, 110) || isOneRare(seen, 10, count);) {
      const path = questionFrom(draw, known);
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

  it('gets the own part of what the source reports by agent, and is told what it does not report so', async () => {
    const own = apiOf(whole, () => ({ id: 'agent', rows: { agent: login, own_figures: true } }));
    const all = apiOf(whole, () => localReader);
    const of = (metric: string, more = '') => `/api/metrics/${metric}?from=2026-05-01&to=2026-05-12&grain=total${more}`;
    for (const metric of ['solved_tickets', 'ticket_ratings', 'availability']) {
      const [ours, named] = [await ask(own, of(metric)), await ask(all, of(metric, `&agent=${login}`))];
      expect([metric, ours.status]).toEqual([metric, 200]);
      expect((JSON.parse(ours.body) as { rows: Row[] }).rows).toEqual((JSON.parse(named.body) as { rows: Row[] }).rows);
    }
    const reason =
      "comes from the source's own reports: for the whole account or one group, not for the chats of one agent";
    for (const metric of ['new_tickets', 'greetings', 'net_flow']) {
      const { status, body } = await ask(own, of(metric));
      expect([status, body]).toEqual([400, expect.stringContaining(`${metric} ${reason}`)]);
    }
    const queue = JSON.parse((await ask(own, of('queued_visitors'))).body) as { not_given: Record<string, string> };
    expect(queue.not_given.left_queue).toBe(`queued_visitors ${reason}`);
  });
});

// `npm run drill:rows` asks as hundreds of them.
it('random readers of every role are answered as by a file that has only their rows, or refused', async () => {
  const { failures, ...found } = await readersOfRows(
    { readers: 5, questions: 8, seed: 12, more: 15 },
    undefined,
    account,
  );
  expect(failures).toEqual([]);
  expect(Math.min(...Object.values(found))).toBeGreaterThan(0);
});

describe('a reader of figures of single agents from 20 chats on', () => {
  const least = 20;
  type Answered = { rows: Row[]; split: string[]; from: string; to: string; compare?: { rows: Row[] } };
  const isOfAgents = (path: string): boolean => /[?&](?:agent=|split=[^&]*agent)|ranking/.test(path);

  it('gets everything else as everybody does', async () => {
    const few = apiOf(whole, () => ({ id: 'few', rows: { agents_from: least } }));
    const all = apiOf(whole, () => localReader);
    const draw = random(49_979_687);
    const seen = { same: 0, shown: 0, hidden: 0 };
    for (let count = 0; count < tries(12, 60) || isOneRare(seen, 5, count);) {
      const path = questionFrom(draw, known);
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

it('a reader of two groups is told that reports on each cannot be added up, and gets them apart', async () => {
  const both = apiOf(whole, () => ({ id: 'both', rows: { groups: [one, other] } }));
  const of = (metric: string, more = '') => `/api/metrics/${metric}?from=2026-05-01&to=2026-05-12&grain=total${more}`;
  const reason = 'several at once cannot be added up: ask with split=group';
  const refused = await ask(both, of('new_tickets'));
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(reason)]);
  const queue = JSON.parse((await ask(both, of('queued_visitors'))).body) as { not_given: Record<string, string> };
  expect(queue.not_given.left_queue).toContain(reason);
  const apart = await ask(both, of('new_tickets', '&split=group'));
  const { rows } = JSON.parse(apart.body) as { rows: Row[] };
  expect(rows.map((row) => Number(row.group)).sort()).toEqual([one, other].sort());
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

it('conversations and the numbers with them stay on no disk of their reader, other figures are asked about again', async () => {
  const api = apiOf(whole, () => localReader);
  const kept = async (path: string): Promise<[number, string | null]> => {
    const { status, headers } = await api.request(`http://127.0.0.1:3000/api${path}`);
    return [status, headers.get('cache-control')];
  };
  const [{ chat_id } = {}] = await whole.query('select chat_id from facts.chats limit 1');
  for (const path of [
    '/chats',
    `/chats/${String(chat_id)}`,
    '/chat-rows',
    '/receipts/total_chats?measure=chats&grain=total',
  ])
    expect([path, await kept(path)]).toEqual([path, [200, 'no-store']]);
  expect(await kept('/metrics/total_chats')).toEqual([200, 'private, no-cache']);
});

it('every table says what a rule leaves of it', () => {
  expect(tables.filter((table) => !shownOf(table)).map(({ schema, name }) => `${schema}.${name}`)).toEqual([]);
});

it('what is counted beforehand is counted of the chats that a rule leaves', async () => {
  const ofGroup = `select count(distinct chat_id) as chats from facts.chat_groups where group_id = ${one}`;
  const [expected] = await whole.query(ofGroup);
  const engine = await narrowed(whole, { groups: [one] });
  const [counted] = await engine.query('select sum(all_chats) as chats from facts.chat_quarters');
  expect(Number(counted?.chats)).toBe(Number(expected?.chats));
  const levels = 'select quarter, highest, busy_seconds from';
  expect(await engine.query(`${levels} facts.account_levels order by all`)).toEqual(
    await whole.query(`${levels} facts.group_levels where group_id = ${one} order by all`),
  );
  expect(await engine.query('select * from facts.level_days')).toEqual([{ account: 'default' }]);
  for (const rule of [{ groups: [one, other] }, { groups: [one], agent: 'nobody@example.com' }]) {
    const others = await narrowed(whole, rule);
    await expect(others.query('select * from facts.account_levels')).rejects.toThrow(/does not exist/);
    expect((await shortcutsOf(others, { id: 'r', rows: rule })).levels.kinds.size).toBe(0);
  }
});

it('who may see one group is answered from the rows of that group, the same as by a file of its chats alone', async () => {
  const rule = { groups: [one] };
  const metric = metricOf('waiting_times');
  const reader = { id: 'r', rows: rule };
  const asked = askOf(
    metric,
    { filters: { group: [one] } },
    { account: account.account, now: Date.parse(instant) / 1000, reader },
  );
  const engine = await narrowed(whole, rule);
  const sqlFor = async (of: Reader): Promise<string> =>
    compile(metric, asked, engine.dialect, ['archived'], await shortcutsOf(engine, of)).sql;
  expect(await sqlFor(reader)).toMatch(/from facts\.chat_groups as c\n\s+where (?!.*group_id)/s);
  expect(await sqlFor({ id: 'r', rows: { groups: [one, other] } })).toContain('c.group_id in');
  const alone = apiOf(await onlyOf(rule, 'one group'), () => localReader);
  const narrow = apiOf(whole, () => reader);
  // Every other one; with the drill all.
  const metricsOfChats = partOf(
    metrics.filter(({ archived }) => archived),
    2,
  );
  for (const [turn, { id, splits }] of metricsOfChats.entries()) {
    const narrower = [`&group=${one}`, `&group=${one}&group=${other}`, ...splits.map((split) => `&split=${split}`)];
    // Beside the plain question one of the others, by turns; with the drill all of them.
    for (const more of ['', ...narrower.filter((_, place) => isWhole || place === turn % narrower.length)]) {
      const path = `/api/metrics/${id}?from=2026-05-01&to=2026-05-11&grain=${more.includes('split') ? 'total' : 'day'}${more}`;
      const [ours, expected] = [await ask(narrow, path), await expectedOf(alone, path, rule)];
      if (!isOfEachAgent(rule, ours)) expect([path, ours]).toEqual([path, expected]);
    }
  }
});

it('what is kept of agents is there for readers of all chats only, and only of their accounts and where agents are named', async () => {
  const rows = 'select count(*) as rows from facts.agent_outcomes';
  const [all] = await whole.query(rows);
  expect(Number(all?.rows)).toBeGreaterThan(0);
  const ofAccount = await narrowed(whole, { accounts: ['default'] });
  expect([await ofAccount.query(rows), await hasOutcomes(ofAccount)]).toEqual([[all], true]);
  const others = await narrowed(whole, { accounts: [] });
  const left = `select (${rows}) as rows, (select count(*) from facts.agent_numbers) as agents`;
  expect(await others.query(left)).toEqual([{ rows: 0, agents: 0 }]);
  for (const rule of [
    { groups: [one] },
    { agent: 'nobody@example.com' },
    { hides_agents: true as const },
  ] satisfies RowRule[]) {
    const some = await narrowed(whole, rule);
    await expect(some.query(rows)).rejects.toThrow(/does not exist/);
    expect(await hasOutcomes(some)).toBe(false);
  }
});

it('what a rule does not name is not there for it', async () => {
  const engine = await narrowed(whole, { groups: [one] });
  for (const table of ['facts.agent_levels', 'facts.agent_outcomes', 'facts.open_changes', 'metrics.total_chats'])
    await expect(engine.query(`select * from ${table}`)).rejects.toThrow(/does not exist/);
  expect(await narrowed(whole, { groups: [one] })).toBe(engine);
  await expect(narrowed(account.pulled.engine, { groups: [one] })).rejects.toThrow('only a published file');
});
