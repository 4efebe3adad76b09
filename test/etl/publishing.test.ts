// What readers see while a large account is pulled for the first time: the newest days early, whole, and in the end the same as without.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysOf } from '../../bench/account.ts';
import { Interrupted } from '#etl/errors.ts';
import type { PullSetup } from '#etl/pull.ts';
import { tries } from '../chance.ts';
import { generatedAccount, type Generated } from './generated.ts';
import { at, type Pulled } from './pulled.ts';

const chats_a_day = tries(200, 300);
const now = at('2026-05-08T12:00:00Z');
/** Chats, and of the reports one that is asked by day and hour. */
const only = new Set(['archive', 'total_chats']);

let source: Generated;
const opened: Pulled[] = [];
beforeAll(async () => {
  source = await generatedAccount(daysOf('2026-05-01', 8 * chats_a_day, chats_a_day), now);
});
afterAll(async () => {
  for (const warehouse of opened) await warehouse.close();
  await source.close();
});

/** What a snapshot would hold: chats of each archive day that counts as pulled, the newest day first. */
interface Seen {
  days: { day: string; chats: number }[];
  /** Days of the account's report. */
  reported: number;
}

const pulledDays = `
  select cast(p.day as varchar) as day, count(c.chat_id) as chats
  from ledger.periods as p
  left join facts.chats as c on cast(to_timestamp(c.started_second) at time zone 'UTC' as date) = p.day
  where p.source = 'archive' and p.state = 'pulled' and p.day >= date '2026-05-01'
  group by p.day
  order by p.day desc`;
const reportedDays = `
  select count(*) as days from ledger.periods where source = 'total_chats' and grain = 'day' and split = 'account'`;

/** Pulls an empty warehouse; each question takes so many seconds of the account's clock. */
async function pulling(pace: number, own: (publication: number) => Partial<PullSetup> = () => ({})) {
  const warehouse = await source.warehouse();
  opened.push(warehouse);
  const begun = source.asked.length;
  const seen: Seen[] = [];
  const publish = async (): Promise<void> => {
    const days = (await warehouse.rows(pulledDays)).map(({ day, chats }) => ({
      day: String(day),
      chats: Number(chats),
    }));
    seen.push({ days, reported: Number((await warehouse.rows(reportedDays))[0]?.days) });
    own(seen.length);
  };
  const clock = (): number => now + (source.asked.length - begun) * pace;
  const pull = (more: Partial<PullSetup> = {}) => warehouse.pull(0, { only, clock, publish, ...more });
  return { warehouse, seen, pull, asked: () => source.asked.slice(begun) };
}

test('a quick pull is published when all of it is there, and asks for the newest two days first', async () => {
  const { seen, pull, asked } = await pulling(0);
  await pull();
  expect(seen.map(({ days }) => days.length)).toEqual([8]);
  const days = asked().flatMap((path) => /^\/chats\?date_from=([\d-]+)/.exec(path)?.[1] ?? []);
  const report = asked().findIndex((path) => path.startsWith('/reports/chats/total_chats'));
  const third = asked().findIndex((path) => path.startsWith('/chats?date_from=2026-05-06'));
  expect(new Set(days.slice(0, 2))).toEqual(new Set(['2026-05-08', '2026-05-07']));
  expect(report).toBeLessThan(third);
});

test('a slow one is published when whole days are there, the newest first, beside the reports of all', async () => {
  const { seen, pull } = await pulling(10);
  await pull();
  const [first] = seen;
  expect(first?.days.length).toBeLessThan(6);
  expect((first?.days[0]?.day ?? '') >= '2026-05-07').toBe(true);
  expect(first?.reported).toBe(8);
  expect(seen.map(({ days }) => days.length)).toEqual(
    seen.map(({ days }) => days.length).sort((one, other) => one - other),
  );
  expect(seen.length).toBeGreaterThan(2);
});

test('at whatever moments it is published and cut off, days are whole and the end is the same', async () => {
  const whole = await pulling(0);
  await whole.pull();
  const expected = await whole.warehouse.content();
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 3 }),
    async (pace, last) => {
      const ends = new AbortController();
      const { seen, pull, warehouse } = await pulling(pace, (publication) => {
        if (publication === last) ends.abort();
        return {};
      });
      await pull({ signal: ends.signal }).catch((error: unknown) => expect(error).toBeInstanceOf(Interrupted));
      await pull();
      for (const { days } of seen) for (const { day, chats } of days) expect([day, chats]).toEqual([day, chats_a_day]);
      expect(seen.at(-1)?.days.length).toBe(8);
      expect(await warehouse.content()).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: tries(2, 25) });
});
