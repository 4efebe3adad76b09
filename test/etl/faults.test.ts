// Every fault that the embedded service can play, met by a pull: nothing is lost, nothing is there twice, and what was wrong is told.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults, type NamedFault } from '#service/chaos/faults.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import type { Row } from '#warehouse/engine.ts';
import { pulledAccount, type PulledAccount } from './pulled.ts';

const only = new Set(['archive', 'total_chats', 'availability', 'first_response_time', 'goals', 'chat_ranking']);
const until = '2026-11-18';
/** Late enough for every day to be asked again, and not yet the next day. */
const later = 11 * 3600;
/** These need another archive, or a field that a page of this account does not have. */
const elsewhere = new Set(['page_id_repeated', 'price_as_text']);

let account: PulledAccount;
let truth: Record<string, Row[]>;

beforeAll(async () => {
  account = await pulledAccount('2026-11-18T09:00:00Z', 4);
  const clean = await account.warehouse();
  await clean.pull(0, { only });
  truth = await clean.content(until);
  expect(truth['facts.chats']?.length).toBeGreaterThan(300);
  await clean.close();
});
afterAll(() => account.close());

const follow = (name: string, rate: number): void =>
  account.service.chaos.follow(
    chaosPlan({
      rates: { [name]: rate },
      ...{ seed: 7, hold_seconds: 1, slow_seconds: 0.05, retry_after_seconds: 0 },
    }),
  );

/** Rows that one side has and the other has not, the first few and their beginnings. */
function differences(content: Record<string, Row[]>): string[] {
  return Object.entries(truth).flatMap(([table, rows]) => {
    const [theirs, ours] = [rows, content[table] ?? []].map((each) => each.map((row) => JSON.stringify(row)));
    const [expected, found] = [new Set(theirs), new Set(ours)];
    const missing = theirs?.filter((row) => !found.has(row)).map((row) => `${table} lacks ${row.slice(0, 300)}`) ?? [];
    const wrong = ours?.filter((row) => !expected.has(row)).map((row) => `${table} has ${row.slice(0, 300)}`) ?? [];
    const twice = theirs?.length === ours?.length ? [] : [`${table} has ${ours?.length} rows, not ${theirs?.length}`];
    return [...missing.slice(0, 2), ...wrong.slice(0, 2), ...twice];
  });
}

test.each<NamedFault>(faults.filter(({ name }) => !elsewhere.has(name)))(
  '$name ($fault.effect): $fault.what',
  async ({ name, fault }) => {
    const { service } = account;
    follow(name, fault.effect === 'refusing' || name.startsWith('429') ? 0.1 : 0.3);
    const warehouse = await account.warehouse();
    const outcome = await warehouse.pull(0, { only }).catch((error: unknown) => String(error));
    const { hit, arrived } = service.chaos.told();
    expect(hit).toBeGreaterThan(0);
    if (typeof outcome === 'string') expect([name, outcome]).toEqual(['401', expect.stringContaining('Unauthorized')]);
    else {
      // Every attempt is in the ledger, whatever became of it.
      expect(outcome.requests).toBe(arrived);
      expect(await warehouse.rows('select count(*) as n from ledger.requests')).toEqual([{ n: arrived }]);
      if (fault.effect === 'passing' || fault.effect === 'harmless') {
        expect([outcome.failed, outcome.quarantined]).toEqual([0, 0]);
        if (name !== 'odd_letters') expect(differences(await warehouse.content(until))).toEqual([]);
      }
    }
    // Whatever could not be used is asked again, and then it is as if nothing had happened.
    service.chaos.follow(null);
    await warehouse.pull(later, { only });
    expect(differences(await warehouse.content(until))).toEqual([]);
    expect(await warehouse.rows('select source, record_id, reason, pull_id from ledger.quarantine')).toEqual([]);
    expect(
      await warehouse.rows(
        "select source, day, error from ledger.periods where error is not null or state <> 'pulled'",
      ),
    ).toEqual([]);
    await warehouse.close();
  },
  30_000,
);
