// The simulated account with a few of its agents and groups: every report asks for each of them by itself.
import type { WorldMaker } from '#service/growth.ts';
import type { DayRecords } from '#service/records.ts';
import { createWorld, type Carry } from '#service/world/world.ts';
import { isWhole } from '../../chance.ts';

export const smallWorld: WorldMaker = (about) => {
  const world = createWorld(about);
  const { agents, groups } = world.staff;
  const staff = { ...world.staff, agents: agents.slice(0, 3), groups: groups.slice(0, 3) };
  // All agents of the simulation go on working: only what is listed is small.
  return { staff, day: (index, carry) => world.day(index, carry as Carry | null) };
};

/** With every third of its visitors and all their chats, for what is pulled, made again and compared many times; with the drill with all. */
export const thirdOfSmallWorld: WorldMaker = (about) => {
  const world = smallWorld(about);
  if (isWhole) return world;
  return {
    ...world,
    day(index, carry, agents) {
      const day = world.day(index, carry, agents);
      return { ...day, records: withThirdOfVisitors(day.records) };
    },
  };
};

function withThirdOfVisitors(records: DayRecords): DayRecords {
  const chats = records.chats.filter(({ visitor: { id } }) => Number.parseInt(id.slice(-6), 16) % 3 === 0);
  const left = new Set(chats.map(({ id }) => id));
  const displays = records.displays.filter(({ chat_id }) => chat_id === null || left.has(chat_id));
  return { ...records, chats, displays };
}
