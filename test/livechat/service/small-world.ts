// The simulated account with a few of its agents and groups, because every report asks for each of them by itself, and with
// a third of its chats: what is tested with it is how they are pulled, and not how many.
import type { WorldMaker } from '#service/growth.ts';
import { createWorld } from '#service/world/world.ts';

const every = 3;

export const smallWorld: WorldMaker = (about) => {
  const world = createWorld(about);
  const { agents, groups } = world.staff;
  const staff = { ...world.staff, agents: agents.slice(0, 3), groups: groups.slice(0, 3) };
  return {
    ...world,
    staff,
    day(...asked: Parameters<typeof world.day>) {
      const { records, ...rest } = world.day(...asked);
      return { ...rest, records: { ...records, chats: records.chats.filter((_, index) => index % every === 0) } };
    },
  } as ReturnType<WorldMaker>;
};
