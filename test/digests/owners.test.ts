// The owner of a digest is told by mail, once, that it is held, failed for good or may not have arrived.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { round } from '#digests/scheduler.ts';
import type { Store } from '#warehouse/engine.ts';
import { account } from '../warehouse/account.ts';
import { allowing, digestDeps, digest, monday } from './deps.ts';
import { simpleParser } from './mail-parts.ts';
import { mailServer, type MailServer } from './mail-server.ts';

let engine: Store;
let server: MailServer;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());
afterEach(() => server?.close());

const owner = 'owner@example.com';

/** A digestDeps with a mail server. */
async function owned(differs: Parameters<typeof digest>[0] = {}, around: Parameters<typeof digestDeps>[2] = {}) {
  server = await mailServer();
  const post = { smtp_url: server.url, from: 'Ledger <ledger@example.com>' };
  return digestDeps(engine, [digest({ owner, ...differs })], { post, ...around });
}
const notices = () => server.accepted.map(simpleParser).filter(({ headers }) => headers['to'] === owner);

it('one that is held: one mail for all readers, however often it is looked at, and no more when it went out', async () => {
  const readers = [{ name: 'ann' }, { name: 'bob' }];
  const it = await owned(
    { readers, channels: [{ kind: 'folder' }], most_hours_old: 1 },
    { pulled_at: () => (monday - 7200) * 1000 },
  );
  for (let look = 0; look < 3; look++, it.now += 301) await round(it);
  expect(notices()).toHaveLength(1);
  const [mail] = notices();
  expect(mail?.headers['subject']).toBe('Week, 2026-W19: held');
  expect(mail?.headers['auto-submitted']).toBe('auto-generated');
  for (const name of ['ann', 'bob']) expect(mail?.text).toContain(`- ${name}, folder: The last pull was 2 h before`);
  it.pulled_at = () => it.now * 1000;
  it.now += 301;
  await round(it);
  expect(it.store.ledger.history('week', 9).map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(notices()).toHaveLength(1);
});

it('one that failed for good, and one that nobody knows of, each with the reason', async () => {
  const channels = [{ kind: 'webhook', url: 'http://127.0.0.1:9/hook' }];
  const it = await owned({ channels }, { webhooks: allowing('127.0.0.1') });
  await round(it);
  const [send] = it.store.ledger.history('week', 9);
  if (!send) throw new Error('nothing was put down');
  it.store.ledger.claim(send, it.owner, it.now);
  it.store.ledger.end(send, 'failed', 'gone for good', it.now);
  await round(it);
  await round(it);
  expect(notices().map(({ headers }) => headers['subject'])).toEqual(['Week, 2026-W19: not delivered']);
  expect(notices()[0]?.text).toContain('- ann, webhook: gone for good');
  it.store.ledger.again(send, it.now);
  it.store.ledger.claim(send, it.owner, it.now);
  it.store.ledger.end(send, 'unknown', 'the answer was lost', it.now);
  await round(it);
  await round(it);
  expect(notices().map(({ headers }) => headers['subject'])).toEqual([
    'Week, 2026-W19: not delivered',
    'Week, 2026-W19: unknown whether it arrived',
  ]);
});

it('a mail server that puts the notice off is asked again, and the log says so', async () => {
  const it = await owned({ channels: [{ kind: 'folder' }], most_hours_old: 1 }, { pulled_at: () => null });
  server.mood = 'busy';
  await round(it);
  expect(notices()).toHaveLength(0);
  expect(it.said.join('\n')).toContain('its owner could not be told that it is held');
  server.mood = 'well';
  await round(it);
  await round(it);
  expect(notices()).toHaveLength(1);
});

it('nobody is told without an owner, nor of what is over for more than a day', async () => {
  const differs = { channels: [{ kind: 'folder' }], most_hours_old: 1 };
  const it = await owned({ ...differs, owner: undefined }, { pulled_at: () => null });
  await round(it);
  const [send] = it.store.ledger.history('week', 9);
  if (!send) throw new Error('nothing was put down');
  it.store.ledger.claim(send, it.owner, it.now);
  it.store.ledger.end(send, 'failed', 'gone', it.now);
  it.now += 86_401;
  it.store.save(digest({ ...differs, owner }), it.now);
  await round(it);
  expect(server.accepted).toHaveLength(0);
});
