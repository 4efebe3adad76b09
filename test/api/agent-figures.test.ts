// What is agreed of figures of single agents holds at every door: metrics, files, receipts, searches, reports, digests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Me } from '#api/contract/sign-in.ts';
import { rightNames } from '#auth/rights.ts';
import { askerFor, digestQuestions, documentContext } from '#digests/digest-questions.ts';
import { digestDocument, type DigestDocument } from '#digests/document.ts';
import { rangeOf } from '#digests/periods.ts';
import type { Store } from '#warehouse/engine.ts';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert, later, type Chat } from '../warehouse/account.ts';
import { apiDeps, authOf } from './deps.ts';
import { expectPromised } from './promised.ts';
import { promisedApi } from './promised-api.ts';

/** Chats in May; `ann` and `bob` have enough, `cid` has few, `dan` just enough. */
const counts: Record<string, number> = { 'ann@x.test': 40, 'bob@x.test': 30, 'cid@x.test': 3, 'dan@x.test': 11 };
const chats: Chat[] = Object.entries(counts).flatMap(([agent, count]) =>
  Array.from({ length: count }, (_, place): Chat => ({
    start: `2026-05-${String(1 + (place % 28)).padStart(2, '0')}T10:00:00Z`,
    ...{ agents: [agent], groups: [1], first: [10 + place, agent], turns: { [agent]: [30, 2] } },
    rate: place % 4 === 0 ? 'rated_bad' : 'rated_good',
  })),
);

const folder = mkdtempSync(join(tmpdir(), 'agent-figures-'));
let engine: Store;
beforeAll(async () => {
  const writer = await account(chats);
  const agents = Object.keys(counts).map((login) => ({ login, name: login }));
  await insert(writer, 'account', 'agents', agents);
  await insert(writer, 'account', 'groups', [{ group_id: 1, name: 'Sales' }]);
  const { file } = await publish(writer, folder, later.now * 1000);
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const everything: Reader = { id: 'manager' };
const from10: AgentFigures = { kind: 'from', chats: 10 };
const none: AgentFigures = { kind: 'none' };

type Answer = { status: number; body: string; rows: Record<string, unknown>[] };

async function ask(agreed: AgentFigures, path: string, reader = everything): Promise<Answer> {
  const api = promisedApi(
    apiDeps(engine, {
      auth: authOf(() => reader),
      agentFigures: agreed,
      clock: () => later.now * 1000,
      accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-01-01' }],
    }),
  );
  const answer = await api.request(`http://127.0.0.1:3000/api${path}`);
  const body = await answer.text();
  expectPromised('GET', `/api${path}`, answer.status, body);
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  const { rows = [] } = isJson ? (JSON.parse(body) as { rows?: Record<string, unknown>[] }) : {};
  return { status: answer.status, body, rows };
}

const may = 'from=2026-05-01&to=2026-05-28';
const total = `${may}&grain=total`;

/** Pages with figures of agents, as a document for a reader of everything. */
async function documentUnder(agentFigures: AgentFigures): Promise<DigestDocument> {
  const snapshot = { id: 's1', published_at: new Date(later.now * 1000).toISOString(), engine };
  const its = { id: 'default', timezone: 'UTC', since: '2026-01-01' };
  const asker = askerFor({ agentFigures }, { name: 'Vera' }, { id: 'default' });
  const asking = await digestQuestions(await documentContext(asker, snapshot, its), {
    period: rangeOf('2026-05-01', '2026-05-28'),
    timezone: 'UTC',
    filters: { group: [], agent: [], tag: [], variable: [] },
  });
  const content = ['ratings', 'responses', 'occupancy'];
  return digestDocument(asking, {
    title: 'May',
    language: 'en-GB',
    paper: 'a4',
    content,
    stamps: [],
  });
}

describe('from 10 chats on', () => {
  it('shows the figures of who has enough, and of the others that they have fewer', async () => {
    const { rows } = await ask(from10, `/metrics/chat_ratings?${total}&split=agent`);
    const by = new Map(rows.map((row) => [row.agent, row]));
    expect(by.get('ann@x.test')).toMatchObject({ chats: 40, state: 'complete' });
    expect(by.get('cid@x.test')).toMatchObject({ chats: null, csat: null, state: 'too_few', fewer_than: 10 });
    // By itself cid would be the total without the others.
    expect(by.get('dan@x.test')).toMatchObject({ chats: null, csat: null, state: 'withheld' });
    expect(by.get('dan@x.test')).not.toHaveProperty('fewer_than');
  });

  it('tells the total, from which nobody can be worked out', async () => {
    const [whole] = (await ask(from10, `/metrics/total_chats?${total}`)).rows;
    const { rows } = await ask(from10, `/metrics/total_chats?${total}&split=agent`);
    let rest = Number(whole?.chats);
    for (const row of rows) rest -= Number(row.chats ?? 0);
    expect(rest).toBe(14);
    expect(Object.values(counts)).not.toContain(rest);
  });

  it.each([
    ['cid@x.test', 'too_few'],
    ['dan@x.test', 'withheld'],
    ['ann@x.test', 'complete'],
    ['nobody@x.test', 'too_few'],
  ])('says the same of %s asked alone', async (agent, state) => {
    const { rows } = await ask(from10, `/metrics/total_chats?${total}&agent=${agent}`);
    expect(rows.map((row) => row.state)).toEqual([state]);
  });

  it('tells no sum with somebody who has too few', async () => {
    const { rows } = await ask(from10, `/metrics/total_chats?${total}&agent=ann@x.test&agent=cid@x.test`);
    expect(rows).toMatchObject([{ chats: null, state: 'too_few' }]);
  });

  it('counts by cell: a day of few chats is hidden, whoever had them', async () => {
    const { rows } = await ask(from10, `/metrics/total_chats?${may}&grain=day&split=agent`);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(({ chats }) => chats !== null)).toEqual([]);
  });

  it.each([
    `/metrics/first_response_time?${total}&split=agent&compare=previous`,
    `/metrics/chatting_time?${total}&split=agent,group`,
    `/metrics/concurrent_chats?${total}&split=agent`,
    `/metrics/chat_duration?${may}&grain=month&split=agent&group=1`,
  ])('holds for %s', async (path) => {
    const { status, rows } = await ask(from10, path);
    expect(status).toBe(200);
    for (const { agent, state, ...row } of rows) {
      if (agent !== 'cid@x.test') continue;
      expect(state).toBe('too_few');
      const measured = Object.entries(row).filter(([name]) => !['group', 'period', 'fewer_than'].includes(name));
      expect(measured.filter(([, value]) => value !== null)).toEqual([]);
    }
  });

  it('holds for files', async () => {
    const { body } = await ask(from10, `/metrics/total_chats.csv?${total}&split=agent`);
    expect(body).toContain('ann@x.test,40');
    expect(body).toMatch(/cid@x\.test,,too_few/);
    const panel = await ask(from10, `/panels/responses/first-by-agent.csv?${may}`);
    expect(panel.body).toMatch(/ann@x/);
    expect(panel.body).toMatch(/cid@x[^\d]*\n/);
  });

  it.each([
    [`/receipts/total_chats?${total}&split=agent&at.agent=cid@x.test`, 'from 10 chats on, and here there are fewer'],
    [`/receipts/total_chats?${total}&split=agent&at.agent=dan@x.test`, 'withheld because'],
    [`/receipts/total_chats?${total}&agent=cid@x.test`, 'from 10 chats on'],
    [`/receipts/total_chats?${may}&grain=day&period=2026-05-01&split=agent&at.agent=ann@x.test`, 'from 10 chats on'],
    [`/chats?${may}&agent=cid@x.test`, 'from 10 chats on'],
    [`/metrics/chat_ranking?${total}`, 'rankings are switched off'],
    [`/reports/chats/total_chats?date_from=2026-05-01&date_to=2026-05-28&agent=cid@x.test`, 'figures of single agents'],
    [`/reports/chats/ratings/ranking?date_from=2026-05-01&date_to=2026-05-28`, 'rankings are switched off'],
  ])('refuses %s with the reason', async (path, reason) => {
    const { status, body } = await ask(from10, path);
    expect([status, body.includes(reason)]).toEqual([400, true]);
  });

  it('leaves what is of many as it is, and so the figures of who has enough', async () => {
    for (const path of [
      `/receipts/total_chats?${total}&split=agent&at.agent=ann@x.test`,
      `/chats?${may}&agent=ann@x.test`,
      `/reports/chats/total_chats?date_from=2026-05-01&date_to=2026-05-28`,
      `/metrics/total_chats?${may}&split=group`,
    ])
      expect([path, (await ask(from10, path)).body]).toEqual([path, (await ask({ kind: 'all' }, path)).body]);
  });

  it('keeps its answers apart from those of everything', async () => {
    const path = `/metrics/total_chats?${total}&split=agent`;
    expect((await ask(from10, path)).body).not.toBe((await ask({ kind: 'all' }, path)).body);
  });

  it('refuses the file with everything, and says why', async () => {
    const { status, body } = await ask(from10, '/snapshots/current/file');
    expect([status, body.includes('CHATLEDGER_AGENT_FIGURES')]).toEqual([403, true]);
  });

  it('holds for documents, which rank nobody', async () => {
    const document = await documentUnder(from10);
    const ofAgents = document.sections
      .flatMap(({ panels }) => panels)
      .filter(({ panel }) => panel.split?.includes('agent'));
    expect(ofAgents.length).toBeGreaterThan(2);
    for (const { panel, answers } of ofAgents) {
      expect([panel.id, panel.byName, panel.ranks, panel.metric]).not.toContain('chat_ranking');
      expect([panel.id, panel.byName, panel.ranks]).toEqual([panel.id, true, false]);
      for (const row of answers.flatMap(({ rows }) => rows))
        if (row['agent'] === 'cid@x.test') expect([panel.id, row.state]).toEqual([panel.id, 'too_few']);
    }
  });
});

describe('compared with what was expected', () => {
  interface Expected {
    outcomes: { id: string; agents: { agent: string; count: number; observed: number }[] }[];
    hidden: { agent: string; why: string }[];
  }
  const told = async (agreed: AgentFigures, query = ''): Promise<Expected> =>
    JSON.parse((await ask(agreed, `/agents/expected?${may}${query}`)).body) as Expected;

  it('tells of everybody, and of one who is asked for the same as among all', async () => {
    const { outcomes, hidden } = await told({ kind: 'all' });
    const [satisfaction] = outcomes;
    expect(hidden).toEqual([]);
    expect(satisfaction?.agents.map(({ agent, count }) => [agent, count])).toEqual(
      Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    expect(satisfaction?.agents[0]?.observed).toBe(0.75);
    const alone = await told({ kind: 'all' }, '&agent=bob@x.test');
    expect(alone.outcomes.map(({ agents }) => agents)).toEqual(
      outcomes.map(({ agents }) => agents.filter(({ agent }) => agent === 'bob@x.test')),
    );
  });

  it('hides who has too few chats, and who could be worked out from it', async () => {
    const { outcomes, hidden } = await told(from10);
    expect(hidden.map(({ agent, why }) => [agent, why]).sort()).toEqual([
      ['cid@x.test', 'too_few'],
      ['dan@x.test', 'withheld'],
    ]);
    expect(new Set(outcomes.flatMap(({ agents }) => agents.map(({ agent }) => agent)))).toEqual(
      new Set(['ann@x.test', 'bob@x.test']),
    );
  });

  it('is refused where nobody is told of, and to an agent, who is told of no colleague', async () => {
    expect((await ask(none, `/agents/expected?${may}`)).status).toBe(403);
    const cid: Reader = { id: 'cid', rows: { agent: 'cid@x.test', own_figures: true } };
    const { status, body } = await ask({ kind: 'all' }, `/agents/expected?${may}`, cid);
    expect([status, body.includes('your own figures only')]).toEqual([400, true]);
    expect((await ask({ kind: 'all' }, `/agents/expected?${may}&split=tag`)).status).toBe(400);
  });
});

describe('of nobody', () => {
  it.each([
    `/metrics/total_chats?${total}&split=agent`,
    `/metrics/total_chats?${total}&agent=ann@x.test`,
    `/metrics/chat_ranking?${total}`,
    `/receipts/total_chats?${total}&split=agent&at.agent=ann@x.test`,
    `/metrics/total_chats.csv?${total}&split=agent`,
  ])('refuses %s', async (path) => {
    expect((await ask(none, path)).status).toBe(400);
  });

  it('shows no conversation, and says why', async () => {
    const { status, body } = await ask(none, `/chats?${may}`);
    expect([status, body.includes('CHATLEDGER_AGENT_FIGURES')]).toEqual([403, true]);
  });

  it('names nobody', async () => {
    for (const path of ['/accounts', `/metrics/total_chats?${may}`, `/receipts/total_chats?${total}`])
      expect((await ask(none, path)).body).not.toMatch(/ann@x|cid@x/);
  });
});

it('documents that name nobody leave out what is by agent', async () => {
  const document = await documentUnder(none);
  expect(document.sections.flatMap(({ panels }) => panels).length).toBeGreaterThan(3);
  expect(
    document.sections.flatMap(({ panels }) => panels.filter(({ panel }) => panel.split?.includes('agent'))),
  ).toEqual([]);
  expect(JSON.stringify(document)).not.toMatch(/ann@x|cid@x/);
});

describe.each([
  ['from 10 chats on', from10],
  ['of nobody', none],
])('an agent, with figures %s', (_, agreed) => {
  const cid: Reader = { id: 'cid', rows: { agent: 'cid@x.test', own_figures: true } };
  it('sees the own figures and chats, and those of no colleague', async () => {
    const own = await ask(agreed, `/metrics/total_chats?${total}&agent=cid@x.test`, cid);
    expect(own.rows).toMatchObject([{ chats: 3, state: 'complete' }]);
    expect((await ask(agreed, `/chats?${may}&agent=cid@x.test`, cid)).status).toBe(200);
    for (const query of ['agent=ann@x.test', 'split=agent', 'agent=cid@x.test&agent=ann@x.test']) {
      const { status, body } = await ask(agreed, `/metrics/total_chats?${total}&${query}`, cid);
      expect([status, body.includes('your own figures only')]).toEqual([400, true]);
    }
  });
});

it('readers of digests ask under the same agreement', () => {
  expect(askerFor({ agentFigures: from10 }, { name: 'Vera', groups: [2] }, { id: 'default' }).rows).toEqual({
    groups: [2],
    agents_from: 10,
  });
  expect(askerFor({ agentFigures: none }, { name: 'Vera' }, { id: 'default' }).rows).toEqual({ hides_agents: true });
  expect(askerFor({}, { name: 'Vera' }, { id: 'default' }).rows).toBeUndefined();
});

it('it holds for whoever sits at the machine and for the preset token, and their profile says so', async () => {
  for (const [agreed, agents_from, lost] of [
    [from10, 10, ['files']],
    [none, null, ['agents:read', 'chats:read', 'files']],
  ] as const)
    for (const headers of [{}, { authorization: 'Bearer right-token' }]) {
      const api = promisedApi(apiDeps(engine, { agentFigures: agreed }));
      const answer = await api.request('http://127.0.0.1:3000/api/me', { headers });
      const me = (await answer.json()) as Me;
      expect(me.agents_from).toBe(agents_from);
      expect(rightNames.filter((right) => !me.rights.includes(right)).sort()).toEqual([...lost].sort());
    }
});

it('digests are kept by whoever may, also while they name nobody', async () => {
  const api = promisedApi(apiDeps(engine, { agentFigures: none }));
  const answer = await api.request('http://127.0.0.1:3000/api/digests');
  expect(await answer.text()).toContain('this server keeps no digests');
});
