// What an installation is called and looks like: what it takes, when that counts, and that everybody may ask.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Brand } from '#api/contract/brand.ts';
import { accentFrom } from '#dashboards/accent.ts';
import { dataFiles } from '#server/backup/data-files.ts';
import { logoIn } from '#server/brand-logo.ts';
import { readConfig, readEnvironment, type Environment } from '#server/config.ts';
import { liveSettings } from '#server/live-settings.ts';
import { apiDeps } from '../api/deps.ts';
import { pngOf } from '../png.ts';
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
  const complaints: string[] = [];
  const logo = logoIn(join(folder, 'data'), (sentence) => void complaints.push(sentence));
  const brand = () => ({ ...settings.config().brand, logo: logo.now() });
  const app = promisedApi(apiDeps(null, { settings, brand, logo }));
  const send = (path: string, method: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(`${origin}/api${path}`, {
      ...{ method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      headers: { 'content-type': 'application/json', origin, ...headers },
    });
  const save = async (values: Record<string, string | null>): Promise<[number, string]> => {
    const answer = await send('/settings', 'PUT', { values });
    return [answer.status, await answer.text()];
  };
  const asked = async () => (await (await send('/brand', 'GET')).json()) as Brand;
  const draw = async (png: Buffer | string): Promise<[number, string]> => {
    const answer = await send('/brand/logo', 'PUT', { png: typeof png === 'string' ? png : png.toString('base64') });
    return [answer.status, await answer.text()];
  };
  return { read, save, send, draw, complaints, brand: asked };
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

describe('a logo', () => {
  const data = () => join(folder, 'data');

  it('is kept whole for this user alone, in backups too, and is served until it is removed', async () => {
    const { draw, send, brand } = opened();
    expect((await brand()).logo).toBeNull();
    expect((await send('/brand/logo', 'GET')).status).toBe(404);
    const png = pngOf(240, 48);
    expect((await draw(png))[0]).toBe(200);
    expect(readdirSync(data())).toEqual(['logo.png']);
    expect(statSync(join(data(), 'logo.png')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data(), 'logo.png'))).toEqual(png);
    expect(await dataFiles(data())).toEqual([{ path: 'logo.png', read_as: 'still' }]);
    const { logo } = await brand();
    expect(logo).toMatchObject({ width: 240, height: 48 });

    const named = await send(`/brand/logo?version=${logo?.version}`, 'GET');
    expect(Buffer.from(await named.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(named.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${logo?.version}"`,
    });
    const unnamed = await send('/brand/logo', 'GET', undefined, { 'if-none-match': `"${logo?.version}"` });
    expect([unnamed.status, unnamed.headers.get('cache-control')]).toEqual([304, 'public, no-cache']);

    await draw(pngOf(16, 1024));
    expect((await brand()).logo?.version).not.toBe(logo?.version);
    const former = await send(`/brand/logo?version=${logo?.version}`, 'GET');
    expect(former.headers.get('cache-control')).toBe('public, no-cache');
    expect((await send('/brand/logo', 'DELETE')).status).toBe(204);
    expect((await send('/brand/logo', 'DELETE')).status).toBe(204);
    expect([(await brand()).logo, readdirSync(data())]).toEqual([null, []]);
  });

  it.each<[string, Buffer | string, string]>([
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.alloc(64)]), 'png: must be a PNG'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'must be a PNG'],
    ['a PNG of 24 bytes', pngOf(32, 32).subarray(0, 24), 'must be a PNG'],
    ['nothing', '', 'png: '],
    ['one of 15 pixels', pngOf(15, 32), 'must be 16 to 1024 pixels wide and high, not 15 × 32'],
    ['one of 1025 pixels', pngOf(32, 1025), 'not 32 × 1025'],
    ['one that says to be huge', pngOf(0xffffffff, 32, Buffer.alloc(8)), 'not 4294967295 × 32'],
    ['one of 40 001 bytes', Buffer.concat([pngOf(32, 32), Buffer.alloc(40_001)]).subarray(0, 40_001), 'at most 40 kB'],
    ['no base64', 'data:image/png;base64,AAAA', 'png: must be base64'],
  ])('is not %s', async (_, png, words) => {
    const { draw, brand } = opened();
    await draw(pngOf(32, 32));
    const before = await brand();
    const [status, said] = await draw(png);
    expect([status, said]).toEqual([400, expect.stringContaining(words)]);
    expect(await brand()).toEqual(before);
  });

  it('that somebody put there and that is none is told of once, and not shown', async () => {
    const { brand, complaints, draw } = opened();
    writeFileSync(join(data(), 'logo.png'), 'no picture');
    expect([(await brand()).logo, (await brand()).logo]).toEqual([null, null]);
    expect(complaints).toEqual([expect.stringMatching(/logo\.png must be a PNG: it is not shown/)]);
    await draw(pngOf(32, 32));
    expect((await brand()).logo).toMatchObject({ width: 32 });
  });
});
