// Two snapshots of a small account, some days apart, in a folder of their own.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SnapshotStore } from '#api/deps.ts';
import type { Published, Row, Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { instantOf, lostSnapshots, openSnapshot, storedSnapshots } from '#warehouse/store/snapshot-store.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { forgetCounts } from '#warehouse/store/touched.ts';
import { addChats, insert, second, type Chat } from '../warehouse/account.ts';

export const zone = 'Europe/Warsaw';

/** A chat with the hash of its content. */
const hashed = (chats: readonly Chat[]): Row[] =>
  chats.map((chat, index) => ({ chat_id: `C${String(index).padStart(6, '0')}`, content_hash: JSON.stringify(chat) }));

/** The archive of 1 to 10 May, last received at an instant; the days named changed then, the others when first received. */
async function received(engine: Store, at: string, changed: readonly string[]): Promise<void> {
  await engine.exec('delete from ledger.periods');
  const days = Array.from({ length: 10 }, (_, index) => `2026-05-${String(index + 1).padStart(2, '0')}`);
  const first_pulled_at = second('2026-05-08T00:30:00Z');
  await insert(
    engine,
    'ledger',
    'periods',
    days.map((day) => ({
      ...{ timezone: zone, source: 'archive', grain: 'day', split: 'account', split_value: '', state: 'pulled', day },
      ...{ first_pulled_at, changed_at: changed.includes(day) ? second(at) : first_pulled_at, pulled_at: second(at) },
    })),
  );
}

async function replaceFacts(engine: Store, chats: readonly Chat[]): Promise<void> {
  for (const table of ['chats', 'chat_agents', 'chat_groups', 'chat_tags', 'chat_goals'])
    await engine.exec(`delete from facts.${table}`);
  await addChats(engine, chats);
  for (const { chat_id, content_hash } of hashed(chats))
    await engine.exec(
      `update facts.chats set content_hash = ${engine.dialect.literal(content_hash ?? '', 'text')}
       where chat_id = ${engine.dialect.literal(chat_id ?? '', 'text')}`,
    );
  await engine.exec(forgetCounts);
}

export interface TwoSnapshots {
  folder: string;
  older: Published;
  newer: Published;
  snapshots: SnapshotStore;
  open(id: string): Promise<Store>;
  close(): Promise<void>;
}

/**
 * Published on 8 May at 01:00 UTC and on 10 May at 06:00 UTC. `null` among the newer chats: it is gone. `more` adds to
 * the older and to the newer one.
 */
export async function twoSnapshots(
  before: readonly Chat[],
  after: readonly (Chat | null)[],
  changed: readonly string[],
  more: readonly ((engine: Store) => Promise<void>)[] = [],
): Promise<TwoSnapshots> {
  const folder = mkdtempSync(join(tmpdir(), 'restated-'));
  const engine = await openWarehouse(':memory:');
  await replaceFacts(engine, before);
  await received(engine, '2026-05-08T00:30:00Z', []);
  await more[0]?.(engine);
  const older = await publish(engine, folder, Date.parse('2026-05-08T01:00:00Z'));
  await replaceFacts(
    engine,
    after.map((chat) => chat ?? { start: '2020-01-01T00:00:00Z' }),
  );
  await received(engine, '2026-05-10T05:00:00Z', changed);
  await engine.exec('delete from reports.ticket_ranking');
  await more[1]?.(engine);
  const newer = await publish(engine, folder, Date.parse('2026-05-10T06:00:00Z'));
  await engine.close();
  const engines = new Map<string, Promise<Store>>();
  const open = (id: string): Promise<Store> => {
    const known = engines.get(id) ?? openSnapshot(folder, id);
    engines.set(id, known);
    return known;
  };
  return {
    ...{ folder, older, newer, open },
    snapshots: {
      list: () => storedSnapshots(folder),
      lost: () => lostSnapshots(folder),
      spare: () => Promise.resolve(0),
      open: async (id) => ({ id, published_at: instantOf(id), engine: await open(id) }),
      space: () => 10e9,
    },
    async close() {
      for (const opened of engines.values()) await (await opened).close();
    },
  };
}
