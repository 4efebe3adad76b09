// All accounts of a database on several hosts: whatever one of them lacks or still has, readers see every account, and nothing that was erased.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ClickhouseAccountsHosts } from '#warehouse/engines/clickhouse-accounts-hosts.ts';
import { ClickhousePublisher } from '#warehouse/engines/clickhouse-publishing.ts';
import { beside_others } from '#warehouse/engines/clickhouse-patience.ts';
import { UnreachableWarehouse } from '#warehouse/errors.ts';
import { markAfter } from '#warehouse/rewrite-marks.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { addChats } from '../warehouse/account.ts';
import { openDatabase, publishing, type Database } from './both.ts';
import { installedPeer, whyNoPeer } from './installed.ts';

const isThere = installedPeer() !== undefined;
const short = { ...beside_others, quiet_ms: 300, there_ms: 2000 };
const accounts = ['acme', 'berg'] as const;
type Account = (typeof accounts)[number];

describe.skipIf(!isThere)(isThere ? 'all accounts of a database on several hosts' : whyNoPeer, () => {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-accounts-hosts-'));
  let both: [Database, Database];
  let hosts: ClickhouseAccountsHosts;
  beforeAll(async () => {
    both = await Promise.all([openDatabase(), openDatabase()]);
  });
  afterEach(async () => {
    for (const { peer, rows, run } of both) {
      peer.setDown(false);
      for (const { name = '' } of await rows("select name from system.tables where database = 'warehouse'"))
        await run(`drop table if exists warehouse."${name}" sync`);
    }
    await hosts.close();
  });
  afterAll(async () => {
    for (const database of both) await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let number = 0;
  /** Publishes so many chats of an account on these hosts, under the name of an earlier snapshot where it is rewritten. */
  async function published(account: Account, chats: number, on: readonly Database[], earlier?: string, mark = '') {
    const store = await openWarehouse(':memory:');
    await addChats(
      store,
      Array.from({ length: chats }, () => ({ start: '2026-02-05T10:00:00Z' })),
    );
    for (const table of ['chats', 'chat_agents', 'chat_groups'])
      await store.exec(`update facts.${table} set account = '${account}'`);
    const at = Date.parse('2026-05-12T09:00:00Z') + (number += 1) * 1000;
    const { file, id, published_at } = await publish(store, folder, at);
    await store.close();
    const engine = await openWarehouse(file, { readOnly: true });
    const held =
      earlier === undefined ? { id, published_at } : { id: earlier, published_at: instantOf.get(earlier) ?? '' };
    instantOf.set(id, published_at);
    for (const { address } of on) {
      const publisher = new ClickhousePublisher(address, publishing(`folder-${account}`, account));
      await publisher.publish(engine, { ...held, rewritten: mark });
      await publisher.close();
    }
    await engine.close();
    return held.id;
  }
  const instantOf = new Map<string, string>();
  const open = (): ClickhouseAccountsHosts => {
    hosts = new ClickhouseAccountsHosts([both[0].address, both[1].address], short);
    return hosts;
  };
  const newest = async () => {
    const found = (await hosts.list()).at(-1);
    if (!found) throw new Error('nothing is published');
    return found;
  };
  /** Chats by account, of the newest snapshot as it is opened now. */
  async function shown(): Promise<Record<string, number>> {
    const engine = await hosts.open(await newest());
    const rows = await engine.query('select account, count(*) as chats from facts.chats group by account');
    return Object.fromEntries(rows.map(({ account, chats }) => [account, Number(chats)]));
  }
  const refused = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  it('either answers while the other is down, also what was opened before', { timeout: 60_000 }, async () => {
    await published('acme', 2, both);
    await published('berg', 3, both);
    open();
    expect(await shown()).toEqual({ acme: 2, berg: 3 });
    const engine = await hosts.open(await newest());
    const counted = async () => (await engine.query('select count(*) as chats from facts.chats'))[0]?.['chats'];
    for (const { peer } of both) {
      peer.setDown(true);
      for (let time = 0; time < 3; time += 1)
        expect([await counted(), await shown()]).toEqual([5, { acme: 2, berg: 3 }]);
      peer.setDown(false);
    }
    for (const { peer } of both) peer.setDown(true);
    expect(await refused(counted())).toBeInstanceOf(UnreachableWarehouse);
    expect(await refused(hosts.list())).toBeInstanceOf(UnreachableWarehouse);
    for (const { peer } of both) peer.setDown(false);
    expect([await counted(), await shown()]).toEqual([5, { acme: 2, berg: 3 }]);
  });

  it(
    'what one of them lacks is read from the other, and an account is never left out',
    { timeout: 60_000 },
    async () => {
      const [one, two] = both;
      await published('acme', 2, both);
      await published('berg', 3, [one]);
      open();
      expect(await shown()).toEqual({ acme: 2, berg: 3 });
      // A newer publication of the one account does not hide the other.
      await published('acme', 4, [two]);
      expect(await shown()).toEqual({ acme: 2, berg: 3 });
      one.peer.setDown(true);
      expect(String(await refused(hosts.list()))).toContain('the next pull of the folders of berg brings');
      await published('berg', 3, [two]);
      expect(await shown()).toEqual({ acme: 4, berg: 3 });
      one.peer.setDown(false);
      expect(await shown()).toEqual({ acme: 4, berg: 3 });
    },
  );

  it(
    'what was erased on one is not shown by the other, also when who has it so is down',
    { timeout: 60_000 },
    async () => {
      const [one, two] = both;
      await published('acme', 2, both);
      const id = await published('berg', 3, both);
      open();
      const before = await newest();
      expect(await shown()).toEqual({ acme: 2, berg: 3 });
      const mark = markAfter('', { id: 'an-erasure', begun_at: '2026-05-12T10:00:00Z' });
      await published('berg', 1, [two], id, mark);
      for (let time = 0; time < 4; time += 1) expect(await shown()).toEqual({ acme: 2, berg: 1 });
      // The same name, and not the same rows.
      expect((await newest()).id).toBe(before.id);
      const reason = expect.stringContaining('before or after they were rewritten') as string;
      expect(await hosts.whyNot(await newest())).toEqual([reason, null]);
      expect((await newest()).rewritten).not.toBe(before.rewritten);
      expect(String(await refused(hosts.open(before)))).toContain('was rewritten after the snapshot');
      two.peer.setDown(true);
      expect(String(await refused(hosts.list()))).toContain('as they were before something was erased');
      two.peer.setDown(false);
      await published('berg', 1, [one], id, mark);
      two.peer.setDown(true);
      expect(await shown()).toEqual({ acme: 2, berg: 1 });
    },
  );
});
