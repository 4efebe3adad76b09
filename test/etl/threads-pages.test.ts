// Reading a day of list_archives: every thread once, whatever the pages do, and a clear word about what is missing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Final, Garbled, Retryable, Unauthorized } from '#etl/errors.ts';
import type { PageText } from '#etl/fetched.ts';
import type { FetchedAnswer } from '#etl/fetch/fetch.ts';
import { parsed } from '#etl/fetch/parse.ts';
import { threadIdOf } from '#contract/threads.ts';
import { pages_a_part, readThreads } from '#etl/fetch/threads.ts';
import { threadsOf } from '#etl/plan/plan.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import { openStore } from '#service/store.ts';
import { mintToken } from '#service/tokens.ts';
import { chat, tinyService } from '../livechat/service/tiny.ts';

const day = '2026-05-04';
const unit = { day, path: threadsOf(day, 'Europe/Warsaw') };
const many = Array.from({ length: 1230 }, (_, index) =>
  chat('2026-05-03T22:00:00Z', '2026-05-03T22:05:00Z', { id: `T${String(index).padStart(9, '0')}` }),
);

let it_runs: Awaited<ReturnType<typeof tinyService>>;
let token: string;
beforeAll(async () => {
  const edges = ['2026-05-03T21:59:59Z', '2026-05-04T21:59:59Z', '2026-05-04T22:00:00Z'].map((started) =>
    chat(started, '2026-05-04T23:00:00Z', {
      id: `EDGE${started.slice(9, 10)}${started.slice(11, 13)}${started.slice(17, 19)}X`,
    }),
  );
  it_runs = await tinyService({
    now: '2026-05-06T00:00:00Z',
    zone: 'Europe/Warsaw',
    days: 4,
    chats: [...edges, ...many],
  });
  const store = openStore(it_runs.options.file);
  token = mintToken(store, { agent: 'owner@example.com', scopes: ['chats--all:ro'] });
  store.close();
});
afterAll(() => it_runs.end());

let asked: string[] = [];
/** Asks as the fetcher does, without its retries. */
async function ask(path: string): Promise<FetchedAnswer> {
  asked.push(path);
  const [, where = '', body = ''] = /^POST (\S+) (.*)$/.exec(path) ?? [];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(it_runs.service().url + where, { method: 'POST', headers, body });
  if (answer.status !== 200) throw new Retryable(`${answer.status}`, answer.status);
  const text = await answer.text();
  return { json: parsed(text, where), received: { body: text } } as FetchedAnswer;
}

async function reading() {
  asked = [];
  const parts: PageText[][] = [];
  const end = await readThreads(unit, ask, async (pages) => void parts.push(pages));
  const records = [...parts, end.pages].flat().flatMap(({ body }) => (JSON.parse(body) as { chats: unknown[] }).chats);
  return { end, parts, ids: records.map(threadIdOf) };
}
const told = (plan: unknown) => it_runs.service().chaos.follow(plan === null ? null : chaosPlan(plan));

describe('a day', () => {
  it('is the local one, to the microsecond, and comes in parts, each thread once', async () => {
    expect(unit.path).toContain('"from":"2026-05-03T22:00:00.000000Z","to":"2026-05-04T21:59:59.999999Z"');
    const { end, parts, ids } = await reading();
    expect(asked).toHaveLength(13);
    expect(asked.slice(1).every((path) => !path.includes('filters') && path.includes('page_id'))).toBe(true);
    expect([end.total, ids.length, new Set(ids).size]).toEqual([1231, 1231, 1231]);
    expect(ids).toContain('EDGE42159X');
    expect(parts.map((part) => part.length)).toEqual([pages_a_part, pages_a_part]);
    expect([end.pages.length, end.failure, end.shortfall]).toEqual([3, undefined, undefined]);
  });
  it('without threads is one page', async () => {
    const empty = { day: '2026-05-01', path: threadsOf('2026-05-01', 'Europe/Warsaw') };
    const end = await readThreads(empty, ask, async () => undefined);
    expect([end.total, end.pages.length]).toEqual([0, 1]);
  });
});

describe('pages that misbehave', () => {
  it.each(['page_id_repeated', 'page_short', 'duplicate_id', 'total_too_high', 'names_twice'])(
    '(%s) are read again, and nothing is lost',
    async (fault) => {
      told({ script: [{ fault, nth: 3 }] });
      const { end, ids } = await reading();
      expect(it_runs.service().chaos.told().hit).toBe(1);
      expect([fault, new Set(ids).size, end.failure, end.shortfall]).toEqual([fault, 1231, undefined, undefined]);
      told(null);
    },
  );
  it('for ever are given up, and the sentence says how far the reading came', async () => {
    told('page_id_repeated=1,sticky');
    const { end } = await reading();
    expect(end.failure).toMatchObject({ state: 'failed', message: expect.stringContaining('names a page before it') });
    expect(asked.length).toBeLessThan(10);
    told('total_too_high=1,sticky');
    expect((await reading()).end).toMatchObject({ shortfall: expect.stringContaining('1231 of 1232'), total: 1232 });
    told(null);
  });
  it('that name their chats twice fail the day, with how far the reading came', async () => {
    told({ script: [1, 2, 3].map((time) => ({ fault: 'names_twice', nth: time * 2 })) });
    const { end } = await reading();
    expect(end.failure).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^\d+ of 1231 chats .* names 'chats' twice$/),
    });
    told('names_twice=1,sticky');
    await expect(reading()).rejects.toThrow(/names 'chats' twice$/);
    told(null);
  });
  it('that cannot be read fail the day; the first page fails it whole', async () => {
    told({ script: [{ fault: '500', nth: 2 }] });
    const { end } = await reading();
    expect(end.failure?.message).toMatch(/^100 of 1231 chats .* page 2 could not be read, because 500$/);
    told({ script: [{ fault: '500' }] });
    await expect(reading()).rejects.toThrow(Retryable);
    told(null);
  });
  it('are refused when they are no pages, and a refused token ends everything', async () => {
    const body = (json: unknown) => async () => ({ json }) as FetchedAnswer;
    const none = async () => undefined;
    await expect(readThreads(unit, body({ chats: 1 }), none)).rejects.toThrow(Garbled);
    await expect(readThreads(unit, body({ chats: [] }), none)).rejects.toThrow(/how many/);
    const refused = async (path: string) => {
      if (path.includes('page_id')) throw new Unauthorized('no');
      return { json: { chats: [], found_chats: 3, next_page_id: 'x' } } as unknown as FetchedAnswer;
    };
    await expect(readThreads(unit, refused, none)).rejects.toThrow(Unauthorized);
    const gone = async (path: string) => {
      if (path.includes('page_id')) throw new Final('gone', 410);
      return { json: { chats: [], found_chats: 3, next_page_id: 'x' } } as unknown as FetchedAnswer;
    };
    expect((await readThreads(unit, gone, none)).failure?.message).toContain('gone');
  });
});
