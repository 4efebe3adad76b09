// Sending: each reader at most once, whatever the mail server does and whenever the program ends.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser } from './mail-parts.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { again } from '#digests/send-inputs.ts';
import { enlist, notReached, round, sendReady } from '#digests/scheduler.ts';
import { periodOf } from '#digests/periods.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, insert } from '../warehouse/account.ts';
import { testInDrill } from '../chance.ts';
import { digestDeps, digest, monday, type TestDigestDeps } from './deps.ts';
import { mailServer, type MailServer, type Mood } from './mail-server.ts';

let engine: Store;
let server: MailServer;
beforeAll(async () => {
  engine = await account([
    { start: '2026-05-04T10:00:00Z' },
    { start: '2026-05-06T10:00:00Z', groups: [2] },
    { start: '2026-05-01T10:00:00Z' },
  ]);
  await insert(engine, 'account', 'groups', [{ group_id: 2, name: 'Sales' }]);
});
afterAll(() => engine.close());
afterEach(() => server?.close());

async function mailing(
  mood: Mood,
  differs: Parameters<typeof digestDeps>[2] = {},
  digests = [digest()],
): Promise<TestDigestDeps> {
  server = await mailServer(mood);
  return digestDeps(engine, digests, {
    post: { smtp_url: server.url, from: 'Ledger <ledger@example.com>' },
    ...differs,
  });
}
const sends = ({ store }: TestDigestDeps) => store.ledger.history('week', 50);
const stateOf = (it: TestDigestDeps) => sends(it).map(({ state }) => state);

describe('a mail server that works', () => {
  it('gets one mail with the numbers inside and the file attached, and never a second', async () => {
    const it = await mailing('well');
    for (let look = 0; look < 3; look++) await round(it);
    expect(server.accepted).toHaveLength(1);
    const mail = simpleParser(server.accepted[0] ?? '');
    expect(mail.headers['subject']).toBe('Week, Week 19, 4 May to 10 May 2026');
    expect(mail.headers['message-id']).toMatch(/^<[0-9a-f]{40}@example\.com>$/);
    expect(mail.headers['list-unsubscribe']).toContain('mailto:ledger@example.com');
    expect(mail.text).toContain('Chats: 2 (no clear change: 100% more than the week before)');
    expect(mail.html).toContain('>2</td>');
    expect(mail.attachments).toEqual(['week-2026-W19.csv.zip']);
    expect(stateOf(it)).toEqual(['sent']);
    expect(it.pinned).toEqual(['20260511-065500-000 digest week 2026-W19']);
  });

  it('says why a figure is not given', async () => {
    const it = await mailing('well', {}, [
      digest({ content: ['overview/chats-tile', 'overview/left-tile'], filters: { tag: ['vip'] } }),
    ]);
    await round(it);
    expect(simpleParser(server.accepted[0] ?? '').text).toMatch(
      /^Abandoned: not given \(queued_visitors .*not by tag/m,
    );
  });

  it('two programs on the same data send it once', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'digests-')), 'app.sqlite');
    const one = await mailing('well', { file });
    const other = digestDeps(engine, [], {
      file,
      post: one.post,
      owner: { process: 2, began: 0, isAlive: () => true },
    });
    await Promise.all([round(one), round(other), round(one), round(other)]);
    expect(server.accepted).toHaveLength(1);
  });

  it('one that was missed for three weeks is sent once, late, and says so', async () => {
    const it = await mailing('well', { now: monday + 15 * 86_400, published: '2026-05-26T06:00:00.000Z' });
    await round(it);
    expect(server.accepted).toHaveLength(1);
    expect(simpleParser(server.accepted[0] ?? '').text).toContain('is late: the machine did not run then');
    expect(sends(it)).toMatchObject([{ period: '2026-W21', is_late: true, state: 'sent' }]);
  });

  it('after a clock that ran months ahead the next one is sent when it is due, and none twice', async () => {
    const it = await mailing('well');
    await round(it);
    it.now = monday + 90 * 86_400;
    await round(it);
    expect(sends(it).map(({ period }) => period)).toEqual(['2026-W31', '2026-W19']);
    it.now = monday + 3600;
    for (let look = 0; look < 3; look++) await round(it);
    expect(sends(it).map(({ period }) => period)).toEqual(['2026-W19']);
    expect(it.said.filter((sentence) => sentence.includes('is to come'))).toEqual([
      'digest week was noted as sent up to 2026-08-03T07:00:00.000Z, which is to come: it is due again after 2026-05-11T07:00:00.000Z',
    ]);
    it.now = monday + 7 * 86_400 + 60;
    await round(it);
    expect(sends(it).map(({ period }) => period)).toEqual(['2026-W20', '2026-W19']);
  });

  it('one that was made while the clock ran ahead is due as any other once it is right', async () => {
    const it = await mailing('well', {}, []);
    it.store.save(digest(), monday + 90 * 86_400);
    await round(it);
    expect(sends(it)).toEqual([]);
    it.now = monday + 7 * 86_400 + 60;
    await round(it);
    expect(sends(it)).toMatchObject([{ period: '2026-W20' }]);
  });

  it('what was put off by a clock that ran ahead is tried as soon as it is right', async () => {
    const it = await mailing('well');
    const [row] = [{ digest: 'week', period: '2026-W19', reader: 'ann', channel: 'mail' }];
    const ahead = monday + 90 * 86_400;
    it.store.ledger.addAll([row], { due_at: monday, is_late: false }, ahead);
    it.store.ledger.retry(row, 'the host was down', ahead + 600, ahead);
    expect(it.store.ledger.ready(monday + 60)).toEqual([row]);
    await round(it);
    expect(sends(it)).toMatchObject([{ period: '2026-W19', state: 'sent' }]);
  });

  it('what a clock that ran ahead sent about a week to come goes out again when that week is over, and says why', async () => {
    const it = await mailing('well', {}, [digest({ when_incomplete: 'stamp' })]);
    await round(it);
    it.now = monday + 7 * 86_400 + 60;
    await round(it);
    it.now = monday + 3600;
    for (let look = 0; look < 3; look++) await round(it);
    expect(sends(it).map(({ period, state }) => [period, state])).toEqual([['2026-W19', 'sent']]);
    expect(it.said.filter((sentence) => sentence.includes('is not over'))).toEqual([
      'digest week 2026-W20: it was noted by a clock that ran ahead, and its period is not over; the whole one goes out when it is due',
    ]);
    it.now = monday + 7 * 86_400 + 60;
    for (let look = 0; look < 3; look++) await round(it);
    const mails = server.accepted.map((mail) => simpleParser(mail));
    expect(mails.map(({ headers }) => headers['subject'])).toEqual([
      'Week, Week 19, 4 May to 10 May 2026',
      'Week, Week 20, 11 May to 17 May 2026',
      'Week, Week 20, 11 May to 17 May 2026',
    ]);
    const early = 'A report about this period went out before it was over: this one takes its place.';
    expect(mails.map(({ text = '' }) => text.includes(early))).toEqual([false, false, true]);
    expect(new Set(mails.map(({ headers }) => headers['message-id'])).size).toBe(3);
    expect(it.store.ledger.ofPeriod('week', '2026-W20')).toMatchObject([{ state: 'sent', sent_at: it.now }]);
  });

  it('as long as the source does not say that the clock is right, nothing goes out twice', async () => {
    const it = await mailing('well', { isClockRight: () => false }, [digest({ when_incomplete: 'stamp' })]);
    const due = monday + 7 * 86_400;
    for (const now of [monday + 60, due + 60, monday + 3600, due + 120]) {
      it.now = now;
      await round(it);
    }
    expect(sends(it).map(({ period }) => period)).toEqual(['2026-W20', '2026-W19']);
    expect(server.accepted).toHaveLength(2);
  });

  it('what a clock that ran ahead put off is not sent before it is due', async () => {
    const it = await mailing('well', {}, [digest({ when_incomplete: 'stamp' })]);
    await round(it);
    const [row] = [{ digest: 'week', period: '2026-W20', reader: 'ann', channel: 'mail' }];
    const ahead = monday + 7 * 86_400;
    it.store.ledger.addAll([row], { due_at: ahead, is_late: false }, ahead);
    it.store.ledger.retry(row, 'the host was down', ahead + 600, ahead);
    for (let look = 0; look < 3; look++) await round(it);
    expect(server.accepted).toHaveLength(1);
    it.now = ahead + 60;
    await round(it);
    expect(server.accepted).toHaveLength(2);
  });

  it('one that was sent by hand before its week was over goes out again when it is due', async () => {
    const it = await mailing('well', {}, [digest({ when_incomplete: 'stamp' })]);
    await round(it);
    it.now = monday + 3 * 86_400;
    const [kept] = it.store.list();
    const week = periodOf('2026-W20');
    if (kept && week) enlist(it, kept.digest, week, { due_at: it.now, is_late: false });
    await round(it);
    expect(server.accepted).toHaveLength(2);
    it.now = monday + 7 * 86_400 + 60;
    for (let look = 0; look < 3; look++) await round(it);
    expect(server.accepted).toHaveLength(3);
    const texts = server.accepted.map((mail) => simpleParser(mail).text ?? '');
    expect(texts.map((text) => text.includes('this one takes its place'))).toEqual([false, false, true]);
  });

  it('a paused digest is not sent, and does not make up for it afterwards', async () => {
    const it = await mailing('well', {}, [digest({ is_paused: true })]);
    await round(it);
    it.store.save(digest(), it.now);
    await round(it);
    expect(server.accepted).toHaveLength(0);
  });

  it('a reader who unsubscribed gets no more', async () => {
    const it = await mailing('well');
    it.store.unsubscribe('week', 'Ann@Example.com', it.now);
    await round(it);
    expect(server.accepted).toHaveLength(0);
    const channels = [{ kind: 'folder' }, { kind: 'mail' }];
    const readers = [
      { name: 'Ann', address: 'ann@example.com' },
      { name: 'Bob', address: 'bob@example.com' },
      { name: 'Cy' },
    ];
    expect(notReached(it, digest({ channels, readers }))).toEqual([
      { reader: 'Ann', channel: 'mail', why: 'the reader has unsubscribed' },
      { reader: 'Cy', channel: 'mail', why: 'no address is known' },
    ]);
  });
});

describe('a mail server that does not', () => {
  it.each(['busy', 'busy after data', 'hangs up before'] as const)(
    'that %s is tried again until it works',
    async (mood) => {
      const it = await mailing(mood);
      await round(it);
      expect(stateOf(it)).toEqual(['retrying']);
      expect(sends(it)[0]?.reason).toBeTruthy();
      await round(it);
      expect(server.tries).toBe(1);
      it.now += 61;
      server.mood = 'well';
      await round(it);
      expect(stateOf(it)).toEqual(['sent']);
      expect(server.accepted).toHaveLength(1);
    },
  );

  testInDrill('is given up after a day, and the reason stays to be seen', async () => {
    const it = await mailing('busy');
    for (let hour = 0; hour < 30; hour++) {
      await round(it);
      it.now += 3600;
    }
    expect(sends(it)).toMatchObject([{ state: 'failed' }]);
    expect(sends(it)[0]?.reason).toMatch(/given up after a day: .*come back later/);
    expect(server.tries).toBeGreaterThan(20);
  });

  it('that refuses the reader is not asked again', async () => {
    const it = await mailing('refuses');
    await round(it);
    it.now += 7200;
    await round(it);
    expect(server.tries).toBe(1);
    expect(sends(it)).toMatchObject([{ state: 'failed' }]);
    expect(it.said.join()).toContain('no such reader');
  });

  it('that hangs up after the whole mail leaves it unknown; by hand it goes out again with the same Message-ID', async () => {
    const it = await mailing('hangs up after');
    await round(it);
    it.now += 7200;
    await round(it);
    expect(stateOf(it)).toEqual(['unknown']);
    expect(server.unanswered).toHaveLength(1);
    server.mood = 'well';
    const [send] = sends(it);
    expect(send && it.store.ledger.again(send, it.now)).toBe(true);
    await round(it);
    expect(stateOf(it)).toEqual(['sent']);
    const idOf = (mail: string | undefined) => simpleParser(mail ?? '').headers['message-id'];
    expect(idOf(server.accepted[0])).toBe(idOf(server.unanswered[0]));
  });

  it('that is absent is waited for', async () => {
    const it = await mailing('well');
    await server.close();
    await round(it);
    expect(sends(it)).toMatchObject([{ state: 'retrying' }]);
    expect(sends(it)[0]?.reason).toContain('cannot be reached');
  });
});

describe('a program that ends', () => {
  it('between sending and writing it down leaves it unknown, and nobody sends it again unasked', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'digests-')), 'app.sqlite');
    const it = await mailing('well', { file });
    await round(it);
    // As a kill leaves it: handed over by a process that is gone.
    const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(file).exec("update digest_sends set state = 'sending', owner = 99, sent_at = null");
    const next = digestDeps(engine, [], { file, post: it.post });
    await round(next);
    await round(next);
    expect(stateOf(next)).toEqual(['unknown']);
    expect(server.accepted).toHaveLength(1);
  });

  it('while a folder is written writes it again: that does no harm', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'digests-')), 'app.sqlite');
    const one = digestDeps(engine, [digest({ channels: [{ kind: 'folder' }] })], { file });
    await round(one);
    const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(file).exec("update digest_sends set state = 'sending', owner = 99");
    const next = digestDeps(engine, [], { file });
    await round(next);
    expect(stateOf(next)).toEqual(['sent']);
    expect(readdirSync(join(next.folder, 'week', '2026-W19', 'ann'))).toEqual(['week-2026-W19.csv.zip']);
  });
});

describe('honesty', () => {
  const folder = { channels: [{ kind: 'folder' }] };

  it('numbers that are too old hold it, and it goes out when they are fresh', async () => {
    const it = digestDeps(engine, [digest({ ...folder, most_hours_old: 1 })], {
      pulled_at: () => (monday - 7200) * 1000,
    });
    await round(it);
    expect(sends(it)).toMatchObject([{ state: 'held' }]);
    expect(sends(it)[0]?.reason).toContain('The last pull was 2 h before this report; the limit is 1 h.');
    it.pulled_at = () => monday * 1000;
    it.now += 301;
    await round(it);
    expect(stateOf(it)).toEqual(['sent']);
  });

  it('whoever sends one by hand that is held has it judged again at once', async () => {
    const it = digestDeps(engine, [digest({ ...folder, most_hours_old: 1 })], {
      pulled_at: () => (monday - 7200) * 1000,
    });
    await round(it);
    const [held] = sends(it);
    expect(held?.state).toBe('held');
    it.pulled_at = () => monday * 1000;
    await round(it);
    expect(stateOf(it)).toEqual(['held']);
    await sendReady(it, { digest: 'week', period: '2026-W18' });
    expect(stateOf(it)).toEqual(['held']);
    await sendReady(it, { digest: 'week', period: held?.period ?? '' });
    expect(stateOf(it)).toEqual(['sent']);
  });

  it('a period that is not over in the snapshot stamps it, when that is wanted', async () => {
    const it = digestDeps(engine, [digest({ ...folder, when_incomplete: 'stamp' })], {
      published: '2026-05-10T20:00:00.000Z',
    });
    await round(it);
    const [send] = sends(it);
    expect(send?.state).toBe('sent');
    const { document } = await again(it, send as NonNullable<typeof send>);
    expect(document.stamps.join()).toContain('is not over in the snapshot');
  });

  it('a variable that is not declared any more holds it', async () => {
    const filters = { group: [], agent: [], tag: [], variable: ['plan:pro'] };
    const it = digestDeps(engine, [digest({ ...folder, filters })]);
    await round(it);
    expect(sends(it)).toMatchObject([{ state: 'held' }]);
    expect(sends(it)[0]?.reason).toMatch(/^Numbers are not given: .*plan is not declared/);
  });

  it('unexplained cells hold it', async () => {
    await insert(engine, 'ledger', 'reconciliation', [
      {
        metric: 'total_chats',
        timezone: 'UTC',
        day: '2026-05-05',
        period: '2026-05-05',
        grain: 'day',
        split: 'account',
        measure: 'chats',
        reason: 'unexplained',
      },
    ]);
    const it = digestDeps(engine, [digest(folder)]);
    await round(it);
    await engine.exec('delete from ledger.reconciliation');
    expect(sends(it)).toMatchObject([{ state: 'held' }]);
    expect(sends(it)[0]?.reason).toContain('without a known reason');
  });

  it('a reader sees the rows of the allowed groups only, in every number', async () => {
    const readers = [{ name: 'all' }, { name: 'sales', groups: [2] }, { name: 'none', groups: [9] }];
    const { file } = await publish(engine, mkdtempSync(join(tmpdir(), 'sending-')), (monday - 300) * 1000);
    const snapshot = await openWarehouse(file, { readOnly: true });
    const it = digestDeps(snapshot, [digest({ ...folder, readers })]);
    await round(it);
    const chats = async (name: string) => {
      const send = sends(it).find(({ reader }) => reader === name);
      if (!send) throw new Error(`nothing was sent to ${name}`);
      const { document } = await again(it, send);
      return [
        document.keyFigures[0]?.figures[0]?.text,
        document.change?.contributions.find(({ by }) => by === 'group')?.listed,
      ];
    };
    expect(await chats('all')).toEqual(['2', [{ name: 'Sales', change: 1 }]]);
    expect(await chats('sales')).toEqual(['1', [{ name: 'Sales', change: 1 }]]);
    expect(await chats('none')).toEqual(['0', []]);
    const narrowed = digestDeps(snapshot, [
      digest({ ...folder, readers: [{ name: 'none', groups: [9] }], filters: { group: [2] } }),
    ]);
    await round(narrowed);
    expect(sends(narrowed)).toMatchObject([{ state: 'failed' }]);
    await snapshot.close();
  });

  it('what was put down for a period stays as it is when it is asked for again', () => {
    const it = digestDeps(engine, [digest(folder)]);
    const week = periodOf('2026-W19');
    if (!week) throw new Error('no period');
    expect(enlist(it, digest(folder), week, { due_at: monday, is_late: false })).toBe(1);
    expect(enlist(it, digest(folder), week, { due_at: monday, is_late: false })).toBe(0);
  });
});
