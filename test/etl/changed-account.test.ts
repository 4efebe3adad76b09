// An account that somebody changes between two pulls: an agent removed, the tags of a chat replaced.
import { expect, it } from 'vitest';
import { basic } from '#etl/source.ts';
import { reconcile } from '#reports/reconciliation/reconcile.ts';
import { contextOf } from '../warehouse/query-context.ts';
import { pulledAccount } from './pulled.ts';

it('a removed agent and replaced tags leave no cell unexplained, and the tags are those of now', async () => {
  const account = await pulledAccount('2026-05-06T15:00:00Z', 3);
  const warehouse = await account.warehouse();
  try {
    const ask = async (path: string, method = 'GET', body?: unknown) => {
      const answer = await fetch(account.service.url + path, {
        method,
        headers: { authorization: basic('owner@example.com', 'secret') },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect(answer.status).toBe(200);
      return (await answer.json()) as Record<string, unknown>;
    };
    const unexplainedOf = async (later: number) => {
      const zone = 'UTC';
      const range = { account: 'default', timezone: zone, from: '2026-05-04', to: '2026-05-06' };
      const cells = await reconcile(
        contextOf(warehouse.engine, { account: 'default', zone, now: account.now + later }),
        range,
      );
      expect(cells.length).toBeGreaterThan(100);
      return cells.filter(({ reason }) => reason === 'unexplained');
    };
    await warehouse.pull();
    expect(await unexplainedOf(0)).toEqual([]);
    const agents = (await ask('/agents')) as unknown as { login: string; permission: string }[];
    const gone = agents.find(({ permission }) => permission === 'normal')!.login;
    const { chats } = (await ask('/chats?date_from=2026-05-05&date_to=2026-05-05')) as { chats: { id: string }[] };
    const chat = chats[0]!.id;
    const chatted = await warehouse.rows(
      `select count(*)::int as chats from facts.chat_agents where agent = '${gone}'`,
    );
    expect(chatted[0]!.chats).toBeGreaterThan(0);
    await ask(`/agents/${gone}`, 'DELETE');
    await ask(`/chats/${chat}/tags`, 'PUT', { tag: ['billing matter'] });
    await warehouse.pull(8 * 3600);
    expect(await unexplainedOf(8 * 3600)).toEqual([]);
    const tags = await warehouse.rows(`select tag from facts.chat_tags where chat_id = '${chat}'`);
    expect(tags).toEqual([{ tag: 'billing matter' }]);
  } finally {
    await warehouse.close();
    await account.close();
  }
});
