// What a snapshot has, of tables that belong together: one that mixes two publications gives other counts.
import type { Engine } from '#warehouse/engine.ts';

/** `{chats, agents, tags, id}`, `id` of the snapshot. */
export async function counted(engine: Engine): Promise<unknown> {
  const [row] = await engine.query(
    'select count(*) as chats, (select count(*) from facts.chat_agents) as agents, (select count(*) from facts.chat_tags) as tags,' +
      ' (select snapshot_id from ledger.snapshot) as id from facts.chats',
  );
  return row;
}
