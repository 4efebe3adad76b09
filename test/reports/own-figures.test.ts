// An agent's own figures beside those of colleagues: right by plain loops, and of no single colleague.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnFigures } from '#api/contract/own-figures.ts';
import { quartilesOf } from '#reports/own-figures/quartiles.ts';
import type { Caller } from '#auth/caller.ts';
import { circlesOf } from '#reports/own-figures/circles.ts';
import type { Store } from '#warehouse/engine.ts';
import type { Reader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { apiDeps, authOf } from '../api/deps.ts';
import { tries } from '../chance.ts';
import { expectPromised } from '../api/promised.ts';
import { random } from '../drills/random.ts';
import { account, insert, later, type Chat } from '../warehouse/account.ts';
import { promisedApi } from '../api/promised-api.ts';

/** Values of colleagues, as measures have them: seconds, shares, counts. */
const values = fc.array(fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.double({ min: 0.01, max: 1, noNaN: true })), {
  minLength: 0,
  maxLength: 30,
});

/** The mean of three neighbours in order, found without sorting: by counting who is smaller. */
function plainQuartile(all: readonly number[], share: number): number {
  const place = Math.max(1, Math.min(all.length - 2, Math.round((all.length - 1) * share)));
  let sum = 0;
  for (const wanted of [place - 1, place, place + 1])
    for (const [index, value] of all.entries()) {
      let before = 0;
      for (const [other, its] of all.entries()) if (its < value || (its === value && other < index)) before += 1;
      if (before === wanted) sum += value;
    }
  return sum / 3;
}

describe('quartiles of colleagues', () => {
  it('are what plain loops find, to two digits', () => {
    fc.assert(
      fc.property(values, (all) => {
        const found = quartilesOf(all);
        if (found.kind !== 'quartiles') return;
        const { p25, median, p75 } = found.quartiles;
        for (const [told, share] of [
          [p25, 0.25],
          [median, 0.5],
          [p75, 0.75],
        ] as const)
          expect(Math.abs(told / plainQuartile(all, share) - 1)).toBeLessThan(0.0501);
      }),
    );
  });

  it('are told of five colleagues and more, and only where they differ', () => {
    fc.assert(
      fc.property(values, (all) => {
        const found = quartilesOf(all);
        expect(found.kind === 'too_few').toBe(all.length < 5);
        if (found.kind === 'quartiles') {
          expect(found.quartiles.p25).toBeLessThan(found.quartiles.median);
          expect(found.quartiles.median).toBeLessThan(found.quartiles.p75);
        }
      }),
    );
    expect(quartilesOf([0.9, 0.9, 0.9, 0.9, 0.9, 0.9]).kind).toBe('too_close');
    expect(quartilesOf([1, 1, 1, 1, 90]).kind).toBe('too_close');
  });

  it('do not depend on whose value is whose', () => {
    fc.assert(
      fc.property(
        values.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(quartilesOf(shuffled)).toEqual(quartilesOf(all));
        },
      ),
    );
  });

  it('are the same for other values of each single colleague', () => {
    const steps = [0.04, 0.02, 0.01, 0.003, 0.001, 0.0001, 0.00001].flatMap((step) => [step, -step]);
    fc.assert(
      fc.property(values, (all) => {
        const told = quartilesOf(all);
        if (told.kind !== 'quartiles') return;
        for (const [whose, value] of all.entries()) {
          const isAlso = (others: readonly number[]): boolean =>
            JSON.stringify(quartilesOf(others)) === JSON.stringify(told);
          const isOpen = steps.some((step) => {
            const moved = all.with(whose, value * (1 + step));
            return (
              isAlso(moved) ||
              all.some((other, index) => index !== whose && isAlso(moved.with(index, other - value * step)))
            );
          });
          expect([whose, isOpen]).toEqual([whose, true]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('circles of colleagues', () => {
  const group = fc.tuple(fc.uniqueArray(fc.integer({ min: 0, max: 14 }), { maxLength: 12 }), fc.boolean());
  const groups = fc.array(group, { maxLength: 7 }).map((all) =>
    all.map(([members, isOwn], id) => ({
      ...{ id, name: `g${id}`, members: [...members.map((it) => `a${it}`), ...(isOwn ? ['me'] : [])] },
    })),
  );
  it('hold each group once, none of which is left out, and nobody twice', () => {
    fc.assert(
      fc.property(groups, (all) => {
        const circles = circlesOf('me', all);
        const seen = circles.flatMap(({ groups: own }) => own.map(({ id }) => id));
        expect(seen.sort((one, other) => one - other)).toEqual(all.map(({ id }) => id));
        for (const { groups: own, colleagues: others } of circles) {
          expect(new Set(others).size).toBe(others.length);
          expect(others).not.toContain('me');
          if (own.length > 1)
            for (const { members } of own) expect(members.filter((it) => it !== 'me').length).toBeLessThan(5);
        }
      }),
    );
  });
});

const me = 'me@x.test';
const colleagues = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus'].map((name) => `${name}@x.test`);
/** Group 1: everybody. Group 2: too few. Group 3: somebody else's. */
const members: Record<number, string[]> = {
  1: [me, ...colleagues],
  2: [me, ...colleagues.slice(0, 3)],
  3: colleagues,
};
/** A member of none of them, with chats in each. */
const guest = 'guest@x.test';

function madeChats(): Chat[] {
  const draw = random(77);
  const below = (most: number): number => Math.floor(draw() * most);
  return Object.entries(members).flatMap(([group, agents]) =>
    [...agents, guest].flatMap((agent, place) =>
      Array.from({ length: 14 + place * 3 + below(9) }, (): Chat => {
        const seconds = 5 + place * 7 + below(20);
        return {
          start: `2026-05-${String(1 + below(28)).padStart(2, '0')}T${String(below(24)).padStart(2, '0')}:10:00Z`,
          ...{ agents: [agent], groups: [Number(group)], seconds: 100 + place * 60 + below(200) },
          ...{ first: [seconds, agent] as const, turns: { [agent]: [seconds * 3, 2] as const } },
          rate: below(10) < place + 2 ? 'rated_good' : 'rated_bad',
        };
      }),
    ),
  );
}

const chats = madeChats();
const folder = mkdtempSync(join(tmpdir(), 'own-figures-'));
let engine: Store;
/** The same account in which colleagues have each other's chats. */
let exchanged: Store;

const nextOf = (login: string): string => {
  const place = colleagues.indexOf(login);
  return place < 0 ? login : (colleagues[(place + 3) % colleagues.length] ?? login);
};
const asNext = ({ first, agents = [], turns = {}, ...chat }: Chat): Chat => ({
  ...chat,
  agents: agents.map(nextOf),
  ...(first ? { first: [first[0], nextOf(first[1])] as const } : {}),
  turns: Object.fromEntries(Object.entries(turns).map(([agent, own]) => [nextOf(agent), own])),
});

async function published(name: string, all: readonly Chat[], whose: (login: string) => string): Promise<Store> {
  const writer = await account(all);
  await insert(
    writer,
    'account',
    'agents',
    [me, ...colleagues].map((login) => ({ login, name: login })),
  );
  await insert(
    writer,
    'account',
    'groups',
    [1, 2, 3].map((group_id) => ({ group_id, name: `Group ${group_id}` })),
  );
  for (const [group, logins] of Object.entries(members))
    await insert(
      writer,
      'account',
      'group_agents',
      logins.map((login) => ({ login: whose(login), group_id: Number(group) })),
    );
  const { file } = await publish(writer, join(folder, name), later.now * 1000);
  await writer.close();
  return openWarehouse(file, { readOnly: true });
}

beforeAll(async () => {
  engine = await published('one', chats, (login) => login);
  exchanged = await published('other', chats.map(asNext), nextOf);
});
afterAll(async () => {
  await engine.close();
  await exchanged.close();
  rmSync(folder, { recursive: true, force: true });
});

const asMe: Reader = { id: 'me', rows: { agent: me } };

async function ask(
  query: string,
  reader: Reader = asMe,
  store: Store = engine,
  user: Caller['user'] = { id: 'me', email: me, name: 'Me', role: 'agent' },
): Promise<{ status: number; body: string; etag: string | null }> {
  const api = promisedApi(
    apiDeps(store, {
      auth: authOf(() => reader, user),
      clock: () => later.now * 1000,
      accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-01-01' }],
    }),
  );
  const path = `/api/own-figures${query}`;
  const answer = await api.request(`http://127.0.0.1:3000${path}`);
  const body = await answer.text();
  expectPromised('GET', path, answer.status, body);
  return { status: answer.status, body, etag: answer.headers.get('etag') };
}

const figuresIn = async (query: string): Promise<OwnFigures> => JSON.parse((await ask(query)).body) as OwnFigures;
const may = '?from=2026-05-01&to=2026-05-28';

/** The median first response of an agent in a group, by plain loops. */
function plainMedian(agent: string, group: number, from = 1, to = 28): { value: number; count: number } | undefined {
  const found: number[] = [];
  for (const chat of chats) {
    const day = Number(chat.start.slice(8, 10));
    if (day < from || day > to || chat.groups?.[0] !== group || chat.first?.[1] !== agent) continue;
    let place = 0;
    while (place < found.length && (found[place] ?? 0) <= chat.first[0]) place += 1;
    found.splice(place, 0, chat.first[0]);
  }
  if (found.length === 0) return undefined;
  const half = (found.length - 1) / 2;
  const value = ((found[Math.floor(half)] ?? 0) + (found[Math.ceil(half)] ?? 0)) / 2;
  return { value, count: found.length };
}

describe('GET /api/own-figures', () => {
  it('gives the own value and the quartiles of the others, by group', async () => {
    const { circles, agent, from, to } = await figuresIn(may);
    expect({ agent, from, to, groups: circles.map(({ groups }) => groups.map(({ id }) => id)) }).toEqual({
      ...{ agent: me, from: '2026-05-01', to: '2026-05-28', groups: [[1], [2]] },
    });
    const first = circles[0]?.figures.find(({ id }) => id === 'first_response');
    const others: number[] = [];
    for (const login of colleagues) {
      const theirs = plainMedian(login, 1);
      if (theirs && theirs.count >= 10) others.push(theirs.value);
    }
    expect(first?.own).toBe(plainMedian(me, 1)?.value);
    expect(first?.colleagues).toBe(7);
    for (const [name, share] of [
      ['p25', 0.25],
      ['median', 0.5],
      ['p75', 0.75],
    ] as const)
      expect(Math.abs((first?.quartiles?.[name] ?? 0) - plainQuartile(others, share))).toBeLessThan(0.51);
  });

  it('tells nothing of a group with fewer than five colleagues but the own', async () => {
    const { circles } = await figuresIn(may);
    const small = circles[1];
    for (const figure of small?.figures ?? [])
      expect(figure).toMatchObject({ quartiles: null, why_not: 'too_few', colleagues: 3 });
    expect(small?.figures.every(({ own }) => own !== null)).toBe(true);
  });

  it('leaves out who has too few chats in the range', async () => {
    const { circles } = await figuresIn('?from=2026-05-01&to=2026-05-07');
    const chatsFigure = circles[0]?.figures.find(({ id }) => id === 'chats');
    let enough = 0;
    for (const login of colleagues) if ((plainMedian(login, 1, 1, 7)?.count ?? 0) >= 10) enough += 1;
    expect(chatsFigure?.colleagues).toBe(enough);
  });

  it.each([
    ['?from=2026-05-01&to=2026-05-06', 'from'],
    ['?from=2026-05-01&to=2026-05-01', 'from'],
    ['?from=2025-12-01&to=2026-05-01', 'from'],
    ['?from=2026-05-01&to=2027-03-01', 'to'],
    ['?from=2026-01-01&to=2027-02-01', 'from'],
    ['?from=2026-05-01&to=x', 'to'],
    [`${may}&group=1`, 'group'],
    [`${may}&tag=vip`, 'tag'],
    [`${may}&timezone=Asia/Tokyo`, 'timezone'],
    [`${may}&agent=ann@x.test`, 'agent'],
    [`${may}&as_of=2026-06-01T00:00:00Z`, 'as_of'],
    [`${may}&grain=day`, 'grain'],
    [`${may}&split=agent`, 'split'],
  ])('refuses %s', async (query, about) => {
    const { status, body } = await ask(query);
    expect([status, body.includes(about)]).toEqual([400, true]);
  });

  it('is for agents alone, each with an answer of their own', async () => {
    for (const rows of [undefined, { groups: [1] }, { hides_agents: true }] as const)
      expect((await ask(may, { id: 'other', ...(rows ? { rows } : {}) })).status).toBe(403);
    const other = await ask(may, { id: 'me', rows: { agent: 'ann@x.test' } });
    const mine = await ask(may);
    expect(other.etag).not.toBe(mine.etag);
    expect(JSON.parse(other.body)).toMatchObject({ agent: 'ann@x.test' });
    const narrow = await ask(may, { id: 'me', rows: { agent: me, groups: [2, 3] } });
    expect((JSON.parse(narrow.body) as OwnFigures).circles.map(({ groups }) => groups[0]?.id)).toEqual([2]);
    expect((await ask(may, asMe, engine, null)).status).toBe(403);
  });

  it('names no colleague, and is the same when colleagues have each other’s chats', async () => {
    const draw = random(5);
    const day = (it: number): string => `2026-05-${String(it).padStart(2, '0')}`;
    let told = 0;
    for (let count = 0; count < tries(10, 40); count += 1) {
      const first = 1 + Math.floor(draw() * 15);
      const query = `?from=${day(first)}&to=${day(first + 6 + Math.floor(draw() * 8))}`;
      const { status, body } = await ask(query);
      expect(status).toBe(200);
      expect(colleagues.filter((login) => body.includes(login))).toEqual([]);
      expect((await ask(query, asMe, exchanged)).body).toBe(body);
      if (body.includes('median')) told += 1;
    }
    expect(told).toBeGreaterThan(5);
  });
});
