// The simulated account with a few of its agents and groups: every report asks for each of them by itself.
import type { WorldMaker } from '#service/growth.ts';
import { createWorld } from '#service/world/world.ts';

export const smallWorld: WorldMaker = (about) => {
  const world = createWorld(about);
  const { agents, groups } = world.staff;
  const staff = { ...world.staff, agents: agents.slice(0, 3), groups: groups.slice(0, 3) };
  return { ...world, staff } as ReturnType<WorldMaker>;
};
