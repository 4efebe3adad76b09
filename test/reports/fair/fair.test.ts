// Agents compared for a reader: one fit answers for every agent.
import { expect, test } from 'vitest';
import { fairAgents } from '#reports/fair/fair.ts';
import type { Store } from '#warehouse/engine.ts';
import { account, later, type Chat } from '../../warehouse/account.ts';
import { contextOf } from '../../warehouse/query-context.ts';

const agents = ['a@x.test', 'b@x.test', 'c@x.test'];
const chats = Array.from({ length: 60 }, (_, at): Chat => ({
  start: new Date(Date.parse('2026-05-01T08:00:00Z') + at * 3_600_000).toISOString(),
  agents: [agents[at % 3] ?? ''],
  groups: [at % 2],
  rate: at % 5 === 0 ? 'rated_bad' : 'rated_good',
}));
const range = { from: '2026-05-01', to: '2026-05-04' };

/** The same engine as one of a published file, and how often rows of chats were read. */
function published(engine: Store): { frozen: Store; reads: () => number } {
  let reads = 0;
  const frozen = new Proxy(engine, {
    get(target, name) {
      if (name === 'isFrozen') return true;
      if (name === 'queryNumbers') reads += 1;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
  return { frozen, reads: () => reads };
}

test('one agent after another is compared by one fit, and other chats by one of their own', async () => {
  const engine = await account(chats);
  try {
    const { frozen, reads } = published(engine);
    const [fresh, kept] = [contextOf(engine, later), contextOf(frozen, later)];
    const of = (agent: string, group?: number) => ({
      ...range,
      filters: { agent: [agent], ...(group === undefined ? {} : { group: [group] }) },
    });
    const [first = '', second = '', third = ''] = agents;
    const one = await fairAgents(of(first), kept);
    const of_one = reads();
    expect(of_one).toBeGreaterThan(0);
    const other = await fairAgents(of(second), kept);
    expect(reads()).toBe(of_one);
    expect(one.compared.map(({ comparison }) => comparison.agents.map(({ agent }) => agent))[0]).toEqual([first]);
    expect(one).toEqual(await fairAgents(of(first), fresh));
    expect(other).toEqual(await fairAgents(of(second), fresh));
    const ofGroup = await fairAgents(of(third, 1), kept);
    expect(reads()).toBe(2 * of_one);
    expect(ofGroup).toEqual(await fairAgents(of(third, 1), fresh));
    expect(ofGroup).not.toEqual(await fairAgents(of(third), kept));
    await fairAgents({ ...of(first), to: '2026-05-03' }, kept);
    await fairAgents({ ...of(first), timezone: 'Asia/Tokyo' }, kept);
    expect(reads()).toBe(4 * of_one);
  } finally {
    await engine.close();
  }
});
