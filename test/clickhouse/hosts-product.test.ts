// The product with a database on two hosts: it works while one of them is down, says which one, and makes up for it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { snapshots } from '#warehouse/store/snapshot-store.ts';
import { only, type Filled } from '../server/filled.ts';
import { copyProgram } from '../server/supervised.ts';
import { copiedFolder, newFolder, runToEnd, until, type Ended } from '../server/program.ts';
import { published, rows } from '../server/read-folder.ts';
import { dayBefore } from '../server/still.ts';
import { installedPeer, whyNoPeer } from './installed.ts';
import { products, type Products } from './products.ts';
import { rawDatabase, type RawDatabase } from './raw.ts';

const isThere = installedPeer() !== undefined;

describe.skipIf(!isThere)(isThere ? 'the product with a database on two hosts' : whyNoPeer, () => {
  let beside: Products;
  let pulled: Filled;
  let folder: string;
  let [one, two]: RawDatabase[] = [];
  /** As messages name it. */
  const name = ({ address }: RawDatabase): string => address;
  const bothHosts = (): [RawDatabase, RawDatabase] => {
    if (!one || !two) throw new Error('there are two hosts');
    return [one, two];
  };
  const settings = (): Record<string, string> => {
    const [first, second] = bothHosts();
    const behind = new URL(second.address.replace('clickhouse:', 'http:')).host;
    return { ...pulled.settings(), CHATLEDGER_WAREHOUSE: first.address.replace('/warehouse', `,${behind}/warehouse`) };
  };
  const command = (...words: string[]): Promise<Ended> => runToEnd(words, settings(), folder);
  const held = async ({ rows: rowsOf }: RawDatabase): Promise<string[]> =>
    (await rowsOf('select snapshot from warehouse.snapshots order by snapshot')).map((row) => String(row['snapshot']));
  const questions = ['total_chats', 'waiting_times', 'chat_ratings'].map(
    (metric) => `/api/metrics/${metric}?from=${dayBefore(6)}&to=${dayBefore(1)}`,
  );
  const shown = async (origin: string, address: string): Promise<[number, string]> => {
    const answer = await fetch(origin + address);
    return [answer.status, await answer.text()];
  };

  beforeAll(async () => {
    beside = await products();
    ({ pulled, database: one } = beside);
    two = await rawDatabase();
    folder = copiedFolder(pulled.folder);
  });
  afterEach(() => {
    for (const { peer } of bothHosts()) peer.setDown(false);
  });
  afterAll(async () => {
    await beside.end();
    await two?.close();
  });

  test('a pull brings the hosts that answer what is new, names the other one, and the next pull brings that too', async () => {
    const [first, second] = bothHosts();
    first.peer.setDown(true);
    const half = await command('pull', ...only);
    expect([half.code, half.complained]).toEqual([3, expect.stringContaining(`${name(first)} does not answer`)]);
    expect(half.complained).not.toContain(name(second));
    const newest = (await snapshots(published(folder))).slice(-1);
    expect(await held(second)).toEqual(newest);
    const told = await command('doctor');
    expect(told.said).toContain(`WRONG database: ${name(first)} does not answer`);
    expect(told.said).toMatch(new RegExp(`^ok {4}database: ${name(second)} .* has what the folder has$`, 'm'));
    first.peer.setDown(false);
    expect((await command('doctor')).said).toMatch(
      new RegExp(`^WRONG database: ${name(first)} .*it lacks the newest snapshot`, 'm'),
    );

    const serve = (own: Record<string, string>): Promise<string> =>
      beside.ready([copyProgram({ has_pages: true }), 'serve'], own, folder);
    const [file, there] = [await serve(pulled.settings()), await serve(settings())];
    for (const address of questions) expect(await shown(there, address)).toEqual(await shown(file, address));

    const whole = await command('pull', ...only);
    expect([whole.code, whole.complained]).toEqual([0, '']);
    for (const each of bothHosts()) expect(await held(each)).toEqual((await snapshots(published(folder))).slice(-1));
    for (const down of bothHosts()) {
      down.peer.setDown(true);
      for (const address of questions) {
        const split = `${address}&split=${down === first ? 'group' : 'agent'}`;
        const expected = await shown(file, split);
        expect([split, expected[0]]).toEqual([split, 200]);
        expect([split, await shown(there, split)]).toEqual([split, expected]);
      }
      down.peer.setDown(false);
    }
  });

  test('a start needs one host, and says what is wrong with the other', async () => {
    const [first, second] = bothHosts();
    second.peer.setDown(true);
    const moved = await command('move');
    expect([moved.code, moved.complained]).toEqual([3, expect.stringContaining(`${name(second)} does not answer`)]);
    expect(moved.complained).toContain('other hosts of CHATLEDGER_WAREHOUSE are asked');
    first.peer.setDown(true);
    const down = await command('serve');
    expect([down.code, down.complained]).toEqual([
      3,
      expect.stringContaining(`${settings()['CHATLEDGER_WAREHOUSE']} does not answer`),
    ]);
  });

  test('every snapshot moves to both, and every metric is compared on each', async () => {
    const moved = await command('move', '--json');
    expect([moved.code, moved.complained]).toEqual([0, '']);
    const kept = await snapshots(published(folder));
    const { cells, ...counts } = JSON.parse(moved.said) as Record<string, number>;
    expect(counts).toMatchObject({ snapshots: kept.length });
    expect(cells).toBeGreaterThan(1000);
    for (const each of bothHosts()) expect(await held(each)).toEqual(kept);
  });

  test('an erasure is done when every host is without the person, and not before', async () => {
    const [first, second] = bothHosts();
    const [{ visitor, name: named, chat } = {}] = await rows(
      folder,
      `select visitor_id as visitor, any_value(visitor_name) as name, min(chat_id) as chat from facts.chats
       where visitor_name in (select visitor_name from facts.chats group by visitor_name having count(distinct visitor_id) = 1)
         and visitor_name like '% %'
       group by visitor_id having count(*) > 1 order by visitor limit 1`,
    );
    const words = [String(visitor), String(named)];
    for (const each of bothHosts()) expect((await each.tracesOf(words)).length).toBeGreaterThan(2);
    // A product that shows all accounts of both hosts, and has no snapshot of them itself.
    const all = {
      CHATLEDGER_WAREHOUSE: settings()['CHATLEDGER_WAREHOUSE'] ?? '',
      CHATLEDGER_WAREHOUSE_ACCOUNTS: 'all',
    };
    const reading = newFolder();
    const origin = await beside.ready([copyProgram({ has_pages: true }), 'serve'], all, reading);
    const isNamed = async (): Promise<unknown> => {
      const [status, text] = await shown(origin, `/api/chats/${String(chat)}`);
      return status === 200 ? text.includes(String(named)) : `refused with ${status}`;
    };
    const toldThere = async (): Promise<string> => (await runToEnd(['doctor'], all, reading)).said;
    expect(await isNamed()).toBe(true);
    for (const each of bothHosts())
      expect(await toldThere()).toMatch(
        new RegExp(`^ok {4}database: ${name(each)} .*: readers see default, last published`, 'm'),
      );
    first.peer.setDown(true);
    const unpaid = await command('erase', '--visitor', String(visitor));
    first.peer.setDown(false);
    expect([unpaid.code, unpaid.complained]).toEqual([3, expect.stringContaining('this is not done')]);
    expect(unpaid.complained).toContain(name(first));
    expect(await second.tracesOf(words)).toEqual([]);
    expect((await first.tracesOf(words)).length).toBeGreaterThan(2);
    expect((await command('doctor')).said).toMatch(/as they were before something was erased/);
    await until(async () => (await isNamed()) === false, 60, 'what was erased on one host to go');
    for (let time = 0; time < 6; time += 1) expect(await isNamed()).toBe(false);
    // Whatever the newest snapshot is called, the other host has another one or has it as it was.
    expect(await toldThere()).toMatch(
      new RegExp(`^WRONG database: ${name(first)} .*: it (has no snapshot|has the rows of)`, 'm'),
    );
    second.peer.setDown(true);
    // Whoever answers has the person still: nothing that was not asked before is answered.
    expect((await shown(origin, `${questions[0]}&split=country`))[0]).toBe(503);
    expect(await isNamed()).not.toBe(true);
    second.peer.setDown(false);
    const paid = await command('pull', ...only);
    expect([paid.code, paid.complained]).toEqual([0, expect.stringContaining('an erasure was cut off')]);
    for (const each of bothHosts()) expect(await each.tracesOf(words)).toEqual([]);
    second.peer.setDown(true);
    await until(async () => (await isNamed()) === false, 60, 'the other host to be asked');
    expect(await toldThere()).toContain(`WRONG database: ${name(second)} does not answer`);
  });

  test('a host that the setting does not name any more is told, until nothing is there', async () => {
    const [first, second] = bothHosts();
    const told = await runToEnd(['doctor'], { ...settings(), CHATLEDGER_WAREHOUSE: second.address }, folder);
    expect(told.said).toContain(`WRONG database: ${name(first)} holds what was published there`);
    expect(told.said).toMatch(new RegExp(`^ok {4}database: ${name(second)} .* has what the folder has$`, 'm'));
  });
});
