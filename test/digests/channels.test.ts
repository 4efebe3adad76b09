// Channels besides mail, and the words around a digest.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { channelIn } from '#api/requested-digest.ts';
import { partsOf } from '#digests/channels/mail.ts';
import { htmlOf, textOf } from '#digests/channels/mail-text.ts';
import { handOver, judged } from '#digests/channels/smtp.ts';
import { slugOf } from '#digests/channels/letter.ts';
import { askedSeconds, retryBudget } from '#digests/channels/outcome.ts';
import { shortened } from '#digests/channels/shortened.ts';
import type { DigestDeps } from '#digests/deps.ts';
import { digestFrom, NotADigest } from '#digests/digest.ts';
import { periodOf } from '#digests/periods.ts';
import { enlist, round } from '#digests/scheduler.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { account } from '../warehouse/account.ts';
import { allowing, digestDeps, digest } from './deps.ts';
import { simpleParser } from './mail-parts.ts';
import { mailServer } from './mail-server.ts';
import { promisedApi } from '../api/promised-api.ts';

let engine: Store;
let server: Server | undefined;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());
afterEach(() => void server?.close());

/** A receiver that answers with a status (0: hangs up) and keeps what it heard. */
async function receiver(
  status: number,
  answered: Record<string, string> = {},
): Promise<{ url: string; heard: { body: string; headers: IncomingMessage['headers'] }[] }> {
  const heard: { body: string; headers: IncomingMessage['headers'] }[] = [];
  const made = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      heard.push({ body, headers: request.headers });
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, answered).end();
    });
  }).listen(0, '127.0.0.1');
  server = made;
  await once(made, 'listening');
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/hook`, heard };
}

const stateAfter = async (channel: object): Promise<string | undefined> => {
  const it = digestDeps(engine, [digest({ channels: [channel] })], { webhooks: allowing('127.0.0.1') });
  await round(it);
  await round(it);
  return it.store.ledger.history('week', 1)[0]?.state;
};

describe('a webhook', () => {
  const secret = 'a-secret-of-some-length';

  it('gets a signed body with the key figures and the files, once', async () => {
    const { url, heard } = await receiver(204);
    expect(await stateAfter({ kind: 'webhook', url, secret })).toBe('sent');
    expect(heard).toHaveLength(1);
    const { body = '', headers = {} } = heard[0] ?? {};
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-chatledger-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(signature);
    const told = JSON.parse(body) as { key_figures: object[]; files: { name: string; base64: string }[]; id: string };
    expect(told.key_figures[0]).toMatchObject({ title: 'Chats', text: '1' });
    expect(Buffer.from(told.files[0]?.base64 ?? '', 'base64').toString('latin1', 0, 2)).toBe('PK');
    expect(headers['idempotency-key']).toBe(told.id);
  });

  it.each([
    [503, 'retrying'],
    [429, 'retrying'],
    [400, 'failed'],
    [0, 'unknown'],
  ])('that answers %i is %s, and is not called again at once', async (status, state) => {
    const { url, heard } = await receiver(status);
    expect(await stateAfter({ kind: 'webhook', url, secret })).toBe(state);
    expect(heard).toHaveLength(1);
  });

  const date = 'Mon, 01 Jun 2026 08:00:00 GMT';
  it.each([
    [503, { 'retry-after': '600' }, 600],
    [429, { 'retry-after': '7200' }, 7200],
    // By the receiver's clock, which may be another than ours.
    [429, { 'retry-after': 'Mon, 01 Jun 2026 10:00:00 GMT', date }, 7200],
    [503, { 'retry-after': '5' }, 60],
    [503, { 'retry-after': 'Mon, 01 Jun 2026 07:00:00 GMT', date }, 60],
    [503, { 'retry-after': 'in a while' }, 60],
    [503, { 'retry-after': '9'.repeat(20) }, 86_400],
    [500, { 'retry-after': '600' }, 60],
  ])(
    'that answers %i with %j is called again after the wait that it asks for, and not before ours',
    async (status, answered, wait) => {
      const { url, heard } = await receiver(status, answered);
      const it = digestDeps(engine, [digest({ channels: [{ kind: 'webhook', url, secret }] })], {
        webhooks: allowing('127.0.0.1'),
      });
      await round(it);
      const first = it.now;
      expect(it.store.ledger.history('week', 1)[0]).toMatchObject({ state: 'retrying', next_at: first + wait });
      it.now = first + wait - 1;
      await round(it);
      expect(heard).toHaveLength(1);
      it.now = first + wait;
      await round(it);
      expect(heard).toHaveLength(2);
      // What was put off for the whole day is given up then.
      expect(it.store.ledger.history('week', 1)[0]?.state).toBe(wait === 86_400 ? 'failed' : 'retrying');
    },
  );

  it('without a secret gets one made, which the API tells once', async () => {
    const it = digestDeps(engine, []);
    const api = promisedApi(apiDeps(engine, { digests: it }));
    const body = JSON.stringify({
      ...digest({ channels: [{ kind: 'webhook', url: 'https://hook.example/x' }] }),
      id: undefined,
    });
    const put = () =>
      api.request('http://127.0.0.1:3000/api/digests/week', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const first = (await (await put()).json()) as { secrets: Record<string, string>; digest: object };
    expect(Object.keys(first.secrets)).toEqual(['https://hook.example/x']);
    expect(JSON.stringify(first.digest)).not.toContain('secret');
    expect(((await (await put()).json()) as { secrets: object }).secrets).toEqual({});
  });
});

describe('an address of the web', () => {
  const url = 'https://hooks.example/services/T0/B0/only-for-us';
  const asking = (it: DigestDeps) => {
    const api = promisedApi(apiDeps(engine, { digests: it }));
    return async (method: string, path: string, body?: object): Promise<{ status: number; text: string }> => {
      const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await api.request(`http://127.0.0.1:3000/api/digests${path}`, { method, ...sent });
      return { status: answer.status, text: await answer.text() };
    };
  };

  it('is shown to nobody again, and stays when the form is saved as it was shown', async () => {
    const it = digestDeps(engine, [digest({ id: 'week', channels: [{ kind: 'slack', url }] })]);
    const ask = asking(it);
    enlist(it, it.store.list()[0]!.digest, periodOf('2026-W21')!, { due_at: 0, is_late: false });
    const { text } = await ask('GET', '/week');
    expect(text).not.toContain('only-for-us');
    expect((await ask('GET', '')).text).not.toContain('only-for-us');
    const shown = JSON.parse(text) as { digest: Record<string, unknown>; sends: { channel: string }[] };
    expect(shown.digest['channels']).toEqual([{ kind: 'slack', url: shortened(url) }]);
    expect(shown.sends[0]?.channel).toBe(`slack ${shortened(url)}`);
    const { next_at: _n, schedule_problem: _p, last: _l, ...form } = shown.digest;
    const saved = await ask('PUT', '/week', { ...form, id: undefined, title: 'Another' });
    expect([saved.status, saved.text.includes('only-for-us')]).toEqual([200, false]);
    expect(it.store.find('week')?.digest).toMatchObject({ title: 'Another', channels: [{ kind: 'slack', url }] });
  });

  it('is known by what was shown when a send is asked for again', async () => {
    const it = digestDeps(engine, [digest({ id: 'week', channels: [{ kind: 'slack', url }] })]);
    enlist(it, it.store.list()[0]!.digest, periodOf('2026-W21')!, { due_at: 0, is_late: false });
    const [send] = it.store.ledger.ofPeriod('week', '2026-W21');
    const asked = { digest: 'week', period: '2026-W21', channel: `slack ${shortened(url)}` };
    expect(channelIn(it, asked)).toBe(send?.channel);
    expect(channelIn(it, { ...asked, channel: 'folder' })).toBe('folder');
  });

  it('that is shortened and of another digest is refused', async () => {
    const it = digestDeps(engine, [digest({ id: 'week', channels: [{ kind: 'slack', url }] })]);
    const form = { ...digest({ channels: [{ kind: 'slack', url: shortened(url) }] }), id: undefined };
    const { status, text } = await asking(it)('PUT', '/month', form);
    expect([status, text.includes('channels.0.url: is shortened')]).toEqual([400, true]);
  });
});

it('a Slack-style message holds the figures as text, never as markup of others', async () => {
  const { url, heard } = await receiver(200);
  const it = digestDeps(engine, [digest({ title: 'Week <!channel> *x*', channels: [{ kind: 'slack', url }] })], {
    webhooks: allowing('127.0.0.1'),
  });
  await round(it);
  const said = heard[0]?.body ?? '';
  expect(said).toContain('Chats: *1*');
  expect(JSON.parse(said).text).toContain('&lt;!channel&gt;');
});

describe('mail', () => {
  it('with a title and a name full of syntax keeps its headers', async () => {
    const mails = await mailServer();
    const hostile = {
      title: '=?x?= <b>"a, b@c" #set',
      readers: [{ name: '"x" <y@z>, <script>', address: 'ann@example.com' }],
    };
    const it = digestDeps(engine, [digest(hostile)], { post: { smtp_url: mails.url, from: 'ledger@example.com' } });
    await round(it);
    await mails.close();
    const mail = simpleParser(mails.accepted[0] ?? '');
    expect(mails.accepted).toHaveLength(1);
    expect(mail.headers['bcc']).toBeUndefined();
    expect(mail.headers['to']).toMatch(/<ann@example\.com>$/);
    expect(mail.html).not.toContain('<b>"a');
    expect(mail.text).toContain('=?x?= <b>"a, b@c" #set');
  });

  it('line breaks and lists of addresses are refused before anything is kept', () => {
    for (const differs of [
      { title: 'a\r\nBcc: x@example.com' },
      { readers: [{ name: 'a\nb', address: 'a@example.com' }] },
      { readers: [{ name: 'a', address: 'a@example.com, b@example.com' }] },
      { readers: [{ name: 'a', address: 'a@example.com\r\nBcc: b@example.com' }] },
      { schedule: { cron: '0 7 31 2 *', timezone: 'UTC' } },
      { content: ['nowhere'] },
    ])
      expect(() => digest(differs)).toThrow(NotADigest);
    expect(() => digestFrom({ id: '../x' })).toThrow(NotADigest);
  });

  it('over the limit goes as links, else in several parts', () => {
    const file = (name: string, size: number) => ({ name, type: 'x/y', bytes: new Uint8Array(size) });
    const files = [file('a', 6), file('b', 3), file('c', 5)];
    const names = (most: number, linkTo: ((it: { name: string }) => string) | null) =>
      partsOf(files, linkTo, most).map(({ attached, links }) => [attached.map(({ name }) => name), links.length]);
    expect(names(14, null)).toEqual([[['a', 'b', 'c'], 0]]);
    expect(names(9, null)).toEqual([
      [['a', 'b'], 0],
      [['c'], 0],
    ]);
    expect(names(2, null)).toEqual([
      [['a'], 0],
      [['b'], 0],
      [['c'], 0],
    ]);
    expect(names(9, ({ name }) => name)).toEqual([[[], 3]]);
  });

  it('errors are judged by what the server said and by how far it came', () => {
    expect(judged({ responseCode: 451, message: 'x' }, false).kind).toBe('retry');
    expect(judged({ responseCode: 554, message: 'x' }, true).kind).toBe('failed');
    expect(judged({ code: 'EAUTH', responseCode: 535, message: 'x' }, false).kind).toBe('retry');
    expect(judged({ code: 'ETIMEDOUT', message: 'x' }, false).kind).toBe('retry');
    expect(judged({ code: 'ETIMEDOUT', message: 'x' }, true).kind).toBe('unknown');
    const plain =
      'A000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../tlsany_meth.c:77:';
    expect(judged({ code: 'ESOCKET', message: plain }, false)).toMatchObject({
      kind: 'retry',
      reason: expect.stringMatching(/^the mail server does not begin with TLS at this port.*: write smtp:/),
    });
  });

  it.each([
    ['s3cr3t%2Bwords', 's3cr3t+words'],
    ['100%sure', '100%sure'],
  ])('a refusal that repeats how the program signed in is told without the password %s', async (written, password) => {
    const sink = createTcpServer((socket) => {
      socket.write('220 mail\r\n');
      socket.on('data', (data) => {
        const line = data.toString().trim();
        socket.write(/^EHLO/.test(line) ? '250-mail\r\n250 AUTH PLAIN\r\n' : `535 ${line} (${password}) is wrong\r\n`);
      });
    }).listen(0, '127.0.0.1');
    await once(sink, 'listening');
    const smtp_url = `smtp://mailer:${written}@127.0.0.1:${(sink.address() as AddressInfo).port}`;
    const outcome = await handOver(Buffer.from('x'), { smtp_url, from: 'a@example.com' }, 'b@example.com');
    sink.close();
    expect(outcome).toMatchObject({ kind: 'retry', reason: expect.stringMatching(/535 AUTH PLAIN … \(…\) is wrong$/) });
  });

  it('waits longer each time and not longer than a day', () => {
    expect([1, 2, 3, 9].map((attempts) => retryBudget(attempts, 0, 100))).toEqual([60, 120, 240, 3600]);
    expect(retryBudget(30, 0, 86_000)).toBe(400);
    expect(retryBudget(30, 0, 86_400)).toBeUndefined();
  });

  it('waits as long as it is asked to, by our clock where the receiver does not tell its own', () => {
    const now = Date.parse('2026-06-01T08:00:00.5Z') / 1000;
    const asked = (retry_after: string, date?: string) => askedSeconds({ retry_after, date }, now);
    expect(asked('Mon, 01 Jun 2026 08:10:00 GMT')).toBe(600);
    expect(asked('Mon, 01 Jun 2026 08:10:00 GMT', 'never')).toBe(600);
    expect(asked('Mon, 01 Jun 2026 08:10:00 GMT', 'Mon, 01 Jun 2026 08:09:00 GMT')).toBe(60);
    expect(asked(' 7 ')).toBe(7);
  });
});

it('names of readers become folder names that stay in their place', () => {
  expect(slugOf('ann')).toBe('ann');
  for (const name of ['../../etc', 'a/b', '..', 'Zoë', '山田', 'CON:'])
    expect(slugOf(name)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  expect(slugOf('a b')).not.toBe(slugOf('a-b'));
});

it('a mail leads from each sentence about what changed to its receipt, where readers reach the pages', () => {
  const url = 'https://numbers.example/receipt/chat_ratings?from=2026-05-04&to=2026-05-10&measure=csat';
  const letter = {
    ...{ digest: 'week', period: '2026-W19', reader: { name: 'ann' }, title: 'Week', language: 'en-GB', about: '' },
    ...{ stamps: [], figures: [], queries: [], restated: null, files: [], message_id: '<x@y>', linkTo: null },
    changes: [
      { text: 'Satisfaction: 50% <less>.', url },
      { text: 'Chats: 9.', url: null },
    ],
    basis: { zone: 'UTC', filters: '', freshness: '', settles: '', snapshot: '' },
  };
  const around = { links: [], part: null, unsubscribe: 'mailto:x' };
  expect(textOf(letter, around)).toContain(`\nWHAT TRULY CHANGED\nSatisfaction: 50% <less>.\n${url}\nChats: 9.\n`);
  const html = htmlOf(letter, around);
  expect(html).toContain(`Satisfaction: 50% &lt;less&gt;. <a href="${url.replaceAll('&', '&amp;')}"`);
  expect(html.indexOf('Satisfaction')).toBeLessThan(html.indexOf('Key figures'));
  expect(html).toContain('<a href="mailto:x">Get no more of this report</a>');
});
