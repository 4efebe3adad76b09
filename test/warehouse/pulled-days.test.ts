// From which day on an account is whole: what plain loops over its pulled days find, whatever order they came in.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unbrokenSince } from '#warehouse/read/pulled-days.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { tries } from '../chance.ts';
import { insert } from './account.ts';

const dayOf = (number: number): string => new Date((20_000 + number) * 86_400_000).toISOString().slice(0, 10);

/** Of each kind of source the beginning of its last run of days; the later of them. */
function looped(kinds: readonly ReadonlySet<number>[]): string | undefined {
  const begins = kinds.flatMap((days) => {
    let first = Math.max(...days);
    while (days.has(first - 1)) first -= 1;
    return days.size > 0 ? [first] : [];
  });
  return begins.length > 0 ? dayOf(Math.max(...begins)) : undefined;
}

const today = (20_000 + 15) * 86_400 + 3600;

const days = fc.uniqueArray(fc.integer({ min: 0, max: 12 }));

it('it is the first day after the last gap, of chats or of reports', async () => {
  const engine = await openWarehouse(':memory:');
  const property = fc.asyncProperty(days, days, days, days, async (archive, one, other, second) => {
    await engine.exec('delete from ledger.periods');
    const own = { grain: 'day', split: 'account', state: 'pulled' };
    const rows = [
      ...archive.map((day) => ({ ...own, source: 'archive', day, state: day % 3 === 0 ? 'failed' : 'pulled' })),
      ...one.map((day) => ({ ...own, source: 'total_chats', day })),
      ...other.map((day) => ({ ...own, source: 'chat_ratings', day })),
      ...second.map((day) => ({ ...own, account: 'second', source: 'archive', day })),
      // What a clock that ran ahead asked for.
      ...[17, 18, 30].map((day) => ({ ...own, source: 'archive', day })),
      // What says nothing about days: lists, parts of the account, hours, chats that are only compared.
      { ...own, source: 'account.tags', day: 20 },
      { ...own, source: 'archive_v3', day: 20 },
      { ...own, source: 'total_chats', split: 'group', day: 20 },
      { ...own, source: 'total_chats', grain: 'hour', day: 20 },
    ];
    await insert(
      engine,
      'ledger',
      'periods',
      rows.map((row) => ({ ...row, day: dayOf(row.day) })),
    );
    const found = await unbrokenSince(engine, today);
    expect(found.get('default')).toBe(looped([new Set(archive), new Set([...one, ...other])]));
    expect(found.get('second')).toBe(looped([new Set(second)]));
  });
  await fc.assert(property, { numRuns: tries(20, 400) });
  await engine.close();
});
