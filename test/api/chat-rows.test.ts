// Chats as rows over HTTP: what each kind of file holds, what is refused, and that nothing is left of a file that was made.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Hono } from 'hono';
import { Downloads } from '#api/downloads.ts';
import { rightNames } from '#auth/rights.ts';
import { nobodyWaits, withSignal } from '#warehouse/cancellation.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import type { Store } from '#warehouse/engine.ts';
import { addChats, account, insert, second } from '../warehouse/account.ts';
import { apiDeps, authOf } from './deps.ts';
import { expectPromised } from './promised.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'chat-rows-'));
const files = join(folder, 'files');
let engine: Store;
const errors: unknown[] = [];

const day = (time: string): string => `2026-05-05T${time}Z`;
const formula = '=HYPERLINK("http://evil.test")';

beforeAll(async () => {
  const writer = await account([]);
  await addChats(writer, [
    {
      ...{ start: day('22:30:05'), seconds: 90, agents: ['b@x.test', 'a@x.test'], groups: [2], rate: 'rated_good' },
      ...{ tags: ['<b> & "x"', 'two\nlines'], queue: 1500, turns: { 'a@x.test': [25, 2] }, isReplied: false },
    },
    { start: day('10:00:00'), groups: [3], tags: ['_x0041_'], country: 'Poland' },
  ]);
  const start = second(day('11:00:00'));
  await insert(writer, 'facts', 'chats', [
    {
      ...{ chat_id: 'named', started_at: start, started_quarter: start / 900, started_second: start },
      ...{ ended_second: start + 60, visitor_name: formula, visitor_id: 'v1', rate: 'not_rated', is_replied: true },
    },
  ]);
  const { file } = await publish(writer, folder, Date.parse('2026-05-31T22:00:00Z'));
  await writer.close();
  engine = await openWarehouse(file, { readOnly: true });
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
  expect(errors).toEqual([]);
});

const apiOf = (rows?: Reader['rows'], rights: Iterable<(typeof rightNames)[number]> = rightNames) =>
  promisedApi(
    apiDeps(engine, {
      ...{ files, log: (error) => errors.push(error), snapshot: () => ({ ...about, engine, pseudonyms: 'here' }) },
      ...(rows || rights !== rightNames
        ? { auth: authOf(() => ({ id: 'somebody', ...(rows ? { rows } : {}) }), null, rights) }
        : {}),
    }),
  );
const about = { id: 's1', published_at: '2026-05-31T22:00:00.000Z' };
const range = 'from=2026-05-05&to=2026-05-06';
const address = (path: string) => `http://127.0.0.1:3000/api${path}`;

async function told(path: string, api = apiOf()) {
  const answer = await api.request(address(path), { headers: { host: '127.0.0.1:3000' } });
  const body = new Uint8Array(await answer.arrayBuffer());
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) expectPromised('GET', address(path), answer.status, strFromU8(body));
  return { answer, body, type, text: Buffer.from(body).toString() };
}

/** Fields of RFC 4180, by a machine of a few lines. */
function fieldsIn(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const two = text.slice(at, at + 2);
    if (isQuoted && two === '""') [field, at] = [`${field}"`, at + 1];
    else if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && text[at] === ',') field = push(field);
    else if (!isQuoted && two === '\r\n') {
      [field, at] = [push(field), at + 1];
      rows.push([]);
    } else field += text[at];
  }
  function push(value: string): string {
    rows.at(-1)?.push(value);
    return '';
  }
  return rows.slice(0, -1);
}

describe('as CSV', () => {
  it('one row per chat, newest first, in the zone that is asked, without what a spreadsheet would run', async () => {
    const columns = 'chat_id,started,timezone,started_at,tags,queue_seconds,response_seconds,is_replied,visitor_name';
    const { answer, text, type } = await told(`/chat-rows.csv?${range}&timezone=Asia/Kathmandu&columns=${columns}`);
    expect([answer.status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="default-chats-2026-05-05-to-2026-05-06.csv"',
    );
    expect(text.startsWith('\ufeff')).toBe(true);
    expect(fieldsIn(text.slice(1))).toEqual([
      columns.split(','),
      [
        ...['C000000', '2026-05-06 04:15:05', 'Asia/Kathmandu', '2026-05-05T22:30:05.000Z'],
        ...['<b> & "x"; two\nlines', '1500', '12.5', 'false', ''],
      ],
      ['named', '2026-05-05 16:45:00', 'Asia/Kathmandu', '2026-05-05T11:00:00.000Z', '', '', '', 'true', `'${formula}`],
      ['C000001', '2026-05-05 15:45:00', 'Asia/Kathmandu', '2026-05-05T10:00:00.000Z', '_x0041_', '', '', 'true', ''],
    ]);
  });

  it('without chats there is a head and nothing else', async () => {
    const { text } = await told('/chat-rows.csv?from=2090-01-01&to=2090-01-02&columns=chat_id,rate');
    expect(text).toBe('\ufeffchat_id,rate\r\n');
  });
});

describe('as a workbook', () => {
  const sheetOf = (bytes: Uint8Array) => {
    const parts = unzipSync(bytes);
    return { names: Object.keys(parts), sheet: strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array()) };
  };

  it('has plain heads that stay in view, a filter, real dates and numbers, and text that is never a formula', async () => {
    const columns = 'chat_id,started,queue_seconds,response_seconds,is_replied,tags,visitor_name';
    const { body, answer } = await told(`/chat-rows.xlsx?${range}&timezone=UTC&columns=${columns}`);
    expect(answer.status).toBe(200);
    const { names, sheet } = sheetOf(body);
    expect(names.sort()).toEqual([
      ...['[Content_Types].xml', '_rels/.rels', 'xl/_rels/workbook.xml.rels'],
      ...['xl/styles.xml', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml'],
    ]);
    const cells = new Map(
      [...sheet.matchAll(/<c r="([A-Z]+\d+)"[^>]*>(.*?)<\/c>/gs)].map(([, at = '', of = '']) => [
        at,
        of.replaceAll(/<[^>]+>/g, ''),
      ]),
    );
    const row = (number: number) => [...'ABCDEFG'].map((letter) => cells.get(`${letter}${number}`) ?? null);
    // 2026-05-05 is day 46147 since 30 December 1899.
    const serial = (Date.UTC(2026, 4, 5) - Date.UTC(1899, 11, 30)) / 86_400_000;
    expect(serial).toBe(46_147);
    expect(row(1)).toEqual([
      ...['Chat', 'Started', 'Wait in the queue (seconds)', 'Response time (seconds)'],
      ...['Replied', 'Tags', 'Visitor name'],
    ]);
    expect(row(2)).toEqual([
      ...['C000000', expect.stringMatching(/^46147\.9375/), '1500', '12.5', '0'],
      ...['&lt;b&gt; &amp; &quot;x&quot;; two\nlines', null],
    ]);
    expect(row(3)[6]).toBe('=HYPERLINK(&quot;http://evil.test&quot;)');
    expect(row(4)[5]).toBe('_x005F_x0041_');
    expect(sheet).not.toMatch(/<f>/);
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('<autoFilter ref="A1:G4"/>');
    const again = await told(`/chat-rows.xlsx?${range}&timezone=UTC&columns=${columns}`);
    expect(Buffer.compare(again.body, body)).toBe(0);
  });

  it('without chats there is a head alone', async () => {
    const { sheet } = sheetOf((await told('/chat-rows.xlsx?from=2090-01-01&to=2090-01-02&columns=chat_id')).body);
    expect(sheet).toContain('<autoFilter ref="A1:A1"/>');
  });
});

describe('as a file of columns', () => {
  const read = async (bytes: Uint8Array) => {
    const file = join(folder, 'read.parquet');
    writeFileSync(file, bytes);
    const types = await engine.query(`describe select * from read_parquet('${file}')`);
    return {
      rows: await engine.query(`select * from read_parquet('${file}')`),
      types: types.map(({ column_type }) => column_type),
    };
  };
  const columns = 'chat_id,started,started_at,queue_seconds,response_seconds,is_replied,turnover';
  const types = ['VARCHAR', 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'DECIMAL(18,4)'];

  it('columns have their types, and nothing stays in the folder in which it was made', async () => {
    const { answer, body, type } = await told(`/chat-rows.parquet?${range}&timezone=Europe/Warsaw&columns=${columns}`);
    expect([answer.status, type]).toEqual([200, 'application/vnd.apache.parquet']);
    const found = await read(body);
    expect(found.types).toEqual(types);
    expect(found.rows.map(({ chat_id }) => chat_id)).toEqual(['C000000', 'named', 'C000001']);
    expect(found.rows[0]).toMatchObject({
      started: '2026-05-06T00:30:05.000Z',
      started_at: '2026-05-05T22:30:05.000Z',
    });
    expect(readdirSync(files)).toEqual([]);
  });

  it('without chats there are columns of the same types', async () => {
    const { body } = await told(`/chat-rows.parquet?from=2090-01-01&to=2090-01-02&columns=${columns}`);
    expect(await read(body)).toEqual({ rows: [], types });
  });

  it('a file that cannot be made leaves nothing', async () => {
    const broken = promisedApi(apiDeps(engine, { files, snapshot: () => ({ ...about, engine: failing(engine) }) }));
    expect((await told(`/chat-rows.parquet?${range}`, broken)).answer.status).toBe(500);
    expect(readdirSync(files)).toEqual([]);
  });
});

/** An engine that fails when it is to give many rows. */
const failing = (whole: Store): Store =>
  new Proxy(whole, {
    get: (target, name) =>
      name === 'queryInPieces'
        ? () => {
            throw new Error('the disk is full');
          }
        : ((Reflect.get(target, name, target) as unknown as () => void).bind?.(target) ??
          Reflect.get(target, name, target)),
  });

describe('what a reader may see', () => {
  it('a reader of one group gets the chats of that group, and no other group of them', async () => {
    const { text } = await told(`/chat-rows.csv?${range}&columns=chat_id,groups`, apiOf({ groups: [2] }));
    expect(fieldsIn(text.slice(1))).toEqual([
      ['chat_id', 'groups'],
      ['C000000', '2'],
    ]);
  });

  it('without names:read a visitor is a pseudonym, and of what was written there is its length', async () => {
    const asked = `/chat-rows.csv?${range}&columns=chat_id,visitor_id,visitor_name,city,start_url,comment`;
    expect((await told(asked)).text).toContain('HYPERLINK');
    const masked = apiOf({ is_anonymous: true });
    const { text } = await told(asked, masked);
    const pseudonym = createHash('md5').update('herev1').digest('hex');
    expect(fieldsIn(text.slice(1)).slice(1)).toEqual([
      ['C000000', expect.not.stringContaining('v'), '', '', '', ''],
      ['named', pseudonym, '', '', '', ''],
      ['C000001', expect.not.stringContaining('v'), '', '', '', ''],
    ]);
  });

  it('without names:read nothing of it is searched: what is found would tell it', async () => {
    const masked = apiOf({ is_anonymous: true });
    for (const path of ['/chats', '/chat-rows', '/chat-rows.csv'])
      for (const search of ['query=evil', 'survey=comment']) {
        const { answer, text } = await told(`${path}?${range}&${search}`, masked);
        expect([path, search, answer.status, text.includes('(names:read)')]).toEqual([path, search, 400, true]);
        expect([path, search, (await told(`${path}?${range}&${search}`)).answer.status]).toEqual([path, search, 200]);
      }
  });

  it('while figures of single agents are limited rows do not say which agent', async () => {
    const limited = apiOf({ agents_from: 20 });
    const { text } = await told(`/chat-rows.csv?${range}`, limited);
    const [head = []] = fieldsIn(text.slice(1));
    expect(head).toContain('response_seconds');
    expect(head.filter((id) => id.includes('agent'))).toEqual(['agent_messages']);
    expect(text).not.toContain('x.test');
    const refused = await told(`/chat-rows.csv?${range}&columns=chat_id,agent_names`, limited);
    expect([refused.answer.status, refused.text]).toEqual([
      400,
      expect.stringContaining('rows do not say agent_names'),
    ]);
  });

  it('without chats:read nothing is told', async () => {
    const viewer = apiOf(undefined, ['numbers:read', 'agents:read']);
    for (const path of ['/chat-rows', '/chat-rows.csv', '/chat-rows.xlsx', '/chat-rows.parquet'])
      expect([path, (await told(`${path}?${range}`, viewer)).answer.status]).toEqual([path, 403]);
  });
});

describe('on a page', () => {
  it('some rows, how many there are, and what each column means', async () => {
    const { text } = await told(`/chat-rows?${range}&timezone=UTC&columns=rate,chat_id,started&limit=1&offset=1`);
    const { columns, ...answer } = JSON.parse(text) as { columns: { id: string; is_chosen: boolean }[] };
    expect(answer).toEqual({
      ...{ timezone: 'UTC', from: '2026-05-05', to: '2026-05-06', total: 3, snapshot: 's1' },
      rows: [{ rate: 'not_rated', chat_id: 'named', started: '2026-05-05 11:00:00' }],
    });
    expect(columns.filter(({ is_chosen }) => is_chosen).map(({ id }) => id)).toEqual(['chat_id', 'started', 'rate']);
  });
});

describe('what is wrong', () => {
  it.each([
    ['columns=chat_id,nonsense', 'columns=nonsense is not one of chat_id, started'],
    ['columns=', 'columns= names no column; there are chat_id, started'],
    ['columns=chat_id&grain=day', 'chats are not searched by grain'],
    ['columns=chat_id&limit=5', 'there is no parameter limit'],
    ['from=2026-05-07&to=2026-05-06', 'from=2026-05-07 is after to=2026-05-06'],
    ['timezone=Mars', 'timezone=Mars is not an IANA time zone'],
    ['as_of=2030-01-01T00:00:00Z', 'lies in the future'],
    ['account=other', 'there is no account other'],
    ['rate=great', 'rate=great is not one of rated_good'],
  ])('%s is refused in words, for every kind of file', async (query, words) => {
    for (const kind of ['csv', 'xlsx', 'parquet']) {
      const { answer, text } = await told(`/chat-rows.${kind}?${query}`);
      expect([kind, answer.status]).toEqual([kind, 400]);
      expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining(words) as string } });
    }
  });

  it('a kind of file that there is none of is not there, and those that are are named', async () => {
    const { answer, text } = await told('/chat-rows.ods');
    expect(answer.status).toBe(404);
    for (const kind of ['csv', 'xlsx', 'parquet']) expect(text).toContain(`/api/chat-rows.${kind}`);
  });
});

it('whoever leaves in the middle takes no place from others, and leaves no file', async () => {
  const api = apiOf();
  for (const kind of ['csv', 'xlsx', 'parquet', 'csv', 'xlsx', 'parquet', 'csv', 'parquet']) {
    const answer = await api.request(address(`/chat-rows.${kind}?${range}`), { headers: { host: '127.0.0.1:3000' } });
    expect([kind, answer.status]).toEqual([kind, 200]);
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  }
  expect(readdirSync(files)).toEqual([]);
  const held = await Promise.all(
    Array.from({ length: 7 }, async () =>
      api.request(address(`/chat-rows.csv?${range}`), { headers: { host: '127.0.0.1:3000' } }),
    ),
  );
  expect(held.map(({ status }) => status).sort()).toEqual([...Array<number>(6).fill(200), 503]);
  for (const answer of held) await answer.body?.cancel();
});

it('what was made for somebody who has left meanwhile is ended', async () => {
  const downloads = new Downloads();
  const api = new Hono();
  const leaving = new AbortController();
  let isEnded = false;
  async function* parts(): AsyncGenerator<string> {
    try {
      yield await Promise.resolve('begun');
    } finally {
      isEnded = true;
    }
  }
  api.onError((_, c) => c.text('', 503));
  api.get('/file', (c) =>
    withSignal(leaving.signal, () =>
      downloads.answer(c, async () => {
        leaving.abort(nobodyWaits);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { name: 'one.txt', type: 'text/plain', parts: parts() };
      }),
    ),
  );
  const answer = await api.request('/file');
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null]);
  await expect.poll(() => isEnded).toBe(true);
});

it('HEAD says what a file is and leaves none', async () => {
  const answer = await apiOf().request(address(`/chat-rows.csv?${range}`), {
    ...{ method: 'HEAD', headers: { host: '127.0.0.1:3000' } },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(existsSync(files) ? readdirSync(files) : []).toEqual([]);
});
