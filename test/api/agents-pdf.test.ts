// The table of agents as a PDF: its numbers against those put in, what is marked as a clear change, the team, and readers of a part.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentsDocument, type AgentsDocument } from '#digests/agents-document.ts';
import { agentsPages } from '#digests/pdf/agents-pages.ts';
import { endRenderer } from '#digests/render/renderer.ts';
import type { Store } from '#warehouse/engine.ts';
import { contextWhenPublished } from '#warehouse/query/context.ts';
import type { Reader, RowRule } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert, later, type Chat } from '../warehouse/account.ts';
import { testInDrill, tries } from '../chance.ts';
import { apiDeps, authOf } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'agents-pdf-'));
const day = (at: number): string => new Date(Date.UTC(2026, 3, 1 + at)).toISOString().slice(0, 10);
/** The later four of eight weeks. */
const weeks = { from: day(28), to: day(55), timezone: 'UTC', compare: 'previous' };
const its = { id: 'default', timezone: 'UTC', since: '2026-01-01' };

/** Eight weeks of so many chats a day; in the earlier four Ann is ten times as slow, and rated badly. */
const chatsOf = (agent: string, group: number, each: number): Chat[] =>
  Array.from({ length: 56 * each }, (_, at): Chat => {
    const isPoor = agent === 'ann@x.test' && at < 28 * each;
    const seconds = (isPoor ? 300 : 30) + (at % 7);
    const date = day(Math.floor(at / each));
    return {
      ...{ start: `${date}T1${at % each}:00:00Z`, agents: [agent], groups: [group] },
      ...{ first: [seconds, agent], turns: { [agent]: [seconds, 1] } },
      rate: isPoor || at % 4 === 0 ? 'rated_bad' : 'rated_good',
      goals: at % 14 ? [] : [{ id: 1, at: `${date}T19:00:00Z`, sale: true, price: '19.90', currency: 'EUR' }],
    };
  });

async function published(chats: Chat[], names: Record<string, string>): Promise<Store> {
  const writer = await account(chats);
  const agents = Object.entries(names).map(([login, name]) => ({ login, name }));
  if (agents.length > 0) await insert(writer, 'account', 'agents', agents);
  const groups = [1, 2].map((group_id) => ({ group_id, name: `Group ${group_id}` }));
  await insert(writer, 'account', 'groups', groups);
  const { file } = await publish(writer, mkdtempSync(join(folder, 'snapshot-')), later.now * 1000);
  await writer.close();
  return openWarehouse(file, { readOnly: true });
}

let engine: Store;
beforeAll(async () => {
  const cid = chatsOf('cid@x.test', 2, 1).slice(0, 30);
  engine = await published([...chatsOf('ann@x.test', 1, 3), ...chatsOf('bob@x.test', 2, 2), ...cid], {
    ...{ 'ann@x.test': 'Ann', 'bob@x.test': 'Bob #set page(fill: red)\u202e', 'cid@x.test': 'Cid' },
  });
});
afterAll(async () => {
  await engine.close();
  endRenderer();
  rmSync(folder, { recursive: true, force: true });
});

async function documentOf(rows?: RowRule, wanted: object = {}, of = engine): Promise<AgentsDocument> {
  const snapshot = { id: 's1', published_at: new Date(later.now * 1000).toISOString(), engine: of };
  const reader: Reader = { id: 'm', ...(rows ? { rows } : {}) };
  return agentsDocument({ ...weeks, ...wanted }, await contextWhenPublished(reader, snapshot, its));
}

/** One cell: the number, the compared one, and the mark of a clear change. */
function cellIn({ tables }: AgentsDocument, name: string, column: string) {
  const table = tables.find(({ columns }) => columns.includes(column));
  const row = [...(table?.rows ?? []), ...(table?.team ? [table.team] : [])].find((it) => it.name.startsWith(name));
  const { text, before, clear } = row?.numbers[table?.columns.indexOf(column) ?? -1] ?? { text: 'missing' };
  return [text, before, clear && `${clear.sign} ${clear.verdict}`];
}

function ask(query: string, rows?: RowRule, of = engine) {
  const api = promisedApi(
    apiDeps(of, {
      auth: authOf(() => ({ id: 'm', ...(rows ? { rows } : {}) })),
      clock: () => later.now * 1000,
      accounts: () => [its],
    }),
  );
  return api.request(`http://127.0.0.1:3000/api/agents.pdf?${query}`);
}
const query = new URLSearchParams(weeks).toString();

describe('the document', () => {
  it('has each number beside the compared one, and marks the changes beyond chance alone', async () => {
    const made = await documentOf();
    expect(made.compared).toBe('Below each number, in grey: the 4 weeks before.');
    expect(cellIn(made, 'Ann', 'Chats')).toEqual(['84', '84', undefined]);
    expect(cellIn(made, 'Ann', 'CSAT')).toEqual(['75.0%', '0.0%', '1 better']);
    expect(cellIn(made, 'Ann', 'First response')).toEqual(['33 s', '5 m 03 s', '-1 better']);
    expect(cellIn(made, 'Bob', 'CSAT')).toEqual(['75.0%', '75.0%', undefined]);
    expect(cellIn(made, 'Cid', 'Chats')).toEqual(['2', '28', '-1 neither']);
    // Two ratings say nothing.
    expect(cellIn(made, 'Cid', 'CSAT')).toEqual(['50.0%', '75.0%', undefined]);
    expect(cellIn(made, 'Bob', 'CSAT vs expected')[0]).not.toBe('missing');
  });

  it('has a line of the team, in which every chat and every sale counts', async () => {
    const made = await documentOf();
    expect(cellIn(made, 'The whole team', 'Chats').slice(0, 2)).toEqual(['142', '168']);
    expect(cellIn(made, 'The whole team', 'CSAT')[0]).toBe(`${((106 / 142) * 100).toFixed(1)}%`);
    const sales = ['Ann', 'Bob', 'Cid', 'The whole team'].map((name) => Number(cellIn(made, name, 'Sales (EUR)')[0]));
    expect(sales[3]).toBeCloseTo(
      sales.slice(0, 3).reduce((sum, value) => sum + value, 0),
      2,
    );
    expect(sales[3]).toBeGreaterThan(100);
    // Hours in which somebody has a chat are no sum of the hours of each.
    expect(cellIn(made, 'The whole team', 'Chatting')[0]).toBe('');
  });

  it('names its filters, and what a reader is limited to', async () => {
    expect((await documentOf(undefined, { filters: { group: [2] } })).cover.filters).toBe('group Group 2');
    const made = await documentOf({ groups: [2] });
    expect(made.cover.filters).toBe('limited to group Group 2');
    expect(cellIn(made, 'The whole team', 'Chats').slice(0, 2)).toEqual(['58', '84']);
    expect(cellIn(made, 'Ann', 'Chats')[0]).not.toBe('84');
  });

  it('has no figure of an agent with fewer chats than was agreed, now or before, and says so', async () => {
    const made = await documentOf({ agents_from: 40 });
    expect(made.notes).toContainEqual(expect.stringMatching(/^Figures of single agents are shown from 40 chats on/));
    for (const column of ['Chats', 'CSAT', 'First response', 'Sales (EUR)'])
      expect(cellIn(made, 'Cid', column)).toEqual(['< 40 chats', undefined, undefined]);
    await expect(documentOf({ hides_agents: true })).rejects.toThrow('agents');
  });

  it('without a comparison has neither compared numbers nor marks', async () => {
    const made = await documentOf(undefined, { compare: undefined });
    expect(made.compared).toBeUndefined();
    expect(cellIn(made, 'Ann', 'CSAT')).toEqual(['75.0%', undefined, undefined]);
    expect(made.notes.some((note) => note.includes('▲'))).toBe(false);
  });

  it('sets names as text, without characters that turn the writing', async () => {
    const page = agentsPages(await documentOf()).get('/document.json') ?? '';
    expect(page).toContain('Bob #set page(fill: red)"');
  });
});

describe('the file', () => {
  it('is a PDF with its days in the name, which nobody keeps', async () => {
    const answer = await ask(query);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-disposition')).toContain(`default-agents-${weeks.from}-to-${weeks.to}.pdf`);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('is refused to those who may see figures of nobody or of themselves only, and for a wrong filter', async () => {
    expect((await ask(query, { hides_agents: true })).status).toBe(400);
    expect((await ask(query, { agent: 'ann@x.test', own_figures: true })).status).toBe(400);
    expect((await ask(`${query}&group=first`)).status).toBe(400);
    expect((await ask(`${query}&language=de`)).status).toBe(400);
  });

  testInDrill('of many agents with long names and sales in twelve currencies, of one and of none is made', async () => {
    const currencies = ['EUR', 'USD', 'GBP', 'NOK', 'PLN', 'SEK', 'DKK', 'JPY', 'CHF', 'CAD', 'AUD', 'CZK'];
    const logins = Array.from({ length: tries(60, 200) }, (_, at) => `agent${at}@x.test`);
    const chats = logins.flatMap((login, at) =>
      [0, 20, 40].map((first): Chat => {
        const date = day(first + (at % 7));
        const price = { price: '111119.90', currency: currencies[at % 12] ?? '' };
        return {
          ...{ start: `${date}T10:00:00Z`, agents: [login], rate: 'rated_good', first: [10 + at, login] },
          goals: [{ id: 1, at: `${date}T19:00:00Z`, sale: true, ...price }],
        };
      }),
    );
    const long = (at: number): string =>
      at === 0 ? 'A'.repeat(80) : `Agent ${at} ${'with a very long name '.repeat(3)}`;
    const many = await published(chats, Object.fromEntries(logins.map((login, at) => [login, long(at)])));
    const one = await published(chatsOf('ann@x.test', 1, 1), { 'ann@x.test': 'Ann' });
    const none = await published([], {});
    const whole = await documentOf(undefined, {}, many);
    expect(whole.tables.map(({ columns }) => columns.length)).toEqual([10, 8, 4, 3]);
    // The second table of currencies has the last by name.
    const last = logins.filter((_, at) => ['NOK', 'PLN', 'SEK', 'USD'].includes(currencies[at % 12] ?? '')).length;
    const all = logins.length;
    expect(whole.tables.map(({ rows }) => rows.length)).toEqual([all, all - last, last, all]);
    expect((await documentOf(undefined, {}, none)).notes).toContain('The account has no agents yet.');
    for (const store of [many, one, none]) {
      const answer = await ask(query, undefined, store);
      expect(answer.status).toBe(200);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(bytes.length).toBeGreaterThan(5000);
      expect(bytes.length).toBeLessThan(1_000_000);
      await store.close();
    }
  });
});
