// The product with CHATLEDGER_WAREHOUSE: publications reach the database, answers come from it, and what is erased or too old leaves it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClickhouseSnapshots } from '#warehouse/engines/clickhouse.ts';
import { addressesIn } from '#warehouse/engines/clickhouse-address.ts';
import { isPacked } from '#warehouse/store/packed/catalogue.ts';
import { snapshots, storedFile } from '#warehouse/store/snapshot-store.ts';
import { testInDrill } from '../chance.ts';
import { random } from '../drills/random.ts';
import { only, type Filled } from '../server/filled.ts';
import { copyProgram } from '../server/supervised.ts';
import { copiedFolder, runNode, runToEnd, type Ended } from '../server/program.ts';
import { metricsIn, published, rows } from '../server/read-folder.ts';
import { dayBefore } from '../server/still.ts';
import { filesBelow } from '../server/traces.ts';
import { installedPeer, whyNoPeer } from './installed.ts';
import { products, type Products } from './products.ts';
import type { RawDatabase } from './raw.ts';

const isThere = installedPeer() !== undefined;
const password = 'a p@ss:word/1';

describe.skipIf(!isThere)(isThere ? 'the product with ClickHouse' : whyNoPeer, () => {
  let beside: Products;
  let pulled: Filled;
  let folder: string;
  let database: RawDatabase;
  /** Several chats each, and a name that nobody else has. */
  let people: { visitor: string; name: string }[];
  const settings = (): Record<string, string> => ({
    ...pulled.settings(),
    CHATLEDGER_WAREHOUSE: database.address,
    CHATLEDGER_WAREHOUSE_PASSWORD_FILE: join(folder, 'password'),
  });
  const command = (...words: string[]): Promise<Ended> => runToEnd(words, settings(), folder);
  const held = async (): Promise<string[]> =>
    (await database.rows('select snapshot from warehouse.snapshots order by snapshot')).map((row) =>
      String(row['snapshot']),
    );
  /** Of each snapshot that the database holds. */
  async function metricsThere(): Promise<Record<string, string>> {
    const [{ publisher } = {}] = await database.rows('select publisher from warehouse.snapshots limit 1');
    const opened = new ClickhouseSnapshots(addressesIn(database.address, password)[0], String(publisher));
    const answers: Record<string, string> = {};
    for (const held of await opened.list())
      Object.assign(answers, await metricsIn(await opened.open(held), held.id, [[]]));
    await opened.close();
    return answers;
  }
  const serve = (own: Record<string, string>): Promise<string> =>
    beside.ready([copyProgram({ has_pages: true }), 'serve'], own, folder);

  beforeAll(async () => {
    beside = await products(password);
    ({ pulled, database } = beside);
    folder = copiedFolder(pulled.folder);
    writeFileSync(join(folder, 'password'), `${password}\n`, { mode: 0o600 });
    const found = await rows(
      folder,
      `select visitor_id as visitor, any_value(visitor_name) as name from facts.chats
       where visitor_name in (select visitor_name from facts.chats group by visitor_name having count(distinct visitor_id) = 1)
         and visitor_name like '% %'
       group by visitor_id having count(*) > 1 order by visitor limit 4`,
    );
    expect(found.length).toBe(4);
    people = found.map(({ visitor, name }) => ({ visitor: String(visitor), name: String(name) }));
  });
  afterAll(() => beside.end());

  test('a wrong password, a database that is not there and a server that is down are said at the start', async () => {
    writeFileSync(join(folder, 'password'), 'another');
    const refused = await command('serve');
    expect([refused.code, refused.complained]).toEqual([3, expect.stringContaining('Authentication failed')]);
    writeFileSync(join(folder, 'password'), `${password}\n`);
    const nowhere = { ...settings(), CHATLEDGER_WAREHOUSE: database.address.replace(/warehouse$/, 'other') };
    expect((await runToEnd(['serve'], nowhere, folder)).complained).toContain('there is no database other');
    database.peer.setDown(true);
    const down = await command('serve');
    expect([down.code, down.complained]).toEqual([3, expect.stringContaining('does not answer')]);
    database.peer.setDown(false);
    const wrong = { ...settings(), CHATLEDGER_WAREHOUSE: 'http://127.0.0.1' };
    expect((await runToEnd(['serve'], wrong, folder)).complained).toContain('is no address of a database');
    expect([refused, down].map(({ said, complained }) => (said + complained).includes(password))).toEqual([
      false,
      false,
    ]);
  });

  test('a pull that does not reach the database says so, and the next one brings it what it lacks', async () => {
    database.peer.setDown(true);
    const unreached = await command('pull', ...only);
    database.peer.setDown(false);
    expect([unreached.code, unreached.complained]).toEqual([3, expect.stringContaining('does not answer')]);
    const told = await command('doctor');
    expect(told.said).toMatch(/^WRONG database: .*it lacks the newest snapshot/m);
    const reached = await command('pull', ...only);
    expect([reached.code, reached.complained]).toEqual([0, '']);
    expect(await held()).toEqual((await snapshots(published(folder))).slice(-1));
    expect((await command('doctor')).said).toMatch(/^ok {4}database: .* has what the folder has$/m);
  });

  test('answers over HTTP come from the database and are those of the file, and there are none while it is down', async () => {
    const [file, there] = [await serve(pulled.settings()), await serve(settings())];
    const range = `from=${dayBefore(6)}&to=${dayBefore(1)}`;
    const paths = [
      `/api/metrics/total_chats?${range}`,
      `/api/metrics/waiting_times?${range}&split=group`,
      `/api/metrics/chat_ratings?${range}&split=agent`,
      `/api/chats?${range}&query=the`,
      `/api/chat-rows?${range}`,
      `/api/reconciliation?${range}`,
      `/api/accounts`,
      `/api/sql/tables`,
    ];
    const before = database.peer.statements.length;
    const shown = async (origin: string, path: string): Promise<[number, string]> => {
      const answer = await fetch(origin + path);
      return [answer.status, await answer.text()];
    };
    for (const path of paths) {
      const expected = await shown(file, path);
      expect([path, expected[0]]).toEqual([path, 200]);
      expect([path, await shown(there, path)]).toEqual([path, expected]);
    }
    expect(database.peer.statements.length).toBeGreaterThan(before + 5);
    const parquet = await fetch(`${there}/api/chat-rows.parquet?${range}`);
    expect([
      parquet.status,
      Buffer.from(await parquet.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ]).toEqual([200, 'PAR1']);
    const post = { method: 'POST', headers: { origin: there, 'content-type': 'application/json' } };
    const body = JSON.stringify({ statement: 'select count(*) as n from facts.chats', parameters: {} });
    expect(await (await fetch(`${there}/api/sql`, { ...post, body })).json()).toMatchObject({
      columns: [{ name: 'n' }],
    });
    const newest = await fetch(`${there}/api/snapshots/current/file`, { method: 'HEAD' });
    expect(newest.status).toBe(200);

    database.peer.setDown(true);
    const other = `/api/metrics/total_chats?${range}&split=country`;
    const [status, said] = await shown(there, other);
    database.peer.setDown(false);
    expect([status, said]).toEqual([503, expect.stringContaining('does not answer')]);
    expect(await shown(there, other)).toEqual(await shown(file, other));
  });

  test('a digest is made of the database', async () => {
    const madeBy = async (own: Record<string, string>, name: string): Promise<Record<string, string>> => {
      const asked = ['digest', 'run', 'monday-morning', '--for', dayBefore(2), '--format', 'csv', '--out', name];
      expect((await runToEnd(asked, own, folder)).code).toBe(0);
      const files = filesBelow(join(folder, name)).map((file) => relative(join(folder, name), file));
      return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, name, file), 'utf8')]));
    };
    const alike = await madeBy(pulled.settings(), 'of the file');
    const before = database.peer.statements.length;
    const made = await madeBy(settings(), 'of the database');
    expect(Object.keys(made).length).toBeGreaterThan(0);
    expect(made).toEqual(alike);
    expect(database.peer.statements.length).toBeGreaterThan(before + 5);
  });

  test('every kept snapshot moves there, packed ones too, and every metric is compared', async () => {
    for (let count = 0; count < 2; count += 1) expect((await command('snapshot')).code).toBe(0);
    const kept = await snapshots(published(folder));
    expect(kept.map((id) => storedFile(published(folder), id)).some((file) => isPacked(file))).toBe(true);
    const moved = await command('move', '--json');
    expect([moved.code, moved.complained]).toEqual([0, '']);
    const { snapshots: many, put, cells } = JSON.parse(moved.said) as Record<string, number>;
    expect([many, put]).toEqual([kept.length, kept.length - 3]);
    expect(cells).toBeGreaterThan(1000);
    expect(await held()).toEqual(kept);
    const again = await command('move', '--json');
    expect(JSON.parse(again.said)).toEqual({ ...(JSON.parse(moved.said) as object), put: 0 });
  });

  test('of a person who is erased no table has anything, the command is done only then, and no number is another', async () => {
    const many = (await held()).length;
    const before = await metricsThere();
    const [{ visitor = '', name = '' } = {}] = people;
    const words = [visitor, name];
    expect((await database.tracesOf(words)).length).toBeGreaterThan(5);
    database.peer.setDown(true);
    const unpaid = await command('erase', '--visitor', visitor);
    database.peer.setDown(false);
    expect([unpaid.code, unpaid.complained]).toEqual([3, expect.stringContaining('this is not done')]);
    expect((await command('doctor')).said).toContain(
      `${many} snapshots there are as they were before something was erased`,
    );
    const paid = await command('pull', ...only);
    expect([paid.code, paid.complained]).toEqual([0, expect.stringContaining('an erasure was cut off')]);
    expect(await database.tracesOf(words)).toEqual([]);
    const after = await metricsThere();
    for (const [question, answer] of Object.entries(before))
      expect([question, after[question]]).toEqual([question, answer]);
    expect((await command('doctor')).said).toMatch(/^ok {4}database: .* has what the folder has$/m);
  });

  testInDrill('wherever an erasure is cut off from the database, the next pull ends it', async () => {
    const draw = random(5);
    let count = 0;
    for (const { visitor, name } of people.slice(1)) {
      const words = [visitor, name];
      expect((await database.tracesOf(words)).length).toBeGreaterThan(2);
      const [from, stop] = [database.peer.statements.length, Math.floor(draw() * 500)];
      const watch = setInterval(() => {
        if (database.peer.statements.length - from > stop) database.peer.setDown(true);
      }, 5);
      const cut = await command('erase', '--visitor', visitor);
      clearInterval(watch);
      database.peer.setDown(false);
      if (cut.code !== 0) count += 1;
      if (cut.code !== 0) expect([cut.code, cut.complained]).toEqual([3, expect.stringContaining('this is not done')]);
      expect((await command('pull', ...only)).code).toBe(0);
      expect(await database.tracesOf(words)).toEqual([]);
      expect((await command('doctor')).said).toMatch(/^ok {4}database: .* has what the folder has$/m);
    }
    expect(count).toBeGreaterThan(0);
  });

  test('of chats that are too old no table has texts or names', async () => {
    const found = await rows(
      folder,
      `select text as word from facts.messages where length(text) > 20 and kind = 'message' and text not like '%·%' group by word
       having max(started_at) < timestamptz '${dayBefore(2)} 00:00:00Z' order by hash(word) limit 8`,
    );
    const words = found.map(({ word }) => String(word));
    expect(words.length).toBeGreaterThan(2);
    expect((await database.tracesOf(words)).length).toBeGreaterThan(1);
    const before = await metricsThere();
    const retaining = join(import.meta.dirname, '..', 'server', 'retaining.ts');
    const ended = await runNode([retaining, dayBefore(2), '-'], settings(), folder);
    expect([ended.code, ended.complained]).toEqual([0, '']);
    expect(await database.tracesOf(words)).toEqual([]);
    const after = await metricsThere();
    for (const [question, answer] of Object.entries(before))
      expect([question, after[question]]).toEqual([question, answer]);
  });

  test('without the setting what is left there is told; another folder is refused an account until its lease ends', async () => {
    const told = await runToEnd(['doctor'], pulled.settings(), folder);
    expect(told.said).toMatch(/^WRONG database: .* holds what was published there/m);
    const other = copiedFolder(pulled.folder);
    const state = join(other, 'data', 'state.json');
    writeFileSync(state, JSON.stringify({ layout: 1, since: {}, service_api_key: 'another' }));
    const beside = (...words: string[]): Promise<Ended> => runToEnd(words, settings(), other);
    const refused = await beside('snapshot');
    expect([refused.code, refused.complained]).toEqual([
      2,
      expect.stringMatching(/is published there by the data folder \w{16} on .* until 2/),
    ]);
    expect((await beside('doctor')).said).toMatch(/^WRONG leases: .* by the data folder \w{16} on .*, until /m);
    const kept = await held();
    const before = await metricsThere();
    const [{ holder: first = '' } = {}] = (await database.rows('select holder from warehouse.leases limit 1')) as {
      holder?: string;
    }[];
    expect((await beside('leases', '--remove', first)).complained).toContain('end it first');

    // The holder is not heard of any more.
    await database.run(
      'insert into warehouse.leases select account, epoch, holder, host, now64(3), now64(3) from (select distinct account, epoch, holder, host from warehouse.leases)',
    );
    const over = await beside('snapshot');
    expect([over.code, over.complained]).toEqual([
      0,
      expect.stringMatching(/the lease of the account .* ended at .* is this folder's now/),
    ]);
    expect(await held()).toEqual(expect.arrayContaining(kept));
    expect(await metricsThere()).toMatchObject(before);
    const back = await command('snapshot');
    expect([back.code, back.complained]).toEqual([2, expect.stringContaining('is published there by the data folder')]);
    expect((await beside('doctor')).said).toContain(`the data folder ${first} has no account there any more`);
    expect((await beside('leases', '--remove', first)).said).toContain(
      `what the data folder ${first} had there is removed`,
    );
    const [{ id: second = '' } = {}] = JSON.parse((await beside('leases', '--json')).said)[0].accounts.map(
      ({ holder }: { holder: { id: string } }) => holder,
    ) as { id?: string }[];
    expect(await database.rows('select distinct publisher from warehouse.snapshots')).toEqual([{ publisher: second }]);
    expect(
      await database.rows(
        `select name from system.tables where database = 'warehouse' and position(name, '${first}') > 0`,
      ),
    ).toEqual([]);
  });
});
