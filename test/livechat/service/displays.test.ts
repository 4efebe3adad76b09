// Greetings that were shown come back as they were put, whatever the ids of their chats are.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDisplays } from '#service/displays.ts';
import type { GreetingDisplay } from '#service/records.ts';
import { tries } from '../../chance.ts';

const chat_id = fc.constantFrom(
  null,
  '0000000000',
  'ZZZZZZZZZZ',
  'A1',
  'abcdefghij',
  'CHAT000001',
  '__proto__',
  '',
  'CHAT0000012',
);
const display = fc.record({ at: fc.nat(20), greeting: fc.nat(2), group: fc.nat(2), chat_id });
const sorted = (all: Iterable<GreetingDisplay>) =>
  [...all].map((one) => JSON.stringify(Object.entries(one).sort())).sort();

it('between two instants are those of a loop, each with the id of its chat', () => {
  fc.assert(
    fc.property(fc.array(display, { maxLength: 12 }), fc.nat(20), fc.nat(20), (all, from, to) => {
      const displays = createDisplays();
      for (const one of all) displays.put(one);
      expect(sorted(displays.between(from, to))).toEqual(sorted(all.filter(({ at }) => at >= from && at <= to)));
      expect(displays.earliest()).toBe(Math.min(...all.map(({ at }) => at)));
    }),
    { numRuns: tries(300, 3000) },
  );
});
