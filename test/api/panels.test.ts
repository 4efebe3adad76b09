// A panel as a file: the numbers of the page, typed, and no formula from the data.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account } from '../warehouse/account.ts';
import { agentsRead } from '#api/agents-read.ts';
import { apiDeps, authOf } from './deps.ts';
import { promisedApi } from './promised-api.ts';

let engine: Store;
beforeAll(async () => {
  const start = '2026-05-05T10:00:00Z';
  engine = await account(
    [
      { start, tags: ['=cmd()'], groups: [1], country: 'Peru' },
      { start, tags: ['plain'], groups: [1, 2], country: 'Chile' },
    ],
    'Europe/Warsaw',
  );
});
afterAll(() => engine.close());

const ask = (path: string) =>
  Promise.resolve(promisedApi(apiDeps(engine)).request(`http://127.0.0.1:3000/api/panels/${path}`));
const days = 'from=2026-05-04&to=2026-05-05';

it('a panel is a CSV of its rows, with units in the head', async () => {
  const answer = await ask(`overview/volume.csv?${days}&compare=previous`);
  expect(answer.headers.get('content-disposition')).toContain(
    'filename="default-chats-over-time-2026-05-04-to-2026-05-05.csv"',
  );
  const [head, ...rows] = (await answer.text()).replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe('period,chats,compared with,"chats, compared",state');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatch(/^2026-05-05,2,/);
});

it('a text that begins like a formula is harmless', async () => {
  const text = await (await ask(`chats/tags.csv?${days}`)).text();
  expect(text).toContain("'=cmd()");
  expect(text).not.toMatch(/(^|,)=cmd/m);
});

it('the workbook has the same rows', async () => {
  const answer = await ask(`chats/tags.xlsx?${days}`);
  expect(answer.headers.get('content-type')).toContain('spreadsheetml');
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  expect(Object.keys(files)).toContain('xl/worksheets/sheet1.xml');
});

it('an unknown page, panel or ending is refused with the choices', async () => {
  for (const path of ['nowhere/volume.csv', 'overview/nothing.csv', 'overview/volume.pdf', 'overview/volume']) {
    const answer = await ask(path);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { choices: string[] } }).error.choices.length).toBeGreaterThan(0);
  }
});

it('a split panel has every value of each period, and nothing of the whole range', async () => {
  const text = await (await ask(`overview/volume.csv?${days}&split=group`)).text();
  const [head, ...rows] = text.replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe('period,group,group name,chats,state');
  expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual([
    ...['2026-05-04,1,1,0', '2026-05-04,2,2,0', '2026-05-05,1,1,2', '2026-05-05,2,2,1'],
  ]);
});

it('what changed is one row of the whole and one of each part, and none of the days behind it', async () => {
  const text = await (await ask(`overview/changes.csv?${days}&compare=previous`)).text();
  const [, ...rows] = text.replace('\ufeff', '').trim().split('\r\n');
  const byWhich = rows.map((row) => row.split(',')[0]);
  expect(byWhich.filter((by) => by === 'all')).toHaveLength(1);
  expect(new Set(byWhich)).toEqual(new Set(['all', 'group', 'agent', 'tag', 'hour_of_day']));
});

it('by weekday a panel has one row for each', async () => {
  const text = await (await ask(`chats/duration.csv?${days}&split=weekday`)).text();
  const [head, ...rows] = text.replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe('weekday,median (seconds),90th percentile (seconds),state');
  expect(rows.map((row) => row.slice(0, 7))).toEqual(['mon,,,c', 'tue,600']);
});

it('a split that the metric or the panel does not have is refused with those that there are', async () => {
  const refusal = async (path: string) => {
    const answer = await ask(path);
    return [answer.status, ((await answer.json()) as { error: { choices?: string[] } }).error.choices ?? []];
  };
  const splits = ['group', 'agent', 'tag', 'country', 'weekday'];
  expect(await refusal(`overview/volume.csv?${days}&split=moon`)).toEqual([400, splits]);
  expect(await refusal(`overview/volume.csv?${days}&split=group,tag`)).toEqual([400, splits]);
  expect(await refusal(`overview/chats-tile.csv?${days}&split=group`)).toEqual([400, []]);
  expect(await refusal(`chats/countries.csv?${days}&split=group`)).toEqual([400, []]);
});

it('whoever may not see single agents gets no panel by agent, and who gets one is noted', async () => {
  const published = await publish(engine, mkdtempSync(join(tmpdir(), 'panels-')), Date.parse('2026-06-01T00:00:00Z'));
  const whole = await openWarehouse(published.file, { readOnly: true });
  onTestFinished(() => whole.close());
  const narrow = promisedApi(apiDeps(whole, { auth: authOf(() => ({ id: 'narrow', rows: { hides_agents: true } })) }));
  const of = async (path: string) => {
    const answer = await narrow.request(`http://127.0.0.1:3000/api/panels/overview/${path}`);
    return [answer.status, await answer.text()];
  };
  expect(await of(`volume.csv?${days}&split=agent`)).toEqual([400, expect.stringContaining('agents:read')]);
  expect((await of(`volume.csv?${days}&split=group`))[0]).toBe(200);
  const caller = { rights: new Set(['agents:read']) } as unknown as Parameters<typeof agentsRead>[1];
  const read = (path: string, query: string) =>
    agentsRead({ agents: 'by_panel' }, caller, path, new URLSearchParams(query));
  expect(read('/api/panels/overview/volume.csv', 'split=agent')).toBe('*');
  expect(read('/api/dashboards/chats.pdf', 'split=volume.agent')).toBe('*');
  expect(read('/api/dashboards/chats.pdf', 'split=volume.group')).toBeNull();
});
