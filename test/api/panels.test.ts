// A panel as a file: the numbers of the page, typed, and no formula from the data.
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi } from '#api/app.ts';
import type { Store } from '#warehouse/engine.ts';
import { account } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';

let engine: Store;
beforeAll(async () => {
  const start = '2026-05-05T10:00:00Z';
  engine = await account(
    [
      { start, tags: ['=cmd()'] },
      { start, tags: ['plain'] },
    ],
    'Europe/Warsaw',
  );
});
afterAll(() => engine.close());

const ask = (path: string) =>
  Promise.resolve(createApi(apiDeps(engine)).request(`http://127.0.0.1:3000/api/panels/${path}`));
const days = 'from=2026-05-04&to=2026-05-05';

it('a panel is a CSV of its rows, with units in the head', async () => {
  const answer = await ask(`overview/volume.csv?${days}&compare=previous`);
  expect(answer.headers.get('content-disposition')).toContain(
    'filename="default-chats-over-time-2026-05-04-to-2026-05-05.csv"',
  );
  const [head, ...rows] = (await answer.text()).replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe('period,chats (chats),state');
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
