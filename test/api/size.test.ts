// Questions of any size: cells are counted before they are built, what is large comes in pieces, and nobody waits for it.
import { parse } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '#api/app.ts';
import { jsonInPieces } from '#api/json.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { account, insert, type Chat } from '../warehouse/account.ts';
import { computed } from '../processor.ts';
import { isWhole } from '../chance.ts';
import { apiDeps } from './deps.ts';

const hour = 3_600_000;
const count = 3000;
/** Chats with many agents, groups, tags and countries, which make many combinations. */
const chats = Array.from({ length: count }, (_, index): Chat => ({
  start: new Date(Date.parse('2026-01-01T00:00:00Z') + index * 2 * hour).toISOString(),
  agents: [`agent${index % 40}@x.test`],
  groups: [index % 7],
  tags: [`tag ${index % 60}`, `other ${index % 11}`],
  country: `Country ${index % 90}`,
}));

let engine: Store;
let api: ReturnType<typeof createApi>;
beforeAll(async () => {
  engine = await account(chats, 'Europe/Warsaw');
  for (const [table, rows] of [
    ['agents', Array.from({ length: 40 }, (_, index) => ({ login: `agent${index}@x.test`, name: '' }))],
    ['tags', Array.from({ length: 71 }, (_, index) => ({ name: `tag ${index}` }))],
  ] as const)
    await insert(engine, 'account', table, rows);
  // Not held against the contract: what that takes would be measured too.
  const accounts = () => [{ id: 'default', timezone: 'Europe/Warsaw', since: '2026-01-01' }];
  api = createApi(apiDeps(engine, { accounts, clock: () => Date.parse('2027-02-01T00:00:00Z') }));
});
afterAll(() => engine.close());

const ask = (path: string): Promise<Response> => Promise.resolve(api.request(`http://127.0.0.1:3000/api${path}`));

/**
 * The longest time that `work` held the event loop, in milliseconds of this thread: what other programs take of the
 * processors does not count.
 */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [computed(), 0];
  const look = (): void => {
    const now = computed();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await work();
  clearInterval(timer);
  look();
  return longest;
}

const absurd = 'from=2000-01-01&to=2039-12-31';

describe('too many cells', () => {
  it.each([
    [`total_chats?${absurd}&grain=day&split=agent,group,tag,country`, ['grain=week', 'grain=month', 'grain=total']],
    [`total_chats?${absurd}&grain=day&split=agent,group,tag,country&compare=previous`, ['grain=week']],
    [`total_chats?${absurd}&grain=day&split=hour_of_day`, ['grain=week']],
    ['chat_ratings?from=2026-01-01&to=2027-12-31&grain=hour&split=agent', ['grain=day']],
  ])('%s is refused with what to ask instead, and with the file', async (question, choices) => {
    let answer: Response | undefined;
    const held = await longestHold(async () => (answer = await ask(`/metrics/${question}`)));
    const { error } = (await answer!.json()) as { error: { type: string; message: string; choices: string[] } };
    expect([answer?.status, error.type]).toEqual([400, 'bad_request']);
    for (const choice of choices) expect(error.choices).toContain(choice);
    expect(error.message).toContain(`/api/metrics/${parse(question.split('?')[0] ?? '').name}.csv`);
    expect(held).toBeLessThan(200);
  });

  it('a receipt of such a question is refused too', async () => {
    const answer = await ask(
      `/receipts/total_chats?${absurd}&grain=day&split=hour_of_day&period=2026-01-01&at.hour_of_day=03`,
    );
    expect(answer.status).toBe(400);
  });
});

describe('a large answer', () => {
  const large = '/metrics/total_chats?from=2026-01-01&to=2026-09-30&grain=day&split=agent,group';

  it('comes whole, in pieces, and keeps nobody waiting while it is made', async () => {
    let body = '';
    const held = await longestHold(async () => {
      const answer = await ask(large);
      expect(answer.status).toBe(200);
      for await (const part of answer.body ?? []) body += Buffer.from(part).toString();
    });
    const { rows } = JSON.parse(body) as { rows: Row[] };
    expect(rows).toHaveLength(273 * 280);
    expect(rows.reduce((sum, { chats: found }) => sum + Number(found), 0)).toBe(count);
    expect(held).toBeLessThan(200);
  });

  it('asked for its headers alone takes no room of those that are read', { timeout: 600_000 }, async () => {
    for (let time = 0; time < 40; time++) {
      const head = await api.request(
        `http://127.0.0.1:3000/api${large}&group=${[0, 1, 2, 3, 4, 5, 6, 100 + time].join('&group=')}`,
        { method: 'HEAD' },
      );
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
    expect((await ask(large)).status).toBe(200);
  });

  it('is ordered by the splits in any order, also when it is sorted in parts', async () => {
    const answer = await ask(
      '/metrics/total_chats?from=2026-01-01&to=2026-09-07&grain=total&split=agent,weekday,hour_of_day',
    );
    const { rows } = (await answer.json()) as { rows: Row[] };
    expect(rows).toHaveLength(40 * 168);
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const keyOf = ({ agent, weekday, hour_of_day }: Row): string =>
      `${String(agent)} ${days.indexOf(String(weekday))} ${String(hour_of_day)}`;
    expect(rows.map(keyOf)).toEqual(rows.map(keyOf).toSorted());
  });

  it('as JSON in pieces is what JSON.stringify gives', async () => {
    const list = Array.from({ length: 1234 }, (_, index) => ({ index, text: `“${index}”\u2028`, none: null }));
    for (const value of [
      {},
      { a: 1, b: undefined, c: [] },
      { rows: list, compare: { from: 'x', rows: list } },
      { x: { y: null } },
      list,
    ]) {
      let text = '';
      for await (const part of jsonInPieces(value)) text += part;
      expect(text).toBe(JSON.stringify(value));
    }
  });
});

describe('cells as a file of any size', () => {
  const lines = async (path: string): Promise<string[]> =>
    (await (await ask(path)).text()).replace('\ufeff', '').trimEnd().split('\r\n');

  it('has what the answer has, but for cells in which nothing happened', async () => {
    for (const [turn, { id, grains, splits, kind, measures }] of metrics.entries()) {
      if (!kind.startsWith('A')) continue;
      for (const grain of ['day', 'total'].filter((candidate) => grains.some((it) => it === candidate)))
        for (const [place, split] of [
          [],
          ['hour_of_day', 'weekday'],
          splits.slice(0, 1),
          ['weekday', 'tag'],
        ].entries()) {
          // One of four, by turns; with the drill each.
          if (!isWhole && place !== turn % 4) continue;
          if (!split.every((name) => splits.some((it) => it === name))) continue;
          const question = `from=2026-03-28&to=2026-03-31&timezone=Europe/Warsaw&grain=${grain}&split=${split.join(',')}`;
          const answer = await ask(`/metrics/${id}?${question}`);
          const file = await ask(`/metrics/${id}.csv?${question}`);
          expect([id, question, file.status]).toEqual([id, question, answer.status]);
          if (answer.status !== 200) continue;
          const { rows } = (await answer.json()) as { rows: Row[] };
          const [head = '', ...found] = (await file.text()).replace('\ufeff', '').trimEnd().split('\r\n');
          const columns = head.split(',');
          const written = new Set(rows.map((row) => columns.map((name) => String(row[name] ?? '')).join(',')));
          expect(found.filter((line) => !written.has(line))).toEqual([]);
          const something = rows.filter((row) => Object.keys(measures).some((name) => Number(row[name] ?? 0) !== 0));
          expect(found.length).toBeGreaterThanOrEqual(something.length > 0 ? 1 : 0);
          const there = new Set(found);
          for (const row of something)
            expect(there).toContain(columns.map((name) => String(row[name] ?? '')).join(','));
        }
    }
  });

  it('is written while it is read, whatever its size', async () => {
    const held = await longestHold(async () => {
      const [head, ...found] = await lines(
        `/metrics/total_chats.csv?${absurd}&grain=hour&split=agent,group,tag,country`,
      );
      expect(head).toContain('too much for one answer');
      expect(found).toEqual([]);
      const [columns, ...cells] = await lines(
        `/metrics/total_chats.csv?${absurd}&grain=day&split=agent,group,tag,country`,
      );
      expect(columns).toBe('period,agent,group,tag,country,chats,state');
      expect(cells.reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0)).toBe(2 * count);
    });
    expect(held).toBeLessThan(200);
  });

  it('that nobody reads on ends, and its place is free', async () => {
    for (let time = 0; time < 20; time++) {
      const answer = await ask(`/metrics/total_chats.csv?${absurd}&grain=day&split=agent,group,tag,country`);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
    }
    expect((await ask('/metrics/total_chats?from=2026-01-01&to=2026-01-01')).status).toBe(200);
  });

  it('says what is wrong with a question like an answer does', async () => {
    expect((await ask('/metrics/nothing.csv')).status).toBe(404);
    expect((await ask('/metrics/total_chats.csv?split=colour')).status).toBe(400);
    expect((await ask('/metrics/total_chats.csv?compare=previous')).status).toBe(400);
  });
});
