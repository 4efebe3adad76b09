// The band of an agent's colleagues at the door: counted again by hand, without the agent and whoever has few chats, and none where there are few.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Team } from '#api/contract/team.ts';
import type { Store } from '#warehouse/engine.ts';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert, later, type Chat } from '../warehouse/account.ts';
import { apiDeps, authOf } from './deps.ts';
import { expectPromised } from './promised.ts';
import { promisedApi } from './promised-api.ts';

/** Chats in May; `few` has too few to be a colleague, `other` is in another group. */
const counts: Record<string, number> = { ann: 40, bob: 30, cid: 20, dan: 12, eve: 16, fay: 24, few: 3, other: 50 };
const login = (name: string): string => `${name}@x.test`;
const chats: Chat[] = Object.entries(counts).flatMap(([name, count]) =>
  Array.from({ length: count }, (_, place): Chat => ({
    start: `2026-05-${String(1 + (place % 28)).padStart(2, '0')}T10:00:00Z`,
    ...{ agents: [login(name)], groups: [name === 'other' ? 2 : 1], first: [count, login(name)] },
    rate: place % 4 === 0 ? 'rated_bad' : 'rated_good',
  })),
);

const folder = mkdtempSync(join(tmpdir(), 'team-'));
let engine: Store;
beforeAll(async () => {
  const writer = await account(chats);
  const agents = Object.keys(counts).map((name) => ({ login: login(name), name }));
  await insert(writer, 'account', 'agents', agents);
  await insert(writer, 'account', 'groups', [
    { group_id: 1, name: 'Sales' },
    { group_id: 2, name: 'Help' },
  ]);
  const { file } = await publish(writer, folder, later.now * 1000);
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(query: string, reader: Reader = { id: 'manager' }, agentFigures: AgentFigures = { kind: 'all' }) {
  const api = promisedApi(
    apiDeps(engine, {
      ...{ auth: authOf(() => reader), agentFigures, clock: () => later.now * 1000 },
      accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-01-01' }],
    }),
  );
  const answer = await api.request(`/api/agents/team?from=2026-05-01&to=2026-05-31${query}`);
  return { status: answer.status, body: (await answer.json()) as Team & { error?: string } };
}
const figure = ({ figures }: Team, metric: string) => figures.find((it) => it.metric === metric);

describe('the team of an agent', () => {
  it('is the colleagues with enough chats, without the agent', async () => {
    const { status, body } = await ask('&agent=ann%40x.test');
    expect(status).toBe(200);
    expectPromised('get', '/api/agents/team', 200, JSON.stringify(body));
    expect([body.agent, body.days, body.least_colleagues, body.least_basis]).toEqual(['ann@x.test', 31, 5, 10]);
    // 12, 16, 20, 24, 30, 50.
    expect(figure(body, 'total_chats')).toMatchObject({ colleagues: 6, band: { p25: 17, median: 22, p75: 28.5 } });
    expect(figure(body, 'first_response_time')?.band).toEqual({ p25: 17, median: 22, p75: 28.5 });
    expect(figure(body, 'chat_ratings')).toMatchObject({ measure: 'csat', colleagues: 6 });
    // Nobody accepts chats in this account, so there is no time to be busy in.
    expect(figure(body, 'occupancy')).toMatchObject({ band: null });
  });

  it('follows the filters, and says nothing with too few', async () => {
    const sales = await ask('&agent=ann%40x.test&group=1');
    expect(figure(sales.body, 'total_chats')).toMatchObject({ colleagues: 5, band: { p25: 16, median: 20, p75: 24 } });
    const help = await ask('&agent=other%40x.test&group=2');
    expect(figure(help.body, 'total_chats')).toMatchObject({ colleagues: 0, band: null, why_not: 'too_few' });
    const tagged = await ask('&agent=ann%40x.test&tag=refund');
    expect(figure(tagged.body, 'occupancy')).toMatchObject({ band: null, why_not: 'not_given' });
  });

  it('is of whom the reader sees: a group, those with enough chats as agreed, nobody', async () => {
    const ofHelp = await ask('&agent=ann%40x.test', { id: 'two', rows: { groups: [2] } });
    expect(figure(ofHelp.body, 'total_chats')).toMatchObject({ colleagues: 1, band: null, why_not: 'too_few' });
    const agreed = await ask('&agent=ann%40x.test', { id: 'manager' }, { kind: 'from', chats: 20 });
    expect(figure(agreed.body, 'total_chats')).toMatchObject({ colleagues: 4, band: null, why_not: 'too_few' });
    expect((await ask('&agent=ann%40x.test', { id: 'manager' }, { kind: 'none' })).status).toBe(403);
    const own: Reader = { id: 'ann', rows: { agent: 'ann@x.test', own_figures: true } };
    expect((await ask('&agent=ann%40x.test', own)).status).toBe(400);
  });

  it('names what is missing or unknown', async () => {
    expect(await ask('')).toMatchObject({ status: 400 });
    expect(await ask('&agent=ann%40x.test&split=tag')).toMatchObject({ status: 400 });
  });
});
