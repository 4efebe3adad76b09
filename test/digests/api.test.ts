// Digests over HTTP: list, change, preview, run now, history, and a page as a document.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ShownDigest } from '#api/contract/digests.ts';
import { round } from '#digests/scheduler.ts';
import type { Store } from '#warehouse/engine.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { apiDeps } from '../api/deps.ts';
import { account } from '../warehouse/account.ts';
import { digestDeps, digest } from './deps.ts';
import { simpleParser } from './mail-parts.ts';
import { mailServer } from './mail-server.ts';
import { promisedApi } from '../api/promised-api.ts';

let engine: Store;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());

const folder = () => digestDeps(engine, [digest({ channels: [{ kind: 'folder' }] })]);

function asking(it = folder()) {
  const api = promisedApi(apiDeps(engine, { digests: it }));
  return async (path: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return api.request(`http://127.0.0.1:3000/api${path}`, { method, headers: { ...type, ...headers }, ...sent });
  };
}

it('the list says when each is due next and what became of the last one', async () => {
  const ask = asking();
  expect(await (await ask('/digests')).json()).toMatchObject({
    digests: [{ id: 'week', next_at: '2026-05-18T07:00:00.000Z', last: null }],
    can_mail: false,
  });
});

it('the list says of the last period what did not arrive, not what did', async () => {
  const it = folder();
  const ask = asking(it);
  const { ledger } = it.store;
  const key = (period: string, reader: string, channel: string) => ({ digest: 'week', period, reader, channel });
  const last = async () => ((await (await ask('/digests')).json()) as { digests: [{ last: unknown }] }).digests[0].last;
  const send = (sent: ReturnType<typeof key>, due_at: number, state: 'sent' | 'failed', reason: string | null) => {
    ledger.addAll([sent], { due_at, is_late: false }, due_at);
    ledger.claim(sent, it.owner, due_at);
    ledger.end(sent, state, reason, due_at);
  };
  send(key('2026-W18', 'Ann', 'folder'), it.now - 7 * 86_400, 'failed', 'the disk was full');
  const bob = key('2026-W19', 'Bob', 'folder');
  for (const each of [key('2026-W19', 'Ann', 'folder'), bob]) send(each, it.now, 'sent', null);
  expect(await last()).toMatchObject({ period: '2026-W19', reader: 'Ann', channel: 'folder', state: 'sent' });
  ledger.retry(bob, 'the folder cannot be written', it.now + 60, it.now);
  expect(await last()).toMatchObject({ reader: 'Bob', state: 'retrying', reason: 'the folder cannot be written' });
  send(key('2026-W19', 'Ann', 'mail'), it.now, 'failed', 'nobody is there');
  expect(await last()).toMatchObject({ reader: 'Ann', channel: 'mail', state: 'failed', reason: 'nobody is there' });
});

it('a schedule that this version cannot read is named, and keeps no other digest', async () => {
  const it = folder();
  const { cron: _, ...zone } = digest().schedule;
  it.store.save({ ...digest(), id: 'older', schedule: { ...zone, cron: '0 7 * * 9' } }, it.now - 86_400);
  const ask = asking(it);
  const problem = expect.any(String) as string;
  expect(await (await ask('/digests')).json()).toMatchObject({
    digests: [
      { id: 'older', next_at: null, schedule_problem: problem },
      { id: 'week', next_at: '2026-05-18T07:00:00.000Z', schedule_problem: null },
    ],
  });
  await round(it);
  await round(it);
  expect(it.said.filter((words) => words.includes('older'))).toEqual([
    expect.stringContaining('digest older is never due: its schedule "0 7 * * 9" (UTC)'),
  ]);
  expect(it.store.ledger.history('week', 9)).toMatchObject([{ state: 'sent' }]);
});

it('run now sends, and a second time sends nothing more', async () => {
  const it = folder();
  const ask = asking(it);
  for (let time = 0; time < 2; time++)
    expect(await (await ask('/digests/week/run', 'POST')).json()).toMatchObject({
      sends: [{ period: '2026-W19', state: 'sent', attempts: 1 }],
    });
  expect(await (await ask('/digests/week')).json()).toMatchObject({ sends: [{ snapshot: '20260511-065500-000' }] });
  const file = await ask('/digests/week/sends/2026-W19/csv?reader=ann');
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip']);
});

it('requests from pages of other sites change nothing', async () => {
  const it = folder();
  const ask = asking(it);
  const answer = await ask('/digests/week/run', 'POST', undefined, { origin: 'https://evil.example' });
  expect(answer.status).toBe(403);
  expect(it.store.ledger.history('week', 9)).toEqual([]);
});

it('a wrong digest is refused with each problem, an unknown one with the names there are', async () => {
  const ask = asking();
  const wrong = await ask('/digests/new-one', 'PUT', { title: 'x', schedule: { cron: 'soon', timezone: 'Mars/Base' } });
  expect(wrong.status).toBe(400);
  const { error } = (await wrong.json()) as { error: { choices: string[] } };
  expect(error.choices.join('\n')).toContain('schedule.cron: must have five fields');
  expect(error.choices.join('\n')).toContain('schedule.timezone: must be an IANA zone');
  expect(await (await ask('/digests/nothing')).json()).toMatchObject({
    error: { type: 'not_found', choices: ['week'] },
  });
});

it('a digest can be made, paused and removed', async () => {
  const ask = asking();
  const { id: _id, ...body } = digest({ title: 'Other', channels: [{ kind: 'folder' }] });
  expect((await ask('/digests/other', 'PUT', body)).status).toBe(200);
  expect((await ask('/digests/other', 'PUT', { ...body, is_paused: true })).status).toBe(200);
  expect(await (await ask('/digests/other')).json()).toMatchObject({ digest: { is_paused: true, next_at: null } });
  expect((await ask('/digests/other', 'DELETE')).status).toBe(204);
  expect((await ask('/digests/other')).status).toBe(404);
});

it('a digest that somebody else has saved, made or removed meanwhile is not replaced', async () => {
  const ask = asking();
  const { id: _id, ...body } = digest({ title: 'Other', channels: [{ kind: 'folder' }] });
  const save = async (differs: object) => {
    const answer = await ask('/digests/other', 'PUT', { ...body, ...differs });
    const { digest: kept, error } = (await answer.json()) as { digest?: ShownDigest; error?: { message: string } };
    return [answer.status, kept?.version ?? error?.message];
  };
  const title = async () => ((await (await ask('/digests/other')).json()) as { digest: ShownDigest }).digest.title;
  expect(await save({ version: 0 })).toEqual([200, 1]);
  expect(await save({ version: 0, title: 'New' })).toEqual([
    409,
    expect.stringContaining('other is taken: choose another short name'),
  ]);
  expect(await save({ version: 1, title: 'First' })).toEqual([200, 2]);
  expect(await save({ version: 1, title: 'Second' })).toEqual([
    409,
    expect.stringContaining('has changed this report'),
  ]);
  expect(await title()).toBe('First');
  // Whoever names no version replaces what is there, as scripts do.
  expect(await save({ title: 'Script' })).toEqual([200, 3]);
  expect(await save({ version: 'x' })).toEqual([400, expect.any(String)]);
  await ask('/digests/other', 'DELETE');
  expect(await save({ version: 3 })).toEqual([409, expect.stringContaining('has removed this report')]);
  expect((await ask('/digests/other')).status).toBe(404);
});

it('a hundred digests are kept and no more; one of them can be changed', async () => {
  const ask = asking();
  const { id: _id, ...body } = digest({ channels: [{ kind: 'folder' }] });
  for (let at = 2; at <= 100; at++) expect((await ask(`/digests/d${at}`, 'PUT', body)).status).toBe(200);
  const over = await ask('/digests/d101', 'PUT', body);
  expect(over.status).toBe(409);
  expect(await over.json()).toMatchObject({
    error: { message: 'there are 100 digests, and no more can be kept: remove one that nobody needs' },
  });
  expect((await ask('/digests/d100', 'PUT', { ...body, title: 'Changed' })).status).toBe(200);
});

it('lists of sends leave out what each was made from, which is read for one document at a time', async () => {
  const it = folder();
  const ask = asking(it);
  await ask('/digests/week/run', 'POST');
  const [listed] = it.store.ledger.history('week', 9);
  expect(listed).toMatchObject({ state: 'sent' });
  expect(listed).not.toHaveProperty('made');
  const about = { digest: 'week', period: '2026-W19' };
  expect(it.store.ledger.ofPeriod('week', '2026-W19')).toEqual([listed]);
  expect(it.store.ledger.findMade({ ...about, reader: 'ann' })?.made).toContain('"reader"');
  expect(it.store.ledger.findMade({ ...about, reader: 'bob' })).toBeUndefined();
  expect(it.store.ledger.findMade({ ...about, channel: 'mail' })).toBeUndefined();
});

it('a preview and a page are PDF documents, and wrong filters are told', async () => {
  const ask = asking();
  const preview = await ask('/digests/week/preview.pdf?for=2026-W19');
  expect(preview.headers.get('content-type')).toBe('application/pdf');
  expect(Buffer.from(await preview.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-');
  const page = await ask('/dashboards/queue.pdf?from=2026-05-04&to=2026-05-10&group=0');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await ask('/dashboards/queue.pdf?from=2026-05-10&to=2026-05-04')).status).toBe(400);
  const week = await ask('/dashboards/queue.pdf?preset=7d&grain=day&compare=none');
  expect(week.headers.get('content-disposition')).toMatch(/queue-(\d{4}-\d\d-\d\d)-(\d{4}-\d\d-\d\d)\.pdf/);
  const [, from = '', to = ''] = /queue-(.{10})-(.{10})\.pdf/.exec(week.headers.get('content-disposition') ?? '') ?? [];
  expect(Date.parse(to) - Date.parse(from)).toBe(6 * 86_400_000);
  for (const wrong of [
    'preset=nonsense',
    'compare=decade',
    'grain=decade',
    'frm=2026-05-04',
    'as_of=2026-05-04T00:00:00Z',
  ])
    expect([wrong, (await ask(`/dashboards/queue.pdf?${wrong}`)).status]).toEqual([wrong, 400]);
  const long = await ask('/dashboards/queue.pdf?from=2020-01-01&to=2026-05-10&grain=hour');
  expect([long.status, await long.json()]).toMatchObject([400, { error: { choices: ['week', 'month'] } }]);
  expect((await ask('/dashboards/queue.pdf?timezone=Mars/Base')).status).toBe(400);
  expect((await ask('/dashboards/nothing.pdf')).status).toBe(404);
  expect((await ask('/digests/week/preview.pdf?for=soon')).status).toBe(400);
  const sent = '/digests/week/sends/2026-W19/pdf';
  for (const [path, says] of [
    ...['1999-12', '1999-W52', '2101-Q1', '9999-12-31'].map(
      (of) =>
        [
          `/digests/week/preview.csv?for=${of}`,
          `for=${of} lies outside the days that there are, 2000-01-01 to 2100-12-31`,
        ] as const,
    ),
    ['/digests/week/preview.csv?period=2026-W19', 'there is no parameter period, only reader, for'],
    ['/digests/week/preview.pdf?readr=nobody', 'there is no parameter readr, only reader, for'],
    ['/digests/week/preview.pdf?for=2026-W19&for=2026-W18', 'for is given 2 times, it takes one value'],
    [`${sent}?readr=ann`, 'there is no parameter readr, only reader, channel'],
  ] as const) {
    const refused = await ask(path);
    expect([path, refused.status, await refused.json()]).toMatchObject([path, 400, { error: { message: says } }]);
  }
});

it('a test is what stands in the form, goes to one address, is marked as one, and is no part of the history', async () => {
  const server = await mailServer();
  const it = digestDeps(engine, [digest()], { post: { smtp_url: server.url, from: 'ledger@example.com' } });
  const ask = asking(it);
  const { id: _id, ...body } = digest({ title: 'Not kept yet' });
  const answer = await ask('/digests/new-one/test', 'POST', { to: 'ann@example.com', digest: body });
  expect(await answer.json()).toEqual({ to: 'ann@example.com', outcome: 'sent', reason: null });
  const mail = simpleParser(server.accepted[0] ?? '');
  expect(mail.headers['subject']).toContain('Test: Not kept yet');
  expect(mail.headers['to']).toContain('ann@example.com');
  expect(mail.attachments).toEqual(['new-one-2026-W19.csv.zip']);
  expect(it.store.list().map((kept) => kept.digest.id)).toEqual(['week']);
  expect(it.store.ledger.history('new-one', 9)).toEqual([]);
  server.mood = 'refuses';
  const refused = await ask('/digests/week/test', 'POST', { to: 'ann@example.com', digest: body });
  const reason: unknown = expect.stringContaining('no such reader');
  expect(await refused.json()).toEqual({ to: 'ann@example.com', outcome: 'failed', reason });
  await server.close();
});

it('a test says what is wrong with the form, with the address, and that mail is off', async () => {
  const ask = asking();
  const { id: _id, ...body } = digest();
  const wrong = await ask('/digests/week/test', 'POST', { to: 'ann@example.com', digest: { ...body, paper: 'a5' } });
  expect(wrong.status).toBe(400);
  expect(((await wrong.json()) as { error: { choices: string[] } }).error.choices.join()).toMatch(/^paper: /);
  const off = await ask('/digests/week/test', 'POST', { to: 'ann@example.com', digest: body });
  expect([off.status, await off.text()]).toEqual([503, expect.stringContaining('CHATLEDGER_SMTP_URL')]);
  expect((await ask('/digests/week/test', 'POST', { to: 'two@x.test,bob@x.test', digest: body })).status).toBe(400);
});

it('a document whose snapshot was let go says so', async () => {
  const it = folder();
  const ask = asking(it);
  await ask('/digests/week/run', 'POST');
  it.current = () => null;
  it.open = () => Promise.reject(new DamagedWarehouse('20260511-065500-000.duckdb', 'it is gone'));
  const answer = await ask('/digests/week/sends/2026-W19/csv?reader=ann');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    error: { message: 'week 2026-W19 cannot be made again: its snapshot 20260511-065500-000 is not there any more' },
  });
});
