// When each day of each owner was received: what plain loops over the ledger find.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import type { Ask } from '#warehouse/query/ask.ts';
import { reportCoverage } from '#warehouse/query/coverage.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { arrayOfAnyLength, tries } from '../chance.ts';
import { insert } from './account.ts';
import { frozen } from './frozen.ts';

const timezone = 'Europe/Warsaw';
/** The clock goes forward within these days. */
const firstDay = Date.parse('2026-03-25T00:00:00Z');
const dateOf = (day: number): string => new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10);
const beginsAt = (day: number): number => firstDay / 1000 + day * 86_400 - (day <= 4 ? 1 : 2) * 3600;

const pulls = ['2026-04-10T08:00:00Z', '2026-04-10T09:00:00Z', '2026-04-11T08:00:00Z'];

const period = fc.record({
  owner: fc.constantFrom<string>('', 'a@x.test', 'b@x.test', 'c@x.test'),
  day: fc.integer({ min: 0, max: 9 }),
  pulled: fc.constantFrom(...pulls),
  state: fc.constantFrom('pulled', 'pulled', 'pulled', 'failed'),
});

it('they are those of the owner, however many were received at once', async () => {
  const engine = await openWarehouse(':memory:');
  const property = fc.asyncProperty(
    arrayOfAnyLength(period, { maxLength: 40 }),
    fc.integer({ min: 0, max: 9 }),
    fc.integer({ min: 0, max: 9 }),
    async (periods, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const own = [...new Map(periods.map((each) => [`${each.owner} ${each.day}`, each])).values()];
      await engine.exec('delete from ledger.periods');
      await insert(
        engine,
        'ledger',
        'periods',
        own.map(({ owner, day, pulled, state }) => ({
          ...{ source: 'total_chats', grain: 'day', split: 'agent', split_value: owner, state },
          ...{ timezone, day: dateOf(day), pulled_at: pulled },
        })),
      );
      const published = frozen(engine);
      const daysAre = async (asked: Store, from: number, to: number): Promise<void> => {
        const within = own
          .filter(({ day, state }) => state === 'pulled' && day >= from && day <= to)
          .sort((before, after) => before.day - after.day);
        const plain = Map.groupBy(within, ({ owner }) => owner);
        const ask = { account: 'default', timezone, from: dateOf(from), to: dateOf(to) } as Ask;
        const found = await reportCoverage(asked, ask, 'total_chats', { grain: 'day', split: 'agent' });
        expect([...found.keys()].sort()).toEqual([...plain.keys()].sort());
        for (const [owner, days] of found)
          expect(days).toEqual(
            plain.get(owner)?.map(({ day, pulled }) => ({
              ...{ from: beginsAt(day), until: beginsAt(day + 1), pulled: Date.parse(pulled) / 1000 },
            })),
          );
      };
      await daysAre(engine, from, to);
      await daysAre(published, from, to);
      await daysAre(published, 0, 9);
      // What the first has read.
      await daysAre(published, from, to);
    },
  );
  await fc.assert(property, { numRuns: tries(30, 600) });
  await engine.close();
});
