// A digest in business hours: numbers, words and files count in them, on the hours that the snapshot has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestFrom } from '#digests/digest.ts';
import { wordsOf } from '#digests/letters.ts';
import { rangeOf } from '#digests/periods.ts';
import { previewed } from '#digests/preview.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import type { Store } from '#warehouse/engine.ts';
import { setBusinessHours } from '#warehouse/store/business-hours.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { apiDeps } from '../api/deps.ts';
import { account, insert } from '../warehouse/account.ts';
import { digest, digestDeps } from './deps.ts';
import { promisedApi } from '../api/promised-api.ts';

const week = Object.fromEntries(['mon', 'tue', 'wed', 'thu'].map((day) => [day, ['09:00-12:00', '13:00-17:00']]));
const office = { timezone: 'UTC', holidays: [], week: { ...week, sun: ['22:00-06:00'] } };
const hours: BusinessHours = {
  hours: [
    { ...office, valid_from: null, week },
    { ...office, valid_from: '2026-05-06' },
  ],
  groups: [{ group: 2, hours: [{ ...office, valid_from: null }] }],
};

const folder = mkdtempSync(join(tmpdir(), 'hours-digest-'));
let engine: Store;
beforeAll(async () => {
  // Two waits of three minutes: one of them begins a minute before it opens.
  const writer = await account([
    { start: '2026-05-04T09:02:00Z', queue: 180 },
    { start: '2026-05-05T10:00:00Z', queue: 180, groups: [2] },
  ]);
  await insert(writer, 'account', 'groups', [{ group_id: 2, name: 'Sales' }]);
  await setBusinessHours(writer, 'default', hours);
  const { file } = await publish(writer, folder, Date.parse('2026-05-11T06:55:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const period = rangeOf('2026-05-04', '2026-05-10');
const made = async (filters: object, readers: object[] = [{ name: 'ann' }]) => {
  const it = digest({ content: ['queue'], formats: ['csv'], channels: [{ kind: 'folder' }], filters, readers });
  const deps = digestDeps(engine, [it]);
  const [reader = { name: '' }] = it.readers;
  const snapshot = deps.current();
  if (!snapshot) throw new Error('nothing is published');
  return previewed(deps, it, { reader, period, snapshot, is_agreed: false });
};

it('shows waits in business hours, and says in which', async () => {
  const { document, files } = await made({ hours: 'business' });
  const { basis, figures } = wordsOf(document, null);
  expect(basis.filters).toBe(
    'response times, waits and service level in business hours (Mon–Thu 09:00–12:00, 13:00–17:00; Sun 22:00–06:00, UTC; ' +
      'other hours before 6 May 2026; group Sales has its own)',
  );
  const median = (lines: typeof figures) => lines.find(({ title }) => title.startsWith('Wait in the queue, median'));
  expect(median(figures)).toMatchObject({ title: expect.stringContaining('(business hours)'), text: '2 m 30 s' });
  const plain = await made({});
  expect(median(wordsOf(plain.document, null).figures)?.text).toBe('3 m');
  expect(wordsOf(plain.document, null).basis.filters).toBe('all chats');
  const names = Object.keys(unzipSync(files[0]?.bytes ?? new Uint8Array()));
  expect(names.filter((name) => name.includes('queue-waiting'))).toEqual([
    expect.stringMatching(/queue-waiting-business-hours\.csv$/),
    expect.stringMatching(/queue-waiting-hours-business-hours\.csv$/),
  ]);
});

it('tells readers of other groups nothing of the hours of a group', async () => {
  const { document } = await made({ hours: 'business' }, [{ name: 'ann', groups: [3] }]);
  expect(document.cover.filters).not.toContain('Sales');
});

it('takes no other hours, and keeps those without any as they are', () => {
  expect(digest({ filters: { hours: 'business' } }).filters.hours).toBe('business');
  expect(digest().filters).not.toHaveProperty('hours');
  expect(() => digestFrom({ ...digest(), filters: { hours: 'night' } })).toThrow(/^filters\.hours: /);
});

it('a file of one panel counts in them too', async () => {
  const api = promisedApi(
    apiDeps(engine, { accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-01-01' }] }),
  );
  const ask = (query: string) =>
    api.request(`http://127.0.0.1:3000/api/panels/queue/waiting.csv?from=2026-05-04&to=2026-05-05&grain=day${query}`);
  const [business, all] = [await ask('&hours=business'), await ask('')];
  expect(business.headers.get('content-disposition')).toContain('business-hours');
  expect(all.headers.get('content-disposition')).not.toContain('business');
  const medians = async (answer: Response) => (await answer.text()).split('\n').map((line) => line.split(',')[1]);
  expect((await medians(business)).slice(1, 3)).toEqual(['120', '180']);
  expect((await medians(all)).slice(1, 3)).toEqual(['180', '180']);
  expect((await ask('&hours=night')).status).toBe(400);
});
