// What an installation is called: which names it takes, when they count, and that everybody may ask.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accentFrom } from '#dashboards/accent.ts';
import { readConfig, readEnvironment, type Environment } from '#server/config.ts';
import { liveSettings } from '#server/live-settings.ts';
import { apiDeps } from '../api/deps.ts';
import { promisedApi } from '../api/promised-api.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brand-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const origin = 'http://127.0.0.1:3000';

function opened(env: Record<string, string> = {}) {
  const read = (): Environment => readEnvironment({ CHATLEDGER_DATA: join(folder, 'data'), ...env }, folder);
  const settings = liveSettings(readConfig(read()), () => undefined, read);
  const app = promisedApi(apiDeps(null, { settings, brand: () => settings.config().brand }));
  const send = (path: string, method: string, body?: unknown) =>
    app.request(`${origin}/api${path}`, {
      ...{ method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      headers: { 'content-type': 'application/json', origin },
    });
  const save = async (values: Record<string, string | null>): Promise<[number, string]> => {
    const answer = await send('/settings', 'PUT', { values });
    return [answer.status, await answer.text()];
  };
  const brand = async (): Promise<unknown> => (await send('/brand', 'GET')).json();
  return { read, save, brand };
}

it('a name counts at once, for other processes too, and goes again', async () => {
  const { save, brand, read } = opened();
  expect(await brand()).toMatchObject({ name: 'Chatledger' });
  expect((await save({ CHATLEDGER_NAME: '  Nordwind Kundendienst – 顧客 <b>  ' }))[0]).toBe(200);
  expect(await brand()).toMatchObject({ name: 'Nordwind Kundendienst – 顧客 <b>' });
  expect(readConfig(read()).brand.name).toBe('Nordwind Kundendienst – 顧客 <b>');
  await save({ CHATLEDGER_NAME: null });
  expect(await brand()).toMatchObject({ name: 'Chatledger' });
});

it.each(['😀'.repeat(41), 'two\nlines', 'bell\u0007', 'line\u2028separator', 'right\u202eto left', '\u00a0'])(
  'is not called %j',
  async (name) => {
    const { save, brand } = opened();
    const [status, said] = await save({ CHATLEDGER_NAME: name });
    expect([status, said]).toEqual([400, expect.stringMatching(/one line|empty/)]);
    expect(await brand()).toMatchObject({ name: 'Chatledger' });
  },
);

it('40 characters are counted as readers count them', async () => {
  const { save, brand } = opened();
  expect((await save({ CHATLEDGER_NAME: '😀'.repeat(40) }))[0]).toBe(200);
  expect(await brand()).toMatchObject({ name: '😀'.repeat(40) });
});

it('an accent is told as the colours that follow from it, and never as it was written', async () => {
  const { save, brand } = opened();
  expect(await brand()).toMatchObject({ accent: null });
  expect((await save({ CHATLEDGER_ACCENT: '#FFD400' }))[0]).toBe(200);
  expect(await brand()).toMatchObject({ accent: accentFrom('#ffd400') });
  for (const wrong of ['yellow', '#fd0', '#ffd40g', '#ffd400ff', '#ffd400;}', 'rgb(1,2,3)'])
    expect(await save({ CHATLEDGER_ACCENT: wrong })).toEqual([400, expect.stringContaining('must be a colour like')]);
  expect(await brand()).toMatchObject({ accent: accentFrom('#ffd400') });
  await save({ CHATLEDGER_ACCENT: null });
  expect(await brand()).toMatchObject({ accent: null });
});

it('what the environment sets is checked at the start', () => {
  expect(() => opened({ CHATLEDGER_NAME: 'x'.repeat(41) })).toThrow('must be one line of 1 to 40 characters');
});
