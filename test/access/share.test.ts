// Shared links: they show one page with its filters frozen, to whoever has them, as long as their maker may see it, and nothing else.
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '#api/contract/contract.ts';
import type { ApiDeps } from '#api/deps.ts';
import { openAuth } from '#auth/auth.ts';
import type { Rows } from '#auth/caller.ts';
import { userFrom } from '#auth/user-shape.ts';
import { panelQueries } from '#dashboards/panel-queries.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { withoutAgents } from '#dashboards/panel.ts';
import { questions } from '#dashboards/questions.ts';
import { readFilters } from '#lib/filters.ts';
import { questionAddress } from '#lib/metric-question.ts';
import { webServer } from '#server/web-server.ts';
import { catalogue, metricOf } from '#warehouse/definitions/metrics.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { expectPromised } from '../api/promised.ts';
import { partOf, testInDrill } from '../chance.ts';
import { account } from '../warehouse/account.ts';
import { openDoors, type Doors } from './api.ts';

const folder = mkdtempSync(join(tmpdir(), 'share-'));
let engine: Store;
let doors: Doors;
let maker: { id: string; cookie: string };

beforeAll(async () => {
  const writer = await account(
    [
      { start: '2026-05-05T10:00:00Z', groups: [2], agents: ['a@x.test'], tags: ['refund'] },
      { start: '2026-05-06T10:00:00Z', groups: [3], agents: ['b@x.test'] },
      { start: '2026-05-06T11:00:00Z', groups: [2, 3], agents: ['a@x.test', 'b@x.test'] },
    ],
    'Europe/Warsaw',
  );
  const { file } = await publish(writer, folder, Date.parse('2026-05-12T09:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  doors = open();
  await doors.userWith('admin');
  maker = await doors.userWith('manager', { name: 'Vera' });
});

function open(hasSharing = true, database = new DatabaseSync(':memory:')): Doors {
  const opened: { doors?: Doors } = {};
  const clock = () => opened.doors?.now() ?? Date.now();
  const auth = openAuth(database, { url: 'http://127.0.0.1:3000', clock, hasSharing });
  return (opened.doors = openDoors(engine, { auth }));
}

const range = { from: '2026-05-01', to: '2026-05-09' };
const volume = { title: 'May', page: 'overview/volume', filters: range, days: 30 };
type Made = { share: { id: string }; key: string };

async function made(body: object = volume, cookie = maker.cookie): Promise<Made> {
  const answer = await doors.ask('/shares', { cookie }, { method: 'POST', body });
  expect([answer.status, answer.status === 200 ? '' : await answer.clone().text()]).toEqual([200, '']);
  return (await answer.json()) as Made;
}
const by = (key: string) => ({ authorization: `Bearer ${key}` });
const status = async (path: string, key: string, method = 'GET') =>
  (await doors.ask(path, by(key), { method, ...(method === 'GET' ? {} : { body: {} }) })).status;
const chatsIn = async (key: string): Promise<number> => {
  const { outcomes } = (await (await doors.ask('/share/panels/volume', by(key))).json()) as {
    outcomes: { answer: { rows: { chats: number }[] } }[];
  };
  return outcomes[0]?.answer.rows.reduce((sum, { chats }) => sum + chats, 0) ?? NaN;
};
function change(rows: Rows, role: 'manager' | 'viewer' = 'manager') {
  const { email, name } = doors.auth.users.find(maker.id) ?? { email: '', name: '' };
  doors.auth.users.change(maker.id, userFrom({ email, name, role, rows }));
}

describe('the page of a link', () => {
  it('says what it shows, of whom and until when', async () => {
    const { key } = await made({ ...volume, filters: { ...range, group: [2], timezone: 'Asia/Tokyo' } });
    const answer = await doors.ask('/share', by(key));
    for (const path of ['/share', '/share/panels/volume'])
      expectPromised('GET', `/api${path}`, 200, await (await doors.ask(path, by(key))).text());
    const listed = await (await doors.ask('/shares', { cookie: maker.cookie })).text();
    expectPromised('GET', '/api/shares', 200, listed);
    expect(await answer.json()).toMatchObject({
      ...{ title: 'May', shared_by: 'Vera', dashboard: 'overview', panels: ['volume'], today: [], has_agents: false },
      filters: { ...range, group: ['2'], timezone: 'Asia/Tokyo', grain: 'day', compare: 'previous' },
      account: { id: 'default', agents: [], tags: [] },
      metrics: [{ id: 'total_chats' }],
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('shows panels as they were split, and none by agent to whom agents are not shown', async () => {
    const filters = { ...range, split: ['volume.group', 'missed.agent', 'duration.country'] };
    const splits = async (has_agents: boolean) => {
      const { key } = await made({ ...volume, page: 'chats', has_agents, filters });
      const panels = (await (await doors.ask('/share', by(key))).json()) as { panels: string[] };
      const of = async (id: string) => {
        const shown = await doors.ask(`/share/panels/${id}`, by(key));
        const { outcomes } = (await shown.json()) as { outcomes?: { answer: { split: string[] } }[] };
        return outcomes?.map(({ answer }) => answer.split.join());
      };
      return [panels.panels.includes('missed'), await of('volume'), await of('missed'), await of('duration')];
    };
    const rest = [
      ['group', 'group'],
      ['country', 'country', 'country'],
    ];
    expect(await splits(true)).toEqual([true, rest[0], ['agent', 'agent'], rest[1]]);
    expect(await splits(false)).toEqual([false, rest[0], undefined, rest[1]]);
    const wrong = { ...volume, filters: { ...range, split: ['volume.moon'] } };
    const refused = await doors.ask('/shares', { cookie: maker.cookie }, { method: 'POST', body: wrong });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('volume.group')]);
  });

  it('shows several groups beside each other or together, as they were shared', async () => {
    const splitOf = async (together?: boolean) => {
      const filters = { ...range, group: [1, 2], ...(together === undefined ? {} : { together }) };
      const answer = await doors.ask('/share/panels/volume', by((await made({ ...volume, filters })).key));
      const { outcomes } = (await answer.json()) as { outcomes: { answer: { split: string[] } }[] };
      return outcomes[0]?.answer.split;
    };
    expect(await splitOf(false)).toEqual(['group']);
    expect(await splitOf(true)).toEqual([]);
    // Links made before there was a choice.
    expect(await splitOf()).toEqual([]);
  });

  // By turns with agents or without; with the drill both of each.
  it.each(
    dashboards.flatMap(({ id }, place) => partOf([true, false], 2, place).map((has_agents) => ({ id, has_agents }))),
  )('answers what the maker sees on $id, with agents: $has_agents', async ({ id, has_agents }) => {
    const { panels } = dashboards.find((it) => it.id === id) ?? { panels: [] };
    const asked = 'from=2026-05-02&to=2026-05-08&group=2&timezone=Asia/Kathmandu&compare=year';
    const filters = readFilters(new URLSearchParams(asked), 'Europe/Warsaw', '2026-05-01', new Date());
    const { from, to, timezone, compare } = filters;
    const { key } = await made({
      ...{ title: id, page: id, days: 1, has_agents },
      filters: { from, to, timezone, compare, group: [2] },
    });
    const metrics = new Map((await metricsOf()).map((metric) => [metric.id, metric]));
    for (const panel of has_agents ? panels : withoutAgents(panels)) {
      const answer = await doors.ask(`/share/panels/${panel.id}`, by(key));
      expect([panel.id, answer.status]).toEqual([panel.id, 200]);
      const { outcomes } = (await answer.json()) as { outcomes: { kind: string; answer: object }[] };
      expect(outcomes.length).toBe(questions(panel).length);
      for (const [place, question] of questions(panel).entries()) {
        const seen = await doors.ask(
          questionAddress(question, 'default', filters, metrics.get(question.metric)).slice('/api'.length),
          { cookie: maker.cookie },
        );
        const outcome = outcomes[place];
        expect([panel.id, place, seen.status]).toEqual([panel.id, place, outcome?.kind === 'answered' ? 200 : 400]);
        if (outcome?.kind === 'answered') expect(outcome.answer).toEqual(await seen.json());
      }
    }
  });

  it('moves with its preset, and not otherwise', async () => {
    const { key } = await made({ ...volume, filters: { preset: 'month' } });
    const shown = (await (await doors.ask('/share', by(key))).json()) as { filters: object };
    expect(shown.filters).toMatchObject({ preset: 'month', from: '2026-06-01', to: '2026-06-01', today: '2026-06-01' });
  });

  it('is no page that is not there, and no filters that are none', async () => {
    const refused = async (more: object) =>
      (await doors.ask('/shares', { cookie: maker.cookie }, { method: 'POST', body: { ...volume, ...more } })).status;
    for (const more of [
      { page: 'people' },
      { page: 'overview/none' },
      { filters: {} },
      { filters: { from: '2026-05-02' } },
      { filters: { ...range, preset: '7d' } },
      { filters: { from: '2026-05-09', to: '2026-05-01' } },
      { filters: { ...range, timezone: 'Mars/Base' } },
      { filters: { ...range, agent: ['a@x.test'] } },
      { account: 'other' },
      { days: 0 },
      { days: 367 },
      { title: '' },
    ])
      expect([more, await refused(more)]).toEqual([more, 400]);
    expect(await refused({ filters: { ...range, agent: ['a@x.test'] }, has_agents: true })).toBe(200);
  });
});

async function metricsOf() {
  return catalogue().map((metric) => ({ ...metric, settling_days: { days: 7, measured: false } }));
}

describe('with the key of a link', () => {
  it('nothing else is answered: no other endpoint, whatever it needs', async () => {
    const { key } = await made({ ...volume, has_agents: true });
    for (const { method, path, needs } of contract) {
      if (needs === 'nothing' || needs === 'share') continue;
      const address = path.replaceAll(/\{\w+\}/g, 'x1');
      expect([path, await status(address, key, method.toUpperCase())]).toEqual([path, 403]);
    }
    for (const path of ['/nowhere', '/metrics/total_chats.csv', '/v2/reports/chats/total_chats'])
      expect([path, await status(path, key)]).toEqual([path, 403]);
    expect(await (await doors.ask('/me', by(key))).json()).toMatchObject({ user: null, rights: [] });
  });

  it('its own questions are not answered elsewhere, and nothing about them can be chosen', async () => {
    const { key } = await made();
    const filters = readFilters(new URLSearchParams(range), 'Europe/Warsaw', '2026-05-01', new Date());
    const panel = dashboards[0]?.panels.find(({ id }) => id === 'volume');
    if (!panel) throw new Error('the overview has no such panel');
    expect(panelQueries(panel, filters, metricOf)).toHaveLength(1);
    for (const question of questions(panel)) {
      const address = questionAddress(question, 'default', filters, undefined).slice('/api'.length);
      expect(await status(address, key)).toBe(403);
    }
    expect(await status('/share/panels/volume', key)).toBe(200);
    for (const query of [
      'from=2026-01-01',
      'group=3',
      'split=agent',
      'timezone=UTC',
      'as_of=2026-05-13T00:00:00Z',
      'account=default',
    ])
      for (const path of ['/share/panels/volume', '/share'])
        expect([query, await status(`${path}?${query}`, key)]).toEqual([query, 400]);
    for (const other of ['busy-hours', 'chats-tile', 'today-chats-tile', 'csat', '..', 'volume.csv'])
      expect([other, [403, 404]]).toEqual([
        other,
        expect.arrayContaining([await status(`/share/panels/${other}`, key)]),
      ]);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await status('/share/panels/volume', key, method)).toBeGreaterThanOrEqual(403);
  });

  it('agents are named only where the maker chose so and may see them', async () => {
    const page = { title: 'Chats', page: 'overview/changes', filters: range, days: 5 };
    const splits = async (key: string) => {
      const { outcomes } = (await (await doors.ask('/share/panels/changes', by(key))).json()) as {
        outcomes: { answer: { split: string[] } }[];
      };
      return outcomes.flatMap(({ answer }) => answer.split);
    };
    const without = await made(page);
    const within = await made({ ...page, has_agents: true });
    expect(await splits(without.key)).not.toContain('agent');
    expect(await splits(within.key)).toContain('agent');
    change({}, 'viewer');
    expect(await splits(within.key)).not.toContain('agent');
    expect(await (await doors.ask('/share', by(within.key))).json()).toMatchObject({ account: { agents: [] } });
    const viewer = await doors.userWith('viewer');
    const refused = await doors.ask('/shares', viewer, { method: 'POST', body: { ...page, has_agents: true } });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("at most its maker's rights"),
    ]);
  });

  it('a panel of single agents is shared with them or not at all', async () => {
    const panel = { ...volume, page: 'ratings/agents' };
    const refused = await doors.ask('/shares', { cookie: maker.cookie }, { method: 'POST', body: panel });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('has_agents')]);
    const one = await made({ ...panel, has_agents: true });
    const narrowed = await made({ ...volume, has_agents: true, filters: { ...range, agent: ['a@x.test'] } });
    for (const { key } of [one, narrowed]) expect(await status('/share', key)).toBe(200);
    change({}, 'viewer');
    for (const { key } of [one, narrowed]) expect(await status('/share', key)).toBe(403);
    expect([await status('/share/panels/agents', one.key), await status('/share/panels/volume', narrowed.key)]).toEqual(
      [403, 403],
    );
  });

  it('rows are those of the link and of its maker today', async () => {
    const all = await made();
    const part = await made({ ...volume, rows: { groups: [3] } });
    expect([await chatsIn(all.key), await chatsIn(part.key)]).toEqual([3, 2]);
    change({ groups: [2] });
    expect([await chatsIn(all.key), await chatsIn(part.key)]).toEqual([2, 0]);
    change({ accounts: ['other'] });
    expect(await status('/share', all.key)).toBe(403);
  });
});

describe('a link opens nothing', () => {
  const words = async (key: string) => {
    const answer = await doors.ask('/share', by(key));
    return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message];
  };
  const ended = [401, 'the link is wrong, revoked or expired: ask whoever sent it for another'];

  it('that is wrong, revoked or expired, or whose maker is gone, all in the same words', async () => {
    const { key, share } = await made();
    expect(await status('/share', key)).toBe(200);
    for (const wrong of ['', 'cs_', `${key}x`, key.slice(0, -1), key.replace('cs_', 'cl_'), 'right-token'])
      expect([wrong, await words(wrong)]).toEqual([wrong, ended]);
    const other = await doors.userWith('manager');
    const revoke = ({ cookie }: { cookie: string }) =>
      doors.ask(`/shares/${share.id}`, { cookie }, { method: 'DELETE' });
    expect((await revoke(other)).status).toBe(404);
    expect((await revoke(maker)).status).toBe(204);
    expect(await words(key)).toEqual(ended);

    const short = await made({ ...volume, days: 1 });
    doors.forward(86_400_000 + 1);
    expect(await words(short.key)).toEqual(ended);

    const orphan = await made(volume, (await doors.signIn('person2@example.com')).headers.getSetCookie().join('; '));
    expect(await status('/share', orphan.key)).toBe(200);
    doors.auth.users.remove(maker.id);
    expect(await words(orphan.key)).toEqual(ended);
    expect((await doors.ask('/share')).status).toBe(401);
    expect((await doors.ask('/share', { cookie: other.cookie })).status).toBe(401);
  });

  it('after the password of its maker was replaced', async () => {
    const { key } = await made();
    await doors.auth.users.setPassword(maker.id, 'another battery staple', { andTokens: true });
    expect(await words(key)).toEqual(ended);
  });

  it('while sharing is switched off; nor is one made', async () => {
    const database = new DatabaseSync(':memory:');
    doors = open(true, database);
    await doors.userWith('admin');
    maker = await doors.userWith('manager');
    const { key } = await made();
    doors = open(false, database);
    expect(await words(key)).toEqual(ended);
    const answer = await doors.ask('/shares', { cookie: maker.cookie }, { method: 'POST', body: volume });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('CHATLEDGER_SHARING=on')]);
    expect(await (await doors.ask('/me', { cookie: maker.cookie })).json()).toMatchObject({ can_share: false });
    doors = open(true, database);
    expect(await status('/share', key)).toBe(200);
  });
});

it('makers list their links, admins those of all; the key is kept nowhere', async () => {
  const { key, share } = await made();
  await status('/share', key);
  const admin = (await doors.signIn('person1@example.com')).headers.getSetCookie().join('; ');
  const listed = async (cookie: string) =>
    (await (await doors.ask('/shares', { cookie })).json()) as { shares: unknown[] };
  expect(await listed(maker.cookie)).toMatchObject({
    shares: [
      { id: share.id, title: 'May', user_name: 'Vera', frozen: { page: 'overview/volume' }, rights: ['numbers:read'] },
    ],
  });
  expect(JSON.stringify(await listed(maker.cookie))).toMatch(/"last_used_at":"[^"]+:00.000Z"/);
  expect((await listed(admin)).shares).toHaveLength(1);
  expect((await listed((await doors.userWith('manager')).cookie)).shares).toEqual([]);
  const { audit } = doors.auth;
  expect(JSON.stringify([audit.list({}, 100), doors.auth.shares.list()])).not.toContain(key);
  expect((await doors.ask(`/shares/${share.id}`, { cookie: admin }, { method: 'DELETE' })).status).toBe(204);
});

it('the audit says who made, opened and revoked a link; opened once in ten minutes', async () => {
  const { key, share } = await made({ ...volume, has_agents: true });
  for (let n = 0; n < 3; n += 1) {
    await status('/share', key);
    await status('/share/panels/volume', key);
  }
  await status('/chats', key);
  await doors.ask(`/shares/${share.id}`, { cookie: maker.cookie }, { method: 'DELETE' });
  const rows = doors.auth.audit.list({}, 4).map(({ who, action, about, agents }) => [who, action, about, agents]);
  expect(rows).toEqual([
    ['person2@example.com', 'share.revoked', 'May of person2@example.com', null],
    ['link May of person2@example.com', 'request.refused', 'GET /api/chats', null],
    ['link May of person2@example.com', 'share.opened', 'May', '*'],
    [
      'person2@example.com',
      'share.added',
      expect.stringMatching(
        /^May of person2@example.com: numbers:read, agents:read, until \S+: overview\/volume, account default, from 2026-05-01, to 2026-05-09, compare previous$/,
      ),
      null,
    ],
  ]);
});

describe('a page of another site', () => {
  const named = 'https://intranet.example';
  const framing = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };

  async function served(
    embedders: string[],
    path: string,
    headers: Record<string, string>,
    method = 'GET',
  ): Promise<{ status: number; headers: Record<string, unknown> }> {
    const deps: ApiDeps = { ...doors.deps, embedders };
    const server = webServer(deps, (_, response) => {
      response.setHeader('content-security-policy', "default-src 'self'; frame-ancestors 'none'");
      response.setHeader('etag', '"page"');
      response.end('page');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const asked = request({ port, host: '127.0.0.1', path, method, headers }).end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      return { status: answer.statusCode, headers: answer.headers };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  it('embeds a shared page where its origin is named', async () => {
    const { status, headers } = await served([named, 'https://wiki.example'], '/share', framing);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'self'; frame-ancestors ${named} https://wiki.example`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('x-frame-options');
    expect((await served([named], '/share', { ...framing, referer: `${named}/page` })).status).toBe(200);
  });

  it('embeds nothing otherwise: from elsewhere, another page, the API, or by another method', async () => {
    const statusOf = async (...of: Parameters<typeof served>) => (await served(...of)).status;
    expect(await statusOf([], '/share', framing)).toBe(403);
    expect(await statusOf([named], '/share', { ...framing, referer: 'https://evil.example/' })).toBe(403);
    expect(await statusOf([named], '/share', { ...framing, origin: named })).toBe(403);
    expect(await statusOf([named], '/share', { ...framing, 'sec-fetch-dest': 'script' })).toBe(403);
    expect(await statusOf([named], '/share', framing, 'POST')).toBe(403);
    for (const path of ['/', '/queue', '/share/', '/sharex', '/api/share', '/api/share/panels/volume'])
      expect([path, await statusOf([named], path, framing)]).toEqual([path, 403]);
    const { headers } = await served([named], '/queue', {});
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
    const alone = await served([], '/share', {});
    expect(alone.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'referrer-policy': 'no-referrer',
    });
  });

  it('reads nothing itself, with the key either', async () => {
    const { key } = await made();
    for (const from of [{ origin: named }, { 'sec-fetch-site': 'cross-site' }])
      expect((await served([named], '/api/share', { ...by(key), ...from })).status).toBe(403);
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expect((await served([named], '/api/share', { ...by(key), ...own })).status).toBe(200);
  });
});

describe('a shared board', () => {
  const panels = [
    { panel: 'overview/volume', size: 'full', title: 'Ours' },
    { panel: 'ratings/agents', size: 'half', title: 'Names' },
  ];
  const board = async () =>
    (await (
      await doors.ask('/boards', { cookie: maker.cookie }, { method: 'POST', body: { title: 'Monday', panels } })
    ).json()) as { id: string };
  const opened = async (key: string) => (await (await doors.ask('/share', by(key))).json()) as Record<string, unknown>;

  it('is shown as it was when it was shared, whatever becomes of it, and tells no more than it shows', async () => {
    const { id } = await board();
    const link = { ...volume, page: `board/${id}` };
    const { key } = await made(link);
    const named = await made({ ...link, has_agents: true });
    await doors.ask(`/boards/${id}`, { cookie: maker.cookie }, { method: 'DELETE' });
    expect(await opened(key)).toMatchObject({
      ...{ dashboard: `board/${id}`, panels: ['overview-volume'], today: [] },
      board: { title: 'Monday', panels: [panels[0]] },
    });
    expect(await opened(named.key)).toMatchObject({ panels: ['overview-volume', 'ratings-agents'], board: { panels } });
    expectPromised('GET', '/api/share', 200, JSON.stringify(await opened(named.key)));
    expect([
      await status('/share/panels/overview-volume', key),
      await status('/share/panels/ratings-agents', key),
      await status('/share/panels/ratings-agents', named.key),
    ]).toEqual([200, 404, 200]);
  });

  it('is one that its maker sees, or one panel of it', async () => {
    const { id } = await board();
    const share = async (page: string, { cookie } = maker) =>
      (await doors.ask('/shares', { cookie }, { method: 'POST', body: { ...volume, page } })).status;
    expect(await share(`board/${id}`, await doors.userWith('admin'))).toBe(404);
    expect(await share('board/none')).toBe(404);
    expect(await share(`board/${id}/overview-none`)).toBe(404);
    expect(await share(`board/${id}/ratings-agents`)).toBe(400);
    const { key } = await made({ ...volume, page: `board/${id}/overview-volume` });
    expect(await opened(key)).toMatchObject({ panels: ['overview-volume'], board: { panels: [panels[0]] } });
  });

  it('says how many saved queries of it are left out, and is nothing where it has only those', async () => {
    const { cookie } = await doors.userWith('analyst');
    const post = async (path: string, body: object) => doors.ask(path, { cookie }, { method: 'POST', body });
    const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id;
    const query = { name: 'Secret', statement: 'select 1', parameters: {} };
    const placed = { panel: `query/${await idOf(await post('/sql/queries', query))}`, size: 'half', title: 'Secret' };
    const place = async (...on: object[]) => idOf(await post('/boards', { title: `Of ${on.length}`, panels: on }));
    const [mixed, alone] = [await place(placed, ...panels), await place(placed)];
    const whole = await opened((await made({ ...volume, page: `board/${mixed}` }, cookie)).key);
    expect(whole).toMatchObject({ panels: ['overview-volume'], saved_queries: 1 });
    expect(JSON.stringify(whole)).not.toMatch(/Secret|query\//);
    const one = await opened((await made({ ...volume, page: `board/${mixed}/overview-volume` }, cookie)).key);
    expect(one).toMatchObject({ panels: ['overview-volume'], saved_queries: 0 });
    const refused = async (page: string) => {
      const answer = await post('/shares', { ...volume, page, has_agents: true });
      return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message];
    };
    expect(await refused(`board/${alone}`)).toEqual([400, expect.stringContaining('a saved query runs as whoever')]);
    const ofQuery = await refused(`board/${mixed}/${placed.panel.replace('/', '-')}`);
    expect(ofQuery).toEqual([404, expect.stringContaining('that a link shows')]);
  });
});

testInDrill('a board as a PDF is for whoever sees it, and the audit says whose figures were taken', async () => {
  const panels = [{ panel: 'overview/volume', size: 'full', split: 'agent' }];
  const body = { title: 'Monday', panels, is_shared: true };
  const { id } = (await (await doors.ask('/boards', { cookie: maker.cookie }, { method: 'POST', body })).json()) as {
    id: string;
  };
  const viewer = await doors.userWith('viewer');
  const path = `/boards/${id}/page.pdf?from=2026-05-01&to=2026-05-09`;
  for (const { cookie } of [maker, viewer]) {
    const answer = await doors.ask(path, { cookie });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  }
  const taken = doors.auth.audit.list({ action: 'document.read' }, 10);
  expect(taken.map(({ user, agents }) => [user === maker.id, agents])).toEqual([
    [false, null],
    [true, '*'],
  ]);
  const stranger = await doors.userWith('viewer');
  doors.deps.userData.boards.change(id, 1, { title: 'Monday', is_shared: false, panels: [] });
  expect((await doors.ask(path, stranger)).status).toBe(404);
});
