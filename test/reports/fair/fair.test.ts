// Agents compared for a reader: one fit answers for every agent.
import { expect, test, vi } from 'vitest';
import { fairAgents } from '#reports/fair/fair.ts';
import { account, later, type Chat } from '../../warehouse/account.ts';
import { frozen } from '../../warehouse/frozen.ts';
import { contextOf } from '../../warehouse/query-context.ts';

const agents = ['a@x.test', 'b@x.test', 'c@x.test'];
const chats = Array.from({ length: 60 }, (_, at): Chat => ({
  start: new Date(Date.parse('2026-05-01T08:00:00Z') + at * 3_600_000).toISOString(),
  agents: [agents[at % 3] ?? ''],
  groups: [at % 2],
  rate: at % 5 === 0 ? 'rated_bad' : 'rated_good',
}));
// Somebody whose login comes first chats after the range, by which the others are numbered otherwise.
const later_chats = Array.from({ length: 9 }, (_, at): Chat => ({
  ...{ start: new Date(Date.parse('2026-05-05T08:00:00Z') + at * 3_600_000).toISOString() },
  ...{ agents: ['0@x.test'], groups: [0], rate: 'rated_good' },
}));
const range = { from: '2026-05-01', to: '2026-05-04' };

test('one agent after another is compared by one fit, and other chats by one of their own', async () => {
  const engine = await account([...chats, ...later_chats]);
  try {
    const read = vi.spyOn(engine, 'queryNumbers');
    const [fresh, kept] = [contextOf(engine, later), contextOf(frozen(engine), later)];
    const of = (agent: string, group?: number) => ({
      ...range,
      filters: { agent: [agent], ...(group === undefined ? {} : { group: [group] }) },
    });
    const [first = '', second = '', third = ''] = agents;
    /** How often rows of chats were read for an answer. */
    const readsOf = async (work: Promise<unknown>): Promise<number> => {
      read.mockClear();
      await work;
      return read.mock.calls.length;
    };
    const one = await fairAgents(of(first), kept);
    expect(one.compared.map(({ comparison }) => comparison.agents.map(({ agent }) => agent))[0]).toEqual([first]);
    expect(await readsOf(fairAgents(of(second), kept))).toBe(0);
    const ofAll = await readsOf(fairAgents(of(second), fresh));
    expect(ofAll).toBe(2);
    // Other chats of the same quarter hours: their rows alone.
    expect(await readsOf(fairAgents(of(third, 1), kept))).toBe(1);
    expect(await readsOf(fairAgents({ ...of(first), to: '2026-05-03' }, kept))).toBe(ofAll);
    expect(await readsOf(fairAgents({ ...of(first), timezone: 'Asia/Tokyo' }, kept))).toBe(ofAll);
    const longer = { ...range, to: '2026-05-06' };
    for (const wanted of [of(first), of(second), of(third, 1), longer])
      expect(await fairAgents(wanted, kept)).toEqual(await fairAgents(wanted, fresh));
  } finally {
    await engine.close();
  }
});
