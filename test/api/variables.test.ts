// Variables over HTTP: seen, declared by whoever says what readers may see, and in snapshots from the next one on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuth } from '#auth/auth.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { openDoors, type Doors } from '../access/api.ts';
import { run } from '#warehouse/query/run.ts';
import { account, later, type Chat } from '../warehouse/account.ts';
import { contextOf } from '../warehouse/query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'variables-'));
const plan = { id: 'plan', title: 'Plan', source: 'custom_variable', name: 'plan' } as const;
const chats = ['pro', 'pro', 'pro', 'free', 'free', 'free', 'ann@x.test'].map((value, at): Chat => ({
  ...{ start: `2026-05-05T1${at}:00:00Z`, visitor: `V${at}`, groups: [at < 2 ? 5 : 2] },
  variables: new Map([
    ['plan', value],
    ['login', `user${at}`],
  ]),
}));
let before: Store;
let engine: Store;
let doors: Doors;

beforeAll(async () => {
  const writer = await account(chats, 'Europe/Warsaw');
  const [first, second] = ['2026-05-12', '2026-05-13'].map((day) => Date.parse(`${day}T09:00:00Z`));
  before = await openWarehouse((await publish(writer, folder, first ?? 0)).file, { readOnly: true });
  expect([await setVariables(writer, 'default', [plan]), await setVariables(writer, 'default', [plan])]).toEqual([
    ...[true, false],
  ]);
  engine = await openWarehouse((await publish(writer, folder, second ?? 0)).file, { readOnly: true });
  await writer.close();
  doors = openDoors(engine);
  await doors.userWith('admin');
});
afterAll(async () => {
  await before.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (body: unknown, cookie: string): Promise<Response> =>
  doors.ask('/variables', { cookie }, { method: 'PUT', body });
const told = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  ((await answer.json()) as { error: { message: string } }).error.message,
];
const json = async (path: string, cookie: string): Promise<unknown> => (await doors.ask(path, { cookie })).json();
const may = 'from=2026-05-05&to=2026-05-05&grain=total';

describe('variables', () => {
  it('are kept with who declared them, start a pull, and count once a snapshot has them', async () => {
    let pulls = 0;
    doors.deps.pullNow = () => void (pulls += 1);
    const { cookie } = await doors.userWith('admin', { name: 'Vera' });
    expect(await json('/variables', cookie)).toMatchObject({ variables: [], changed_by: null, in_snapshot: false });
    const saved = await (await put({ variables: [plan] }, cookie)).json();
    expect(saved).toMatchObject({ variables: [plan], changed_by: 'Vera', in_snapshot: true });
    expect(pulls).toBe(1);
    const both = { variables: [plan, { ...plan, id: 'login', title: 'Login', name: 'login' }] };
    expect(await (await put(both, cookie)).json()).toMatchObject({ in_snapshot: false });
    const refused = await told(await doors.ask(`/metrics/total_chats?${may}&split=variable:login`, { cookie }));
    expect(refused).toEqual([400, expect.stringContaining('login is not declared in this snapshot, only plan')]);
  });

  it('are seen with how many values they have, examples by those alone who may read what was written', async () => {
    const { cookie } = await doors.userWith('admin');
    expect(await json('/variables/seen', cookie)).toMatchObject({
      seen: [
        { source: 'custom_variable', name: 'login', chats: 7, values: 7, common_values: 0, examples: [] },
        { source: 'custom_variable', name: 'plan', chats: 7, values: 3, common_values: 2, examples: ['free', 'pro'] },
      ],
    });
  });

  it('are declared and seen by admins alone, who see all chats', async () => {
    const manager = await doors.userWith('manager');
    const { cookie } = manager;
    for (const answer of [await put({ variables: [] }, cookie), await doors.ask('/variables/seen', { cookie })])
      expect(answer.status).toBe(403);
    expect(await json('/variables', cookie)).toHaveProperty('variables');
  });

  it('are values to every reader, of the chats that the reader sees; what one visitor gave is to nobody', async () => {
    const viewer = await doors.userWith('viewer');
    const part = await doors.userWith('viewer', { rows: { groups: [5] } });
    const listed = async (cookie: string): Promise<unknown> =>
      ((await json('/accounts', cookie)) as { accounts: { variables: unknown }[] }).accounts[0]?.variables;
    expect(await listed(viewer.cookie)).toEqual([{ id: 'plan', title: 'Plan', values: ['free', 'pro', 'Other'] }]);
    expect(await listed(part.cookie)).toEqual([{ id: 'plan', title: 'Plan', values: ['pro'] }]);
    const split = `/metrics/total_chats?${may}&split=variable:plan`;
    const rowsOf = async (path: string, cookie: string): Promise<unknown> =>
      ((await json(path, cookie)) as { rows: Record<string, unknown>[] }).rows.map(({ variable, chats: count }) => [
        variable,
        count,
      ]);
    expect(await rowsOf(split, viewer.cookie)).toEqual([
      ['Other', 1],
      ['free', 3],
      ['pro', 3],
    ]);
    expect(await rowsOf(`${split}&variable=plan:pro`, part.cookie)).toEqual([['pro', 2]]);
  });

  it('narrow how many chats figures of single agents are from, and split it', async () => {
    const metric = async (rows: object, query: object): Promise<unknown> => {
      const context = { ...contextOf(engine, { ...later, zone: 'Europe/Warsaw' }), reader: { id: 'few', rows } };
      const range = { from: '2026-05-05', to: '2026-05-05', timezone: 'Europe/Warsaw', grain: 'total' } as const;
      const { rows: found } = await run('total_chats', { ...range, split: ['agent'], ...query }, context);
      return found.map(({ variable, state, chats: count }) => [variable ?? null, state, count]);
    };
    const pro = { filters: { variable: ['plan:pro'] } };
    expect(await metric({ agents_from: 3 }, pro)).toEqual([[null, 'complete', 3]]);
    expect(await metric({ agents_from: 4 }, pro)).toEqual([[null, 'too_few', null]]);
    expect(await metric({ agents_from: 4 }, {})).toEqual([[null, 'complete', 7]]);
    expect(await metric({ agents_from: 1 }, { split: ['agent', 'variable:plan'] })).toEqual([
      ['Other', 'complete', 1],
      ['free', 'complete', 3],
      ['pro', 'complete', 3],
    ]);
  });

  it('narrow searches and rows of chats, and stand in a column of their own', async () => {
    const { cookie } = await doors.userWith('admin');
    const of = 'from=2026-05-05&to=2026-05-05&variable=plan:pro';
    expect(await json(`/chats?${of}`, cookie)).toMatchObject({ total: 3 });
    const { rows } = (await json(`/chat-rows?${of}&columns=variables`, cookie)) as { rows: unknown[] };
    expect(rows).toEqual(Array(3).fill({ variables: 'Plan: pro' }));
    const refused = await told(await doors.ask('/chats?variable=colour:red', { cookie }));
    expect(refused).toEqual([400, expect.stringContaining('only plan')]);
  });

  it('make cells with receipts, also of chats without a value', async () => {
    const { cookie } = await doors.userWith('admin');
    const receipt = `/receipts/total_chats?${may}&split=variable:plan&at.variable=`;
    expect(await json(`${receipt}pro`, cookie)).toMatchObject({
      value: 3,
      adds_up: { agrees: true },
      ...{ at: { variable: 'pro' }, variable: 'plan' },
    });
    expect(await json(receipt, cookie)).toMatchObject({ value: 0 });
  });

  it('narrow and split files of panels, with their title as the name of the column', async () => {
    const { cookie } = await doors.userWith('admin');
    const file = async (query: string) =>
      (await (await doors.ask(`/panels/chats/volume.csv?${query}`, { cookie })).text()).trim().split('\r\n');
    const day = 'from=2026-05-05&to=2026-05-05&grain=day';
    expect(await file(`${day}&variable=plan:pro`)).toEqual([
      'period,chats,state',
      expect.stringMatching(/^2026-05-05,3,/),
    ]);
    expect(await file(`${day}&split=variable:plan`)).toEqual([
      'period,Plan,chats,state',
      ...[/^2026-05-05,Other,1,/, /^2026-05-05,free,3,/, /^2026-05-05,pro,3,/].map((row) => expect.stringMatching(row)),
    ]);
    const refused = await told(await doors.ask(`/panels/chats/volume.csv?${day}&split=variable:colour`, { cookie }));
    expect(refused).toEqual([400, expect.stringContaining('weekday, variable:plan only')]);
  });

  it('narrow documents, what is expected of agents and their files; no target is judged by them', async () => {
    const { cookie } = await doors.userWith('admin');
    const days = 'from=2026-05-05&to=2026-05-05';
    const pdf = await doors.ask(`/dashboards/chats.pdf?${days}&variable=plan:pro`, { cookie });
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await told(await doors.ask(`/dashboards/chats.pdf?${days}&variable=pro`, { cookie }))).toEqual([
      400,
      expect.stringMatching(/^variable\.0: must be as plan:pro/),
    ]);
    for (const path of ['/agents/expected', '/agents.csv'])
      expect((await doors.ask(`${path}?${days}&variable=plan:pro`, { cookie })).status).toBe(200);
    expect(await json(`/targets/days?${days}&variable=plan:pro`, cookie)).toEqual({ judged: [] });
  });

  it('are frozen in a shared page, which names those alone that it is narrowed or split by', async () => {
    const auth = openAuth(new DatabaseSync(':memory:'), {
      url: 'http://127.0.0.1:3000',
      clock: doors.now,
      hasSharing: true,
    });
    const sharing = openDoors(engine, { auth });
    await sharing.userWith('admin');
    const { cookie } = await sharing.userWith('manager');
    const shared = async (filters: object): Promise<unknown> => {
      const body = {
        ...{ title: 'Pro', days: 3, page: 'chats' },
        filters: { from: '2026-05-05', to: '2026-05-05', ...filters },
      };
      const made = await sharing.ask('/shares', { cookie }, { method: 'POST', body });
      const { key } = (await made.json()) as { key: string };
      return (await sharing.ask('/share', { authorization: `Bearer ${key}` })).json();
    };
    expect(await shared({ variable: ['plan:pro'] })).toMatchObject({
      filters: { variable: ['plan:pro'] },
      account: { variables: [{ id: 'plan', title: 'Plan', values: ['pro'] }] },
    });
    expect(await shared({ split: ['volume.variable:plan'] })).toMatchObject({
      account: { variables: [{ id: 'plan', title: 'Plan', values: [] }] },
    });
    expect(await shared({})).toMatchObject({ account: { variables: [] } });
  });

  it('are none in a snapshot that was published before', async () => {
    const { cookie } = await doors.userWith('admin');
    doors.deps.snapshot = () => ({ id: 's0', published_at: '2026-05-12T09:00:00.000Z', engine: before });
    try {
      const refused = await told(await doors.ask(`/metrics/total_chats?${may}&split=variable:plan`, { cookie }));
      expect(refused).toEqual([400, expect.stringContaining('none are')]);
    } finally {
      doors.deps.snapshot = () => ({ id: 's1', published_at: '2026-05-13T09:00:00.000Z', engine });
    }
  });

  it.each([
    [[{ ...plan, id: 'Plan!' }], /^variables\.0\.id: must begin with a letter/],
    [[{ ...plan, title: ' ' }], /^variables\.0\.title: must not be empty/],
    [[{ ...plan, source: 'cookie' }], /^variables\.0\.source/],
    [[plan, { ...plan, id: 'other' }], /^variables: two variables have the same title/],
    [[plan, { ...plan, id: 'other', title: 'Other' }], /^variables: one variable is declared twice/],
    [Array.from({ length: 13 }, (_, at) => ({ ...plan, id: `v${at}`, title: `${at}`, name: `${at}` })), /at most 12/],
  ])('that are wrong are refused with their place: %j', async (variables, words) => {
    const { cookie } = await doors.userWith('admin');
    expect(await told(await put({ variables }, cookie))).toEqual([400, expect.stringMatching(words)]);
  });
});
