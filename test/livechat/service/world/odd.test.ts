// What visitors type that attacks pages and files is said in the hostile account only, and in that one it is.
import { expect, test } from 'vitest';
import { createWorld, type Carry } from '#service/world/world.ts';
import { HOSTILE_SEED } from '#service/world/odd.ts';

/** Everything that is said, and who says it, on the first ten days. */
function said(seed: number): string {
  const world = createWorld({ seed, zone: 'UTC', firstDay: '2026-05-01' });
  const days: unknown[] = [];
  let carry: Carry | null = null;
  for (let index = 0; index < 10; index++) {
    const day = world.day(index, carry);
    days.push(day.records.chats.map(({ events, visitor }) => ({ events, visitor })));
    carry = day.carry;
  }
  return JSON.stringify(days);
}

test('markup, formulas and turned text are typed in the hostile account only', () => {
  const attacks = /<script>|<img |<b>|=(?:SUM|HYPERLINK)\(|\u202e|DROP TABLE/g;
  for (const seed of [1, 2]) expect(said(seed).match(attacks)).toBeNull();
  expect(new Set(said(HOSTILE_SEED).match(attacks)).size).toBeGreaterThan(3);
});
