// Sums over the values of a split: a chat with two tags, groups or agents is counted in each of them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { addsUpBy } from '#warehouse/definitions/metric.ts';
import { metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { account, later, type Chat } from '../warehouse/account.ts';
import { run } from '../warehouse/query-context.ts';

const chats: Chat[] = Array.from({ length: 40 }, (_, at) => ({
  start: `2026-05-${String(4 + (at % 9)).padStart(2, '0')}T${String(at % 24).padStart(2, '0')}:00:00Z`,
  agents: at % 3 ? ['a@x.test'] : ['a@x.test', 'b@x.test'],
  groups: at % 4 ? [1] : [1, 2],
  tags: [['x', 'y'], ['x'], []][at % 3] ?? [],
  country: ['Peru', 'Chile', 'Malta'][at % 3] ?? '',
  first: [at, at % 2 ? 'a@x.test' : 'b@x.test'],
  rate: at % 2 ? 'rated_good' : 'rated_bad',
  visitor: `v${at % 7}`,
}));

let engine: Store;
beforeAll(async () => {
  engine = await account(chats);
});
afterAll(() => engine.close());

const counts = ['chats', 'visitors', 'goals', 'sales'];
const days = { from: '2026-05-01', to: '2026-05-31', grain: 'total', timezone: 'UTC' };

async function sums(metric: string, measure: string, split: string): Promise<[parts: number, whole: number]> {
  const of = async (question: object) =>
    (await run(engine, metric, { ...days, ...question }, later)).rows.reduce(
      (sum, row) => sum + Number(row[measure]),
      0,
    );
  return [await of({ split }), await of({})];
}

it('counts add up over every split that says so', async () => {
  let compared = 0;
  for (const metric of metrics.filter(({ archived, reported }) => archived && !reported))
    // Nothing is declared here: parts by a variable are recounted in test/warehouse/variables.test.ts.
    for (const split of addsUpBy(metric).filter((it) => it !== 'variable'))
      for (const [measure, { unit }] of Object.entries(metric.measures).filter(([, it]) => counts.includes(it.unit))) {
        const [parts, whole] = await sums(metric.id, measure, split);
        expect([metric.id, measure, unit, split, parts]).toEqual([metric.id, measure, unit, split, whole]);
        if (whole > 0) compared += 1;
      }
  expect(compared).toBeGreaterThan(20);
});

it('chats do not add up over agents, groups or tags, and none of these says so', async () => {
  for (const split of ['agent', 'group', 'tag'] as const) {
    const [parts, whole] = await sums('total_chats', 'chats', split);
    expect(parts, split).not.toBe(whole);
    expect(addsUpBy(metricOf('total_chats'))).not.toContain(split);
  }
  expect(addsUpBy(metricOf('first_response_time'))).toContain('agent');
  expect(addsUpBy(metricOf('concurrent_chats'))).toEqual([]);
});
