// What changed adds up: the listed parts, the others and what is in several of them are the whole change.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contributionsOf } from '#digests/change.ts';

const counts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', ''), fc.nat(50));

it('whatever the parts, and however they overlap', () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(99), fc.nat(99), (now, before, is, was) => {
      const of = (some: Record<string, number>) => new Map(Object.entries(some));
      const { listed, others, rest, overlap } = contributionsOf(
        'group',
        of(now),
        of(before),
        { is, was },
        (key) => key,
      );
      expect(listed.reduce((sum, { change }) => sum + change, rest + overlap)).toBe(is - was);
      expect(listed.length).toBeLessThanOrEqual(3);
      expect(listed.every(({ change }) => change !== 0)).toBe(true);
      if (others === 0) expect(rest).toBe(0);
    }),
  );
});
