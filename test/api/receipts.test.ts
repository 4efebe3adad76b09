// Receipts, chats and reconciliation at the door: shapes, refusals, and words that want to be more than words.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getReceipt } from '#api/contract/receipts.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { ask as console_ } from '#warehouse/engines/console.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, addChats, insert, pulled, second, type Chat } from '../warehouse/account.ts';
import { apiDeps } from './deps.ts';
import { promisedApi } from './promised-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-receipts-'));
const evil = `'; drop table facts.chats; -- <img src=x onerror=alert(1)>`;
const day = '2026-05-05';
const at = (time: string): number => second(`${day}T${time}Z`);
const chats: Chat[] = [
  { start: `${day}T10:00:00Z`, tags: ['used', evil], first: [12, 'a@x.test'], queue: 30, rate: 'rated_good' },
  { start: `${day}T11:00:00Z`, rate: 'not_rated' },
];

let engine: Store;
let file = '';
beforeAll(async () => {
  engine = await openWarehouse(join(folder, 'private.duckdb'));
  await addChats(engine, chats);
  await pulled(engine, 'Europe/Warsaw', '2026-04-01', '2026-05-31', '2026-06-01T00:00:00Z');
  const own = { chat_id: 'C000000', started_at: at('10:00:00'), started_quarter: Math.floor(at('10:00:00') / 900) };
  const said = (position: number, second: number, user_type: string, text: string): Row => ({
    ...own,
    position,
    at: second,
    at_second: second,
    kind: 'message',
    user_type,
    agent: user_type === 'agent' ? 'a@x.test' : null,
    text,
  });
  await insert(engine, 'facts', 'messages', [
    said(0, at('10:00:00'), 'agent', 'Welcome'),
    said(1, at('10:00:05'), 'visitor', 'Where is my ORDER?'),
    said(2, at('10:00:08'), 'visitor', '100% lost_'),
    said(3, at('10:00:17'), 'agent', 'Let me look'),
    { ...said(4, at('10:01:00'), 'visitor', 'closed'), kind: 'event' },
  ]);
  const answered = { ...own, chat_id: 'C000001', survey: 'post', position: 0, question: 'How was it?' };
  await insert(engine, 'facts', 'chat_surveys', [
    { ...answered, answer: '<b>Fine</b>' },
    { ...answered, survey: 'pre', answer: ' ' },
    {
      ...answered,
      position: 1,
      question: 'Anything to add?',
      answer: 'A parcel that never came, and no word of it.',
    },
  ]);
  const place = { timezone: 'Europe/Warsaw', grain: 'day', split: 'account', split_value: '', period: day, day };
  const cell = { ...place, metric: 'total_chats', measure: 'chats', reported: 3, recomputed: 2, difference: 1 };
  await insert(engine, 'ledger', 'reconciliation', [
    { ...cell, reason: 'unexplained' },
    { ...cell, period: '2026-05-06', day: '2026-05-06', reported: 2, difference: 0, reason: 'equal' },
  ]);
  await insert(engine, 'reports', 'total_chats', [{ ...place, chats: 3, pulled_at: at('23:00:00'), pull_id: 'P1' }]);
  file = (await publish(engine, folder, Date.parse('2026-06-01T00:00:00Z'))).file;
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

const ask = async (path: string): Promise<{ status: number; body: Record<string, never> }> => {
  const answer = await promisedApi(apiDeps(engine)).request(`http://127.0.0.1:3000/api${path}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
};
const of = `from=${day}&to=${day}`;

describe('receipts', () => {
  it('say the number, what it is made of, and what the source says instead', async () => {
    const { status, body } = await ask(`/receipts/total_chats?${of}&period=${day}`);
    expect(status).toBe(200);
    expect(getReceipt.schema.parse(body)).toMatchObject({
      ...{ metric: 'total_chats', value: 2, period: day, at: {}, snapshot: 's1', state: 'complete' },
      adds_up: { from_chats: 2, agrees: true },
      chats: { total: 2 },
      reported: { value: 3, recomputed: 2, difference: 1, reason: 'unexplained', pull_id: 'P1' },
    });
  });

  it('of one day as a whole say what the source says of that day', async () => {
    const whole = getReceipt.schema.parse((await ask(`/receipts/total_chats?${of}&grain=total`)).body);
    expect(whole).toMatchObject({
      ...{ grain: 'total', period: null, value: 2 },
      reported: { value: 3, recomputed: 2, difference: 1, reason: 'unexplained', pull_id: 'P1' },
    });
    const days = getReceipt.schema.parse(
      (await ask(`/receipts/total_chats?from=${day}&to=2026-05-06&grain=total`)).body,
    );
    expect(days.reported).toBeNull();
  });

  it('mark the two lines that make a duration', async () => {
    const { body } = await ask(`/receipts/first_response_time?${of}&grain=total&measure=seconds`);
    expect(getReceipt.schema.parse(body).chats.rows).toMatchObject([
      { chat_id: 'C000000', contribution: 12, unit: 'seconds', lines: [{ from: 1, to: 3 }] },
    ]);
  });

  it('their SQL runs as it is in the console and gives the number', async () => {
    for (const path of [
      `/receipts/chat_ratings?${of}&grain=total&measure=response_rate`,
      `/receipts/total_chats?${of}&period=${day}&split=tag&at.tag=${encodeURIComponent(evil)}`,
      `/receipts/concurrent_chats?${of}&split=hour_of_day,agent&at.hour_of_day=12&at.agent=a@x.test&period=${day}`,
      `/receipts/waiting_times?${of}&grain=week&period=2026-W19&measure=entered_chat_p90`,
    ]) {
      const receipt = getReceipt.schema.parse((await ask(path)).body);
      const { columns, rows, more } = await console_(file, receipt.sql, { rows: 10 });
      expect([rows.length, more]).toEqual([1, false]);
      expect(Number(rows[0]?.[columns.findIndex(({ name }) => name === receipt.measure)])).toBeCloseTo(
        Number(receipt.value),
        9,
      );
      expect(receipt.value).toBeGreaterThan(0);
    }
  });

  it('words that look like SQL or markup are values and nothing else', async () => {
    for (const name of ['tag', 'agent', 'country', 'at.agent']) {
      const split = name === 'at.agent' ? '&split=agent' : '';
      const { status, body } = await ask(
        `/receipts/total_chats?${of}&grain=total${split}&${name}=${encodeURIComponent(evil)}`,
      );
      expect(status).toBe(200);
      const receipt = getReceipt.schema.parse(body);
      expect(receipt.value).toBe(name === 'tag' ? 1 : 0);
      expect((await console_(file, receipt.sql, { rows: 10 })).rows).toHaveLength(1);
    }
    expect((await ask(`/receipts/total_chats?${of}&period=${encodeURIComponent(evil)}`)).status).toBe(400);
    expect((await ask(`/receipts/total_chats?${of}&grain=total&measure=${encodeURIComponent(evil)}`)).status).toBe(400);
    expect((await engine.query('select count(*) as chats from facts.chats'))[0]?.chats).toBe(2);
  });

  it('an unknown metric is 404, a cell outside the range 400, both with choices', async () => {
    expect(await ask('/receipts/nothing')).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } });
    expect(await ask(`/receipts/total_chats?${of}&period=2026-05-09`)).toMatchObject({
      status: 400,
      body: { error: { choices: [day] } },
    });
  });
});

describe('chats', () => {
  it('a transcript has every line, the wait that a line closes, and the marks', async () => {
    const { status, body } = await ask('/chats/C000000');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      chat: { chat_id: 'C000000', agents: ['a@x.test'], groups: [0], tags: [evil, 'used'], goals: [], surveys: [] },
      lines: [{}, {}, {}, { position: 3, text: 'Let me look', wait_seconds: 12 }, { kind: 'event' }],
      marks: [
        { from: 0, to: 0, seconds: 30, what: 'queue' },
        { from: 1, to: 3, seconds: 12, what: 'first response' },
      ],
    });
    expect((await ask('/chats/C000000?metric=response_time&agent=b@x.test')).body).toMatchObject({ marks: [] });
    expect(await ask('/chats/never')).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } });
    expect((await ask('/chats/C000000?metric=nothing')).status).toBe(404);
  });

  it('a part of a transcript has its own lines and the marks that touch them, and long texts to their bound', async () => {
    const { body } = await ask('/chats/C000000?limit=2&offset=2&longest=6');
    expect(body).toMatchObject({
      lines: [{ position: 2 }, { position: 3, text: 'Let me', text_length: 11, wait_seconds: 12 }],
      total_lines: 5,
      marks: [{ from: 1, to: 3 }],
    });
    const whole = (await ask('/chats/C000000?longest=11')).body as unknown as { lines: object[] };
    expect(whole.lines[3]).not.toHaveProperty('text_length');
    expect((await ask('/chats/C000000?offset=99')).body).toMatchObject({ lines: [], total_lines: 5, marks: [] });
    for (const wrong of ['limit=1001', 'limit=-1', 'longest=0', 'longest=x', 'offset=1e3'])
      expect([wrong, (await ask(`/chats/C000000?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  it('a transcript whose texts went by their age says so, and one whose texts are about to go does not', async () => {
    const old = await account([{ start: `${day}T10:00:00Z` }, { start: `${day}T11:00:00Z` }]);
    const said = (chat_id: string, time: string, text: string): Row => {
      const second = at(time);
      const own = {
        chat_id,
        started_at: second,
        started_quarter: Math.floor(second / 900),
        at: second,
        at_second: second,
      };
      return { ...own, position: 0, kind: 'message', user_type: 'visitor', agent: null, text };
    };
    await insert(old, 'facts', 'messages', [
      said('C000000', '10:00:00', '····'),
      said('C000001', '11:00:00', 'still here'),
    ]);
    const asked = async (id: string, from: string | null) => {
      const api = promisedApi(apiDeps(old, { textsKeptFrom: () => from }));
      return ((await (await api.request(`/api/chats/${id}`)).json()) as Row).texts_gone_before;
    };
    expect(await asked('C000000', '2026-05-06')).toBe('2026-05-06');
    expect(await asked('C000001', '2026-05-06')).toBeUndefined();
    expect(await asked('C000000', day)).toBeUndefined();
    expect(await asked('C000000', null)).toBeUndefined();
    await old.close();
  });

  it('are found by words in any case, newest first; wildcards and quotes are letters', async () => {
    const found = async (query: string) => {
      const { body } = await ask(`/chats?${of}&${query}`);
      return [body.total, (body.rows as unknown as Row[]).map((row) => row.chat_id)];
    };
    expect(await found('')).toEqual([2, ['C000001', 'C000000']]);
    expect(await found('limit=1&offset=1')).toEqual([2, ['C000000']]);
    expect(await found('query=order')).toEqual([1, ['C000000']]);
    expect(await found('query=lost_')).toEqual([1, ['C000000']]);
    expect(await found('query=100%25')).toEqual([1, ['C000000']]);
    expect(await found('query=%25')).toEqual([1, ['C000000']]);
    expect(await found('query=_rder')).toEqual([0, []]);
    expect(await found(`query=${encodeURIComponent(evil)}`)).toEqual([0, []]);
    expect(await found(`tag=${encodeURIComponent(evil)}&rate=rated_good`)).toEqual([1, ['C000000']]);
    expect(await ask('/chats?rate=great')).toMatchObject({
      status: 400,
      body: { error: { choices: expect.arrayContaining(['rated_bad']) as string[] } },
    });
    expect((await ask('/chats?colour=red')).status).toBe(400);
  });

  it('are found by an answer in a survey, which comes along; blanks are no answer', async () => {
    const { status, body } = await ask(`/chats?${of}&survey=post`);
    expect([status, body.total]).toEqual([200, 1]);
    const first = { question: 'How was it?', answer: '<b>Fine</b>' };
    expect(body.rows).toMatchObject([{ chat_id: 'C000001', answers: [first, { question: 'Anything to add?' }] }]);
    expect((await ask(`/chats?${of}&survey=pre`)).body.total).toBe(0);
    const plain = await ask(`/chats?${of}`);
    expect(plain.body.rows?.[0]).not.toHaveProperty('answers');
    expect(await ask(`/chats?${of}&survey=other`)).toMatchObject({
      status: 400,
      body: { error: { choices: ['pre', 'post', 'comment'] } },
    });
  });

  it('are found by a comment: an answer that was not chosen from a list', async () => {
    const { body } = await ask(`/chats?${of}&survey=comment`);
    expect(body.rows).toMatchObject([{ chat_id: 'C000001', answers: [{ question: 'Anything to add?' }] }]);
  });
});

describe('reconciliation', () => {
  it('counts cells by reason, metric and day, the worst first', async () => {
    const { status, body } = await ask('/reconciliation?from=2026-05-01&to=2026-05-31');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ cells: 2, by_reason: { equal: 1, unexplained: 1 } },
      by_metric: { total_chats: { equal: 1, unexplained: 1 } },
      by_day: [
        { day, unexplained: 1 },
        { day: '2026-05-06', equal: 1 },
      ],
      rows: [{ period: day, reason: 'unexplained', difference: 1 }, { reason: 'equal' }],
      unexplained: [{ period: day, reported: 3, recomputed: 2 }],
    });
  });

  it('is narrowed by metric, reason, split and grain; unknown ones are 400 with the choices', async () => {
    const path = '/reconciliation?from=2026-05-01&to=2026-05-31';
    expect((await ask(`${path}&reason=equal&metric=total_chats&split=account&grain=day`)).body).toMatchObject({
      cells: 1,
    });
    expect((await ask(`${path}&metric=engagement`)).body).toMatchObject({ cells: 0, rows: [], unexplained: [] });
    for (const wrong of [
      'metric=nothing',
      'reason=bad',
      'split=tag',
      'grain=week',
      `metric=${encodeURIComponent(evil)}`,
    ])
      expect(await ask(`${path}&${wrong}`)).toMatchObject({
        status: 400,
        body: { error: { choices: expect.any(Array) as string[] } },
      });
  });
});
