// Business hours over HTTP: kept with who set them, refused with the place that is wrong, and snapshots keep the hours they had.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hoursToKeep } from '#server/user-data/business-hours.ts';
import { userDataIn } from '#server/user-data/user-data.ts';
import { noHours, type BusinessHours } from '#warehouse/business-hours.ts';
import type { Store } from '#warehouse/engine.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { openDoors, type Doors } from '../access/api.ts';
import { account, someHours } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'hours-'));
const office = { timezone: 'Europe/Warsaw', week: { mon: ['09:00-12:00', '13:00-17:00'], tue: ['22:00-06:00'] } };
let engine: Store;
let doors: Doors;

beforeAll(async () => {
  const writer = await account([{ start: '2026-05-05T10:00:00Z', queue: 60, groups: [2, 5] }]);
  const { file } = await publish(writer, join(folder, 'published'), Date.parse('2026-05-12T09:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
  doors = openDoors(engine);
  await doors.userWith('admin');
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (body: unknown, cookie: string): Promise<Response> =>
  doors.ask('/business-hours', { cookie }, { method: 'PUT', body });
const told = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { error: { message: string } }).error.message;

describe('business hours', () => {
  it('are kept with who set them and when, say whether the snapshot counts by them, and start a pull', async () => {
    let pulls = 0;
    doors.deps.pullNow = () => void (pulls += 1);
    const { cookie } = await doors.userWith('manager', { name: 'Vera' });
    const before = await (await doors.ask('/business-hours', { cookie })).json();
    expect(before).toMatchObject({ hours: [], source: 'page', changed_by: null, in_snapshot: false });
    const saved = await put({ hours: [office], groups: [{ group: 5, hours: [office] }] }, cookie);
    const entry = { valid_from: null, holidays: [], ...office };
    expect(await saved.json()).toMatchObject({
      ...{ hours: [entry], groups: [{ group: 5, hours: [entry] }] },
      ...{ changed_by: 'Vera', changed_at: expect.any(String), in_snapshot: false },
    });
    expect(pulls).toBe(1);
    expect((await put(someHours, cookie)).status).toBe(200);
    expect(await (await doors.ask('/business-hours', { cookie })).json()).toMatchObject({ in_snapshot: true });
  });

  it('are set by nobody who sees a part, and of groups a reader is told those that he sees', async () => {
    const part = await doors.userWith('manager', { rows: { groups: [2] } });
    const refused = await put({ hours: [office] }, part.cookie);
    expect([refused.status, await told(refused)]).toEqual([403, expect.stringContaining('all chats')]);
    const all = await doors.userWith('manager');
    await put({ hours: [office], groups: [2, 5].map((group) => ({ group, hours: [office] })) }, all.cookie);
    const seen = (await (await doors.ask('/business-hours', { cookie: part.cookie })).json()) as BusinessHours;
    expect(seen.groups.map(({ group }) => group)).toEqual([2]);
  });

  it.each([
    [{ hours: [{ ...office, week: { mon: ['9-17'] } }] }, /^hours\.0\.week\.mon\.0: must be a shift like 09:00-17:00/],
    [
      { hours: [{ ...office, week: { mon: ['09:00-12:00', '11:00-13:00'] } }] },
      /^hours\.0\.week\.mon: two shifts overlap/,
    ],
    [{ hours: [{ ...office, week: {} }] }, /^hours\.0\.week: no day is open/],
    [{ hours: [{ ...office, timezone: 'Mars/Base' }] }, /^hours\.0\.timezone: must be a name of the TZ database/],
    [{ hours: [{ ...office, holidays: ['2026-02-30'] }] }, /^hours\.0\.holidays\.0: must be a date/],
    [
      { hours: [{ ...office, valid_from: '2026-05-01' }] },
      /^hours\.0\.valid_from: the first entry .* holds from the beginning/,
    ],
    [{ hours: [office, office] }, /^hours: entries must follow each other/],
    [{ hours: [], groups: [{ group: 2, hours: [office] }] }, /^hours: set the hours of everybody first/],
    [
      { hours: [office], groups: [2, 2].map((group) => ({ group, hours: [office] })) },
      /^groups: a group is there twice/,
    ],
  ])('that are none are refused with their place: %j', async (body, words) => {
    const { cookie } = await doors.userWith('admin');
    const answer = await put(body, cookie);
    expect([answer.status, await told(answer)]).toEqual([400, expect.stringMatching(words)]);
  });
});

describe('a file of business hours', () => {
  const file = join(folder, 'hours.json');
  const withFile = () => {
    const means = { clock: () => 0, id: () => 'id', hoursFile: file };
    return promisedApi(apiDeps(engine, { userData: userDataIn(new DatabaseSync(':memory:'), means) }));
  };
  const url = 'http://127.0.0.1:3000/api/business-hours';

  it('alone counts: the page shows what it says and changes nothing', async () => {
    writeFileSync(file, JSON.stringify({ default: { hours: [office] } }));
    const api = withFile();
    expect(await (await api.request(url)).json()).toMatchObject({ source: 'file', hours: [office] });
    const body = JSON.stringify({ hours: [] });
    const headers = { 'content-type': 'application/json' };
    const refused = await api.request(url, { method: 'PUT', body, headers });
    expect([refused.status, await told(refused)]).toEqual([409, expect.stringContaining('CHATLEDGER_BUSINESS_HOURS')]);
    const keep = hoursToKeep({ path: folder }, file);
    expect([keep('default').hours.length, keep('other')]).toEqual([1, noHours]);
  });

  it('that is wrong is told with its place', async () => {
    writeFileSync(file, JSON.stringify({ default: { hours: [{ ...office, week: { mon: ['25:00-26:00'] } }] } }));
    expect(await told(await withFile().request(url))).toMatch(
      /hours\.json is wrong at default\.hours\.0\.week\.mon\.0: must be/,
    );
    expect(() => hoursToKeep({ path: folder }, file)).toThrow(/is wrong at default/);
    writeFileSync(file, JSON.stringify({ default: { hours: [{ ...office, week: { mon: '9' } }] } }));
    expect(() => hoursToKeep({ path: folder }, file)).toThrow('default.hours.0.week.mon: must be a list');
    writeFileSync(file, '{');
    expect(() => hoursToKeep({ path: folder }, file)).toThrow(/is not JSON/);
  });
});

it('a snapshot goes on counting by the hours that it was published with', async () => {
  const published = join(folder, 'kept');
  const writer = await account([{ start: '2026-05-05T10:01:00Z', queue: 180 }]);
  const [first, second] = ['2026-05-06', '2026-05-07'].map((day) => Date.parse(`${day}T09:00:00Z`));
  const hours = (shift: string): BusinessHours => ({
    hours: [{ valid_from: null, timezone: 'UTC', week: { tue: [shift] }, holidays: [] }],
    groups: [],
  });
  const own = { id: 'default', timezone: 'UTC', since: '2026-05-01' };
  const files: string[] = [];
  for (const [shift, at] of [
    ['08:00-10:00', first],
    ['10:00-11:00', second],
  ] as const) {
    await setBusinessHours(writer, 'default', hours(shift));
    files.push((await publish(writer, published, at ?? 0)).file);
  }
  await writer.close();
  const answers = await Promise.all(
    files.map(async (name) => {
      const snapshot = await openWarehouse(name, { readOnly: true });
      const api = promisedApi(
        apiDeps(snapshot, { clock: () => Date.parse('2027-03-01T09:00:00Z'), accounts: () => [own] }),
      );
      const asked = 'metrics/waiting_times_business?from=2026-05-05&to=2026-05-05&grain=total';
      const answer = (await (await api.request(`http://127.0.0.1:3000/api/${asked}`)).json()) as {
        rows: { entered_chat_average: number }[];
      };
      await snapshot.close();
      return answer.rows[0]?.entered_chat_average;
    }),
  );
  expect(answers).toEqual([120, 60]);
});
