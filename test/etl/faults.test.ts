// Every fault that the embedded service can play, met by a pull: nothing is lost, nothing is there twice, and what was wrong is told.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults, type NamedFault } from '#service/chaos/faults.ts';
import { chaosPlan } from '#service/chaos/plan.ts';
import type { Row } from '#warehouse/engine.ts';
import { isWhole, partOf, tries } from '../chance.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import { impatient, pulledAccount, type PulledAccount } from './pulled.ts';

const only = new Set(['archive', 'total_chats', 'availability', 'first_response_time', 'goals', 'chat_ranking']);
const until = '2026-11-18';
/** Beside other work an answer takes its time: only what is held longer is silence. */
const limits = { ...impatient, timeout_ms: 1200 };
/** Late enough for every day to be asked again, and not yet the next day. */
const later = 11 * 3600;
/** These need another archive, or a field that a page of this account does not have. */
const elsewhere = new Set(['page_id_repeated', 'price_as_text']);

let account: PulledAccount;
/** Of each table its rows as texts. */
let truth: Record<string, string[]>;

beforeAll(async () => {
  account = await pulledAccount('2026-11-18T09:00:00Z', 3, { world: thirdOfSmallWorld });
  const clean = await account.warehouse();
  await clean.pull(0, { only });
  truth = textsOf(await clean.content(until));
  expect(truth['facts.chats']?.length).toBeGreaterThan(tries(100, 300));
  await clean.close();
});
afterAll(() => account.close());

/** A no like that of `403`. */
const alike = new Set(['302', '404', '410']);

/** Faults that are met in one pull, and how often each. */
interface Met {
  names: string;
  met: readonly NamedFault[];
  rates: Record<string, number>;
}

const together = 5;

/** Each refusal slows the pull down, and each large body takes its time: a few of them are enough. */
const rare: Readonly<Record<string, number>> = { '429': 0.02, '429_date': 0.02, '429_bare': 0.02, large: 0.03 };

function metTogether(met: readonly NamedFault[]): Met {
  const rateOf = ({ name, harm, fault }: NamedFault): number =>
    rare[name] ?? (fault.effect === 'refusing' ? 0.1 : harm === 'content' ? tries(0.19, 0.15) : 0.3 / met.length);
  return {
    names: met.map(({ name, fault }) => `${name} (${fault.effect}): ${fault.what}`).join('; '),
    ...{ met, rates: Object.fromEntries(met.map((each) => [each.name, rateOf(each)])) },
  };
}

/**
 * Five at a time, by what they do to an answer as a whole or to its content; a no, and what only looks alike, alone. Of a no of one report
 * or list, which all go the same way, every other one; with the drill all. Of what is left the tests take a half.
 */
function meetings(): Met[] {
  const all = faults.filter(({ name }) => !elsewhere.has(name) && (isWhole || !alike.has(name)));
  const companyOf = ({ name, harm, fault }: NamedFault): string => {
    if (fault.effect === 'refusing' || name === 'odd_letters') return name;
    return harm === 'content' ? fault.effect : 'whole';
  };
  return [...Map.groupBy(all, companyOf).values()].flatMap((each) =>
    Array.from({ length: Math.ceil(each.length / together) }, (_, place) =>
      metTogether(each.slice(place * together, (place + 1) * together)),
    ),
  );
}

const follow = (rates: Record<string, number>): void =>
  account.service.chaos.follow(
    chaosPlan({ rates, seed: tries(13, 7), hold_seconds: 3, slow_seconds: 0.05, retry_after_seconds: 0 }),
  );

const textsOf = (content: Record<string, Row[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(content).map(([table, rows]) => [table, rows.map((row) => JSON.stringify(row))] as const),
  );

/** Rows that one side has and the other has not, the first few and their beginnings. */
function differences(content: Record<string, Row[]>): string[] {
  const found = textsOf(content);
  return Object.entries(truth).flatMap(([table, theirs]) => {
    const ours = found[table] ?? [];
    if (theirs.length === ours.length && theirs.every((row, place) => row === ours[place])) return [];
    const [expected, here] = [new Set(theirs), new Set(ours)];
    const missing = theirs.filter((row) => !here.has(row)).map((row) => `${table} lacks ${row.slice(0, 300)}`);
    const wrong = ours.filter((row) => !expected.has(row)).map((row) => `${table} has ${row.slice(0, 300)}`);
    const twice = theirs.length === ours.length ? [] : [`${table} has ${ours.length} rows, not ${theirs.length}`];
    return [...missing.slice(0, 2), ...wrong.slice(0, 2), ...twice];
  });
}

test.each(partOf(meetings(), 2))('$names', async ({ met, rates }) => {
  const { service } = account;
  follow(rates);
  const warehouse = await account.warehouse();
  const outcome = await warehouse.pull(0, { only, limits }).catch((error: unknown) => String(error));
  const { faults: hits, arrived } = service.chaos.told();
  const [{ name, fault }] = met as [NamedFault];
  expect(met.filter((each) => !hits[each.name]).map((each) => each.name)).toEqual([]);
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
  await warehouse.pull(later, { only, limits });
  expect(differences(await warehouse.content(until))).toEqual([]);
  expect(await warehouse.rows('select source, record_id, reason, pull_id from ledger.quarantine')).toEqual([]);
  expect(
    await warehouse.rows("select source, day, error from ledger.periods where error is not null or state <> 'pulled'"),
  ).toEqual([]);
  await warehouse.close();
});

test('the ledger of a run with 20 % faults adds up to the requests the service counted plus the faults that never reached it', async () => {
  const { service } = account;
  const before = service.requests();
  const refusing = { '403': 0.005, '404': 0.005, '302': 0.005, misdirected_request: 0.005 };
  follow({ passing: 0.1, harmless: 0.04, visible: 0.04, ...refusing, large: 0 });
  const warehouse = await account.warehouse();
  const outcome = await warehouse.pull(0, { only, limits });
  const { arrived, reached, kept_away, hit } = service.chaos.told();
  expect(hit).toBeGreaterThan(arrived * 0.12);
  expect(kept_away).toBeGreaterThan(5);
  expect(service.requests() - before).toBe(reached);
  const [ledger] = await warehouse.rows(
    `select count(*) as attempts, count(distinct sequence) as told, count(error) as in_vain
     from ledger.requests`,
  );
  const [pull] = await warehouse.rows('select requests, faults from ledger.pulls');
  const all = reached + kept_away;
  expect([ledger, pull]).toEqual([
    { attempts: all, told: all, in_vain: outcome.faults },
    { requests: all, faults: outcome.faults },
  ]);
  service.chaos.follow(null);
  await warehouse.close();
});
