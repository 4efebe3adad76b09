// Reading an archive day page by page while chats end and pages shift: what is handed over in the end is every chat.
import fc from 'fast-check';
import PQueue from 'p-queue';
import { describe, expect, test } from 'vitest';
import { Final, Retryable } from '#etl/errors.ts';
import type { PageText } from '#etl/fetched.ts';
import type { FetchedAnswer } from '#etl/fetch/fetch.ts';
import { noNames, type SeenNames } from '#etl/decode/names.ts';
import { pages_a_part, readDay, type DayEnd } from '#etl/fetch/pages.ts';
import { parsed } from '#etl/fetch/parse.ts';
import { repeatedName } from '#etl/fetch/repeated.ts';
import { archiveUnit } from '#etl/plan/plan.ts';

interface Chat {
  id: string;
  group: number[];
  agents: { email: string }[];
  tags: string[];
}

const chatOf = (number: number): Chat => ({
  id: `C${String(number).padStart(6, '0')}`,
  group: [number % 3],
  agents: [{ email: `agent${number % 5}` }],
  tags: number % 2 === 0 ? [`tag-${number % 7}`] : [],
});

/** How the archive behaves besides answering. */
interface Behaviour {
  /** Called before each answer with the number of answers so far: chats end or vanish here. */
  before?: (chats: Chat[], answers: number) => void;
  /** Changes what a page lists. */
  listed?: (shown: Chat[], page: number, answers: number) => Chat[];
  /** What it says of the number of chats; by default the truth. */
  total?: (count: number) => number;
}

/** An archive in memory: newest chats first, 25 a page, no page after the 1000th. */
function archiveOf(chats: Chat[], { before, listed = (shown) => shown, total = (count) => count }: Behaviour = {}) {
  let answers = 0;
  const asked: string[] = [];
  const remembered = new Map<string, Chat[]>();
  const ask = async (path: string): Promise<FetchedAnswer> => {
    await new Promise((resolve) => setImmediate(resolve));
    before?.(chats, answers);
    answers += 1;
    asked.push(path);
    const query = new URL(path, 'http://source').searchParams;
    const page = Number(query.get('page') ?? 1);
    query.delete('page');
    const known = before ? undefined : remembered.get(String(query));
    const found = known ?? chats.filter((chat) => [...query].every(([name, value]) => fits(chat, name, value)));
    remembered.set(String(query), found);
    const shown = page <= 1000 ? listed(found.slice((page - 1) * 25, page * 25), page, answers) : [];
    const count = total(found.length);
    const json = { chats: shown, total: count, pages: Math.min(1000, Math.ceil(count / 25)) };
    const received = {
      path,
      status: 200,
      headers: {},
      bytes: 0,
      milliseconds: 0,
      attempts: 1,
      asked_at: 0,
      error: null,
    };
    return { received: { ...received, body: JSON.stringify(json) }, json };
  };
  return { ask, asked };
}

function fits(chat: Chat, name: string, value: string): boolean {
  if (name === 'group') return chat.group.includes(Number(value));
  if (name === 'agent') return chat.agents.some(({ email }) => email === value);
  if (name === 'tag[]') return chat.tags.includes(value);
  if (name === 'tagged') return chat.tags.length > 0 === (value === '1');
  return ['date_from', 'date_to', 'timezone', 'page', 'rate', 'queued', 'has_goal', 'has_sale'].includes(name);
}

const unit = archiveUnit({ timezone: 'UTC' }, '2026-05-04');

async function read(
  ask: (path: string) => Promise<FetchedAnswer>,
  names: SeenNames = noNames(),
): Promise<DayEnd & { ids: Set<string>; parts: number[] }> {
  const ids = new Set<string>();
  const parts: number[] = [];
  const take = (pages: PageText[]): Promise<void> => {
    parts.push(pages.length);
    for (const { body } of pages) for (const chat of (JSON.parse(body) as { chats: Chat[] }).chats) ids.add(chat.id);
    return Promise.resolve();
  };
  const end = await readDay(unit, ask, names, new PQueue({ concurrency: 1 }), take);
  await take(end.pages);
  return { ...end, ids, parts };
}

const many = (count: number): Chat[] => Array.from({ length: count }, (_, number) => chatOf(count - number));

describe('a day that stands still', () => {
  test.each([
    [0, 1],
    [1, 1],
    [25, 1],
    [26, 2],
    [75, 3],
  ])('of %i chats takes %i requests', async (count, requests) => {
    const { ask, asked } = archiveOf(many(count));
    const { ids, total, failure } = await read(ask);
    expect([ids.size, total, asked.length, failure]).toEqual([count, count, requests, undefined]);
  });

  test('that is long comes in parts, so that it need not fit into memory', async () => {
    const { ask } = archiveOf(many(25 * 50));
    const { ids, parts } = await read(ask);
    expect([ids.size, Math.max(...parts), parts.reduce((sum, part) => sum + part, 0)]).toEqual([
      1250,
      pages_a_part,
      50,
    ]);
  });

  test('whose total is text is read all the same', async () => {
    const { ask } = archiveOf(many(30));
    const asText = async (path: string): Promise<FetchedAnswer> => {
      const answer = await ask(path);
      const json = answer.json as { total: number };
      return { ...answer, json: { ...json, total: String(json.total) } };
    };
    expect((await read(asText)).ids.size).toBe(30);
  });
});

describe('pages that move', () => {
  test('while chats end anywhere between two answers: nothing that was there is lost', async () => {
    const ended = fc.record({ at: fc.integer({ min: 0, max: 30 }), place: fc.integer({ min: 0, max: 400 }) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), fc.array(ended, { maxLength: 12 }), async (count, events) => {
        const chats = many(count);
        const { ask } = archiveOf(chats, {
          before: (all, answers) => {
            for (const [index, { at, place }] of events.entries())
              if (at === answers) all.splice(Math.min(place, all.length), 0, chatOf(1000 + index));
          },
        });
        const { ids, failure } = await read(ask);
        // What ended before the last answer was given may still be missing, but only when the source said so.
        const missing = chats.filter(({ id }) => !ids.has(id));
        expect(failure ? [] : missing.filter(({ id }) => id < chatOf(1000).id)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('once are read again from the front, and no further than needed', async () => {
    const { ask, asked } = archiveOf(many(200), {
      listed: (shown, page, answers) => (page === 3 && answers < 9 ? shown.slice(1) : shown),
    });
    const { ids, failure } = await read(ask);
    expect([ids.size, failure]).toEqual([200, undefined]);
    expect(asked.length).toBeLessThan(20);
  });

  test('by repeating the page before it: the union is whole in the end', async () => {
    const all = many(100);
    const { ask } = archiveOf(all, {
      listed: (shown, page, answers) => (page === 2 && answers < 6 ? all.slice(0, 25) : shown),
    });
    expect((await read(ask)).ids.size).toBe(100);
  });

  test('for ever are told, with how many chats were reached', async () => {
    const { ask } = archiveOf(many(100), { listed: (shown, page) => (page === 4 ? shown.slice(1) : shown) });
    const { ids, total, failure } = await read(ask);
    expect([ids.size, total]).toEqual([99, 100]);
    expect(failure).toMatchObject({
      state: 'failed',
      message: '99 of 100 chats of 2026-05-04 were reached: the pages shifted in each of 3 readings',
    });
  });
});

describe('pages that cannot be read', () => {
  test('do not keep the others: the rest of the day comes, and the day is asked again', async () => {
    const { ask } = archiveOf(many(100));
    const broken = (path: string): Promise<FetchedAnswer> =>
      path.endsWith('page=3') ? Promise.reject(new Retryable('page 3 was answered with 500', 500)) : ask(path);
    const { ids, failure } = await read(broken);
    expect(ids.size).toBe(75);
    expect(failure?.message).toBe(
      '75 of 100 chats of 2026-05-04 were reached: 1 pages could not be read, the first because page 3 was answered with 500',
    );
  });

  test('from the first on fail the day', async () => {
    await expect(read(() => Promise.reject(new Final('not in your plan', 403)))).rejects.toThrow('not in your plan');
  });

  test('and a body that is no page are told apart from an empty day', async () => {
    const empty = async (): Promise<FetchedAnswer> => ({ ...(await archiveOf([]).ask('/chats')), json: { chats: {} } });
    await expect(read(empty)).rejects.toThrow('it holds no list of chats');
  });
});

describe('a page that names something twice', () => {
  const repeating = (page: number, what: string) => {
    const { ask, asked } = archiveOf(many(60));
    const damaged = async (path: string): Promise<FetchedAnswer> => {
      const { received } = await ask(path);
      const isHit = Number(new URL(path, 'http://source').searchParams.get('page') ?? 1) === page;
      const body = isHit ? received.body.replace(/\}$/, `,${what}}`) : received.body;
      return { received: { ...received, body }, json: parsed(body, path) };
    };
    return { damaged, asked };
  };

  test.each(['"chats":[],"total":0,"pages":0', '"chats": []', '"total":0,"chats":[]', '"\\u0063hats" : [],"total":0'])(
    'as the first (%s) fails the day with a sentence',
    async (what) => {
      await expect(read(repeating(1, what).damaged)).rejects.toThrow(/names '(chats|total)' twice$/);
    },
  );

  test('later on is noted, and the other pages come', async () => {
    const { ids, failure } = await read(repeating(3, '"chats":[],"total":0').damaged);
    expect([ids.size, failure?.state]).toEqual([50, 'failed']);
    expect(failure?.message).toMatch(
      /^50 of 60 chats .*: 1 pages could not be read, the first because .* names 'chats' twice$/,
    );
  });

  test('and is full all the same is noticed by the number of chats', async () => {
    const others = JSON.stringify(many(60).slice(0, 25));
    const { ids, failure } = await read(repeating(2, `"chats":${others}`).damaged);
    expect([ids.size, failure?.message]).toEqual([
      35,
      '35 of 60 chats of 2026-05-04 were reached: the pages shifted in each of 3 readings',
    ]);
  });
});

describe('a name that stands twice', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 5 });

  test('is found in the outermost object and in objects of it, however it is written', () => {
    for (const [json, name] of [
      ['{"a":1,"a":1}', 'a'],
      ['{"a":{"b":1,"c":{},"b":2}}', 'b'],
      ['{"\\u0061":1 , "a"\n:2}', 'a'],
      ['{"a\\"":1,"a\\"":2}', 'a"'],
      ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
      ['{"__proto__":1,"__proto__":2}', '__proto__'],
      ['{"x":[{}],"y":{"z":"}"},"x":0}', 'x'],
    ])
      expect([json, repeatedName(json ?? '')]).toEqual([json, name]);
  });

  test('makes an answer of a report one that cannot be used', () => {
    for (const json of [
      '{"2026-05-04":{"chats":5},"2026-05-05":{"chats":1},"2026-05-04":{"chats":0}}',
      '{"2026-05-04":{"chats":5,"chats":0}}',
      '{"ranking":[{"name":"a"}],"ranking":[]}',
    ])
      expect(() => parsed(json, '/reports/x')).toThrow(/^the answer to \/reports\/x names '[^']+' twice$/);
  });

  test('is none of a record in a list, and no value, whatever stands in it', () => {
    for (const json of [
      '[{"a":1,"a":2}]',
      '{"a":[{"b":1,"b":2}],"b":1}',
      '{"a":"a","b":["a","a"]}',
      '{"a":{"b":1},"c":{"b":1}}',
      '""',
      '1',
    ])
      expect([json, repeatedName(json)]).toEqual([json, undefined]);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(repeatedName(JSON.stringify(value, null, 1))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(text, fc.jsonValue(), { minKeys: 1 }), (value) => {
        const [name] = Object.keys(value);
        const twice = JSON.stringify(value).replace(/\}$/, `,${JSON.stringify(name)}:0}`);
        expect(repeatedName(twice)).toBe(name);
      }),
    );
  });
});

describe('a day of more chats than one question reaches', () => {
  const chats = many(30_000);
  const known: SeenNames = { groups: new Set(['0', '1', '2']), agents: new Set(), tags: new Set() };

  test('is pulled whole by group', async () => {
    const { ask, asked } = archiveOf(chats);
    const { ids, total, failure, shortfall } = await read(ask, known);
    expect([ids.size, total, failure, shortfall]).toEqual([30_000, 30_000, undefined, undefined]);
    expect(asked.length).toBe(1 + 1200);
  });

  test('is pulled whole when a group is not known: by agent, whom the chats themselves name', async () => {
    const { ask } = archiveOf(chats);
    const { ids, failure, shortfall } = await read(ask, { ...known, groups: new Set(['0', '1']) });
    expect([ids.size, failure, shortfall]).toEqual([30_000, undefined, undefined]);
  });

  test('is pulled whole when one group alone has too many: that group by agent', async () => {
    const lopsided = chats.map((chat) => ({ ...chat, group: [Number(chat.id.slice(1)) % 100 === 0 ? 1 : 0] }));
    const { ask } = archiveOf(lopsided);
    const { ids, shortfall } = await read(ask, {
      groups: new Set(['0', '1']),
      agents: new Set(['agent0', 'agent1', 'agent2', 'agent3', 'agent4']),
      tags: new Set(),
    });
    expect([ids.size, shortfall]).toEqual([30_000, undefined]);
  });

  test('is pulled whole although the source caps the total that it names', async () => {
    const { ask } = archiveOf(chats, { total: (count) => Math.min(count, 25_000) });
    const { ids, total, shortfall } = await read(ask, known);
    expect([ids.size, total, shortfall]).toEqual([30_000, 30_000, undefined]);
  });

  test('that nothing tells apart is pulled as far as it goes, and how far is told', async () => {
    const alike = chats.map(({ id }) => ({ id, group: [0], agents: [{ email: 'bot' }], tags: [] }));
    const { ask } = archiveOf(alike);
    const { ids, total, shortfall } = await read(ask, {
      groups: new Set(['0']),
      agents: new Set(['bot']),
      tags: new Set(),
    });
    expect([ids.size, total]).toEqual([25_000, 30_000]);
    expect(shortfall).toContain('25000 of 30000 chats of 2026-05-04 were reached, although asked by group, agent, tag');
  });
});
