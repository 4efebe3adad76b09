// Counts of tags against a loop over all chats, whatever is added and changed while the clock goes on, or is set back.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTagCounts, type Tagged } from '#service/tag-counts.ts';
import { tries } from '../../chance.ts';

const instant = fc.nat(20);
const tags = fc.array(fc.record({ at: instant, tag: fc.constantFrom('a', 'b', 'c') }), { maxLength: 3 });
const step = fc.oneof(
  fc.record({ do: fc.constant('put' as const), number: fc.nat(5), from: instant, tags }),
  fc.record({ do: fc.constant('ask' as const), by: fc.integer({ min: -3, max: 4 }) }),
);

function looped(all: Iterable<Tagged>, now: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { from, tags: own } of all)
    for (const tag of ['a', 'b', 'c'])
      if (from <= now && own.some((each) => each.tag === tag && each.at <= now))
        counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}

const without0 = (counts: ReadonlyMap<string, number>) => [...counts].filter(([, number]) => number !== 0).sort();

it('tags are counted as by a loop over all', () => {
  fc.assert(
    fc.property(instant, fc.array(step, { maxLength: 40 }), (start, steps) => {
      const counts = createTagCounts(start);
      const all = new Map<number, Tagged>();
      let now = start;
      for (const each of steps) {
        if (each.do === 'put') {
          const tagged = { number: each.number, from: each.from, tags: each.tags };
          const had = all.get(each.number);
          if (had) counts.replace(had, tagged);
          else counts.add(tagged);
          all.set(each.number, tagged);
        } else {
          now += each.by;
          expect(without0(counts.at(now, () => all.values()))).toEqual(without0(looped(all.values(), now)));
        }
      }
    }),
    { numRuns: tries(300, 10000) },
  );
});
