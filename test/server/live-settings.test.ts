// Settings that are changed while the program runs: what is kept, what is refused, what the environment decides, and who is told.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApi } from '#api/app.ts';
import type { Settings } from '#api/contract/settings.ts';
import { readConfig, readEnvironment, type Environment } from '#server/config.ts';
import { liveSettings } from '#server/live-settings.ts';
import { schedule } from '#server/schedule.ts';
import { complaintsOf } from '#server/settings-problems.ts';
import { apiDeps } from '../api/deps.ts';
import { mailServer } from '../digests/mail-server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  mkdirSync(join(folder, 'data'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, 'data', 'settings.json');
const mail = { CHATLEDGER_SMTP_URL: 'smtp://ann:s3cret@mail.example:587', CHATLEDGER_MAIL_FROM: 'ann@example.com' };

function opened(env: Record<string, string> = {}) {
  const given = { CHATLEDGER_DATA: join(folder, 'data'), ...env };
  const read = (): Environment => readEnvironment(given, folder);
  const recorded: Environment[] = [];
  const live = liveSettings(readConfig(read()), (environment) => void recorded.push(environment), read);
  const app = createApi(apiDeps(null, { settings: live }));
  const ask = (path: string, method: string, body: unknown) =>
    app.request(`http://127.0.0.1:3000/api${path}`, {
      ...{ method, body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json', origin: 'http://127.0.0.1:3000' },
    });
  const put = async (values: Record<string, unknown>): Promise<[number, string]> => {
    const answer = await ask('/settings', 'PUT', { values });
    return [answer.status, await answer.text()];
  };
  const list = async () => (await (await app.request('http://127.0.0.1:3000/api/settings')).json()) as Settings;
  return { live, read, recorded, ask, put, list };
}

it('a change counts at once, is told, kept for every command, and goes back to the default', async () => {
  const { live, read, recorded, put, list } = opened();
  const told: string[] = [];
  live.onChange(({ pull_cron }) => told.push(pull_cron));
  expect((await put({ CHATLEDGER_PULL_CRON: '*/15 * * * *', CHATLEDGER_REQUESTS_PER_SECOND: '2' }))[0]).toBe(200);
  expect([live.config().pull_cron, told, recorded.length]).toEqual(['*/15 * * * *', ['*/15 * * * *'], 1]);
  const named = (await list()).settings.find(({ name }) => name === 'CHATLEDGER_PULL_CRON');
  expect(named).toMatchObject({
    value: '*/15 * * * *',
    source: 'page',
    default: '*/5 * * * *',
    takes_effect: 'immediately',
  });
  // Another process reads the same.
  expect(readConfig(read()).pull_cron).toBe('*/15 * * * *');
  expect((await put({ CHATLEDGER_PULL_CRON: null }))[0]).toBe(200);
  expect([live.config().pull_cron, JSON.parse(readFileSync(file(), 'utf8'))]).toEqual([
    '*/5 * * * *',
    { CHATLEDGER_REQUESTS_PER_SECOND: '2' },
  ]);
});

it('nothing is changed when one of the values is wrong, unknown, only good for the start, or lacks another', async () => {
  const { live, put } = opened();
  const refused = async (values: Record<string, unknown>, ...words: string[]) => {
    const [status, said] = await put({ CHATLEDGER_REQUESTS_PER_SECOND: '7', ...values });
    expect(status).toBe(400);
    for (const word of words) expect(said).toContain(word);
    expect(() => statSync(file())).toThrow('ENOENT');
  };
  await refused({ CHATLEDGER_PULL_CRON: 'often' }, 'values.CHATLEDGER_PULL_CRON: must be a cron expression');
  await refused({ CHATLEDGER_SNAPSHOT_SPACE: '0GB' }, 'values.CHATLEDGER_SNAPSHOT_SPACE: must be a size');
  for (const days of ['0', '31', '7.5'])
    await refused(
      { CHATLEDGER_SETTLING_DAYS: days },
      'values.CHATLEDGER_SETTLING_DAYS: must be a whole number from 1 to 30',
    );
  await refused({ CHATLEDGER_BACKUP_KEEP: '1\n2' }, 'one line');
  await refused({ CHATLEDGER_BACKUP_KEEP: 3 }, 'values.CHATLEDGER_BACKUP_KEEP');
  await refused({ CHATLEDGER_BACKUP_KEEP: '' }, 'must not be empty');
  await refused({ CHATLEDGER_DATA: '/etc' }, 'values.CHATLEDGER_DATA: cannot be changed while the program runs');
  await refused({ CHATLEDGER_PUL_CRON: '* * * * *' }, 'values.CHATLEDGER_PUL_CRON: is no setting');
  await refused({ constructor: 'x' }, 'values.constructor: is no setting');
  await refused({ ['__proto__']: 'x' }, '__proto__: there is no such field');
  await refused({ CHATLEDGER_SMTP_URL: mail.CHATLEDGER_SMTP_URL }, 'set CHATLEDGER_MAIL_FROM too');
  await refused({ ...mail, CHATLEDGER_SMTP_URL: 'http://mail.example' }, 'must be an address like smtp://');
  expect(live.config().accounts[0].remote).toBeNull();
});

it('the environment wins, says so, and lets nothing be saved over it', async () => {
  const { live, put, list } = opened({ CHATLEDGER_REQUESTS_PER_SECOND: '3' });
  writeFileSync(join(folder, '.env'), 'CHATLEDGER_BACKUP_KEEP=5\n');
  expect(await put({ CHATLEDGER_REQUESTS_PER_SECOND: '9' })).toEqual([
    409,
    expect.stringContaining('is set by the environment, which wins'),
  ]);
  expect((await put({ CHATLEDGER_BACKUP_KEEP: null }))[1]).toContain('is set by the file .env, which wins');
  writeFileSync(file(), JSON.stringify({ CHATLEDGER_REQUESTS_PER_SECOND: '9', CHATLEDGER_BACKUP_KEEP: '6' }));
  const { settings } = await list();
  const told = settings.filter(({ source }) => ['environment', '.env', 'page'].includes(source));
  expect(told.map(({ name, value, source }) => [name, value, source])).toEqual(
    expect.arrayContaining([
      ['CHATLEDGER_REQUESTS_PER_SECOND', '3', 'environment'],
      ['CHATLEDGER_BACKUP_KEEP', '5', '.env'],
    ]),
  );
  expect(live.config().pull_cron).toBe('*/5 * * * *');
});

it('an operator may close the page: everything is shown and nothing changed, and what was saved still counts', async () => {
  const first = opened();
  await first.put({ CHATLEDGER_BACKUP_KEEP: '9' });
  const { put, list, ask, live } = opened({ CHATLEDGER_SETTINGS_PAGE: 'off' });
  expect(await put({ CHATLEDGER_BACKUP_KEEP: '3' })).toEqual([
    409,
    expect.stringContaining('CHATLEDGER_SETTINGS_PAGE'),
  ]);
  expect((await ask('/settings/test-mail', 'POST', { to: 'bob@example.com' })).status).toBe(409);
  expect((await ask('/brand/logo', 'PUT', { png: '' })).status).toBe(409);
  expect((await ask('/brand/logo', 'DELETE', {})).status).toBe(409);
  const { can_change, settings } = await list();
  expect([can_change, (await first.list()).can_change, live.config().backup.kept]).toEqual([false, true, 9]);
  expect(settings.find(({ name }) => name === 'CHATLEDGER_BACKUP_KEEP')).toMatchObject({ value: '9', source: 'page' });
});

it('an address of a mail server is never shown, and no other user of the machine reads it', async () => {
  const { put, list, live, recorded } = opened();
  const [status, said] = await put(mail);
  expect([status, said.includes('s3cret')]).toEqual([200, false]);
  expect(JSON.stringify(await list())).not.toContain('s3cret');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(live.mail()).toEqual({ smtp_url: mail.CHATLEDGER_SMTP_URL, from: mail.CHATLEDGER_MAIL_FROM });
  expect(recorded.flatMap(complaintsOf)).toEqual([]);
});

it('a test mail is sent by what was just saved, and its failure is told in words', async () => {
  const server = await mailServer();
  const { put, ask } = opened();
  const test = async () => (await ask('/settings/test-mail', 'POST', { to: 'bob@example.com' })).json();
  expect(await test()).toMatchObject({
    error: { type: 'unavailable', message: expect.stringContaining('mail is off') },
  });
  await put({ CHATLEDGER_SMTP_URL: server.url, CHATLEDGER_MAIL_FROM: 'ann@example.com' });
  expect(await test()).toEqual({ to: 'bob@example.com', outcome: 'sent', reason: null });
  expect(server.accepted.join()).toContain('Subject: Test: mail from Chatledger works');
  server.mood = 'refuses';
  expect(await test()).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('no such reader') });
  expect((await ask('/settings/test-mail', 'POST', {})).status).toBe(400);
  expect((await ask('/settings/test-mail', 'POST', { to: 'a@x.test, b@x.test' })).status).toBe(400);
  await server.close();
});

it.each([
  ['{"CHATLEDGER_PULL_CRON": ', 'is not JSON'],
  ['["CHATLEDGER_PULL_CRON"]', 'must hold one object'],
  ['{"CHATLEDGER_BACKUP_KEEP": 3}', 'whose values are texts'],
  ['{"CHATLEDGER_PORT": "1"}', 'names CHATLEDGER_PORT, which the page Settings does not change'],
  ['{"CHATLEDGER_PULL_CRON": "often"}', 'CHATLEDGER_PULL_CRON=often must be a cron expression'],
])('a file that somebody spoilt stops the start with a sentence: %s', (text, words) => {
  const { read } = opened();
  writeFileSync(file(), text);
  expect(() => readConfig(read())).toThrow(words);
});

it('a file that somebody spoilt while the program runs is not replaced by what is saved', async () => {
  const { put, live } = opened();
  await put({ CHATLEDGER_BACKUP_KEEP: '9' });
  const spoilt = '{"CHATLEDGER_BACKUP_KEEP": "9",';
  writeFileSync(file(), spoilt);
  const [status, said] = await put({ CHATLEDGER_NAME: 'Figures' });
  expect([status, said]).toEqual([409, expect.stringMatching(/settings\.json is not JSON: mend or remove it/)]);
  expect([readFileSync(file(), 'utf8'), live.config().backup.kept]).toEqual([spoilt, 9]);
  writeFileSync(file(), `${spoilt.slice(0, -1)}}`);
  expect((await put({ CHATLEDGER_NAME: 'Figures' }))[0]).toBe(200);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ CHATLEDGER_BACKUP_KEEP: '9', CHATLEDGER_NAME: 'Figures' });
});

it('a schedule follows another expression, and the former one is over', async () => {
  let count = 0;
  const work = (): Promise<void> => {
    count += 1;
    return Promise.resolve();
  };
  const pulls = schedule('0 0 29 2 *', work);
  pulls.follow('* * * * * *');
  while (count < 2) await setTimeout(50);
  pulls.follow('0 0 29 2 *');
  const before = count;
  await setTimeout(2200);
  expect(count).toBe(before);
  pulls.stop();
  pulls.follow('* * * * * *');
  await setTimeout(1200);
  expect(count).toBe(before);
});
