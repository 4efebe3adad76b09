// The same account is the same account, whenever and in whatever pieces it is asked for.
import { describe, expect, it } from 'vitest';
import { type Carry, createWorld } from '../../../../livechat/service/world/world.ts';
import { ZONE, simulated } from './simulated.ts';

const options = { seed: 7, zone: ZONE, firstDay: '2026-01-01' };

describe('the simulated account', () => {
  it('gives the same records for the same seed and first day', () => {
    const world = createWorld(options);
    let carry: Carry | null = null;
    const again = Array.from({ length: 10 }, (_, index) => {
      const step = world.day(index, carry);
      carry = step.carry;
      return step.records;
    });
    expect(JSON.stringify(again)).toBe(JSON.stringify(simulated(7, 10).days));
    expect(JSON.stringify(world.staff)).toBe(JSON.stringify(simulated(7, 10).world.staff));
  });

  it('goes on from a stored carry as if it had never stopped', () => {
    const straight = simulated(7, 10).days;
    let stored = 'null';
    straight.forEach((records, index) => {
      const step = createWorld(options).day(index, JSON.parse(stored) as Carry | null);
      expect(JSON.stringify(step.records)).toBe(JSON.stringify(records));
      stored = JSON.stringify(step.carry);
    });
    expect(stored.length).toBeLessThan(60_000);
  });

  it('does not touch the carry it is given', () => {
    const world = createWorld(options);
    const carry = world.day(1, world.day(0, null).carry).carry;
    const before = JSON.stringify(carry);
    world.day(2, carry);
    expect(JSON.stringify(carry)).toBe(before);
  });

  it('differs from seed to seed', () => {
    expect(simulated(1, 1).chats[0]?.id).not.toBe(simulated(2, 1).chats[0]?.id);
  });

  it('refuses the carry of another day', () => {
    const world = createWorld(options);
    expect(() => world.day(5, world.day(0, null).carry)).toThrow('day 5 needs the carry of day 4');
  });
});
