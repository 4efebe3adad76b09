// Variables over HTTP: seen, declared by whoever says what readers may see, and in snapshots from the next one on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { setVariables } from '#warehouse/store/variables.ts';
import { openDoors, type Doors } from '../doors/api.ts';
import { account, type Chat } from '../warehouse/account.ts';

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
      at: { variable: 'pro' },
    });
    expect(await json(receipt, cookie)).toMatchObject({ value: 0 });
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
