// The simulated account with a few of its agents and groups: every report asks for each of them by itself.
import type { WorldMaker } from '#service/growth.ts';
import { createWorld, type Carry } from '#service/world/world.ts';

export const smallWorld: WorldMaker = (about) => {
  const world = createWorld(about);
  const { agents, groups } = world.staff;
  const staff = { ...world.staff, agents: agents.slice(0, 3), groups: groups.slice(0, 3) };
  // All agents of the simulation go on working: only what is listed is small.
  return { staff, day: (index, carry) => world.day(index, carry as Carry | null) };
};
