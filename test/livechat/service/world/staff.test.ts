// Agents whom the account removes or makes: the simulation of later days knows them, and without a change it is the same as before.
import { describe, expect, it } from 'vitest';
import { createWorld, type Carry } from '#service/world/world.ts';

const about = { seed: 5, zone: 'Europe/Warsaw', firstDay: '2026-03-02' };
const world = createWorld(about);
const { agents } = world.staff;

function daysWith(staff: typeof agents, from: number, to: number, carry: Carry | null) {
  let last = carry;
  return Array.from({ length: to - from }, (_, place) => {
    const made = world.day(from + place, last, staff);
    last = made.carry;
    return { ...made.records, carry: made.carry };
  });
}
const taking = (day: ReturnType<typeof daysWith>[number]): Set<string> =>
  new Set([
    ...day.chats.flatMap((chat) => [...chat.agents, ...chat.supervisors].map(({ email }) => email)),
    ...day.statuses.map(({ agent }) => agent),
    ...day.tickets.flatMap(({ assignee }) => assignee ?? []),
  ]);

describe('the agents of a simulated day', () => {
  it('are those of the account at that time', () => {
    const before = daysWith(agents, 0, 2, null);
    const gone = agents[4]!;
    const fresh = { ...gone, login: 'new@velora.example', name: 'New Agent', groups: [2] };
    const staff = [...agents.filter((agent) => agent !== gone), fresh];
    const after = daysWith(staff, 2, 9, before.at(-1)!.carry);
    const seen = new Set(after.flatMap((day) => [...taking(day)]));
    expect(seen.has(gone.login)).toBe(false);
    expect(seen.has(fresh.login)).toBe(true);
    expect(after.some((day) => day.chats.some((chat) => chat.agents[0]?.display_name === 'New Agent'))).toBe(true);
    // Who comes back is the same agent as before, with the same shifts.
    const again = daysWith([...staff, gone], 9, 14, after.at(-1)!.carry);
    expect(again.some((day) => taking(day).has(gone.login))).toBe(true);
    expect(again.at(-1)!.carry.hired).toEqual([fresh.login]);
  });
  it('change nothing while they are those of the beginning, whoever owns the account', () => {
    const owner = { ...agents[0]!, login: 'owner@example.com', permission: 'owner' as const };
    const asked = [owner, ...agents.map((agent) => ({ ...agent, permission: 'normal' as const }))];
    expect(daysWith(asked, 0, 3, null)).toEqual(daysWith(agents, 0, 3, null));
  });
  it('may all be gone', () => {
    const alone = daysWith([], 0, 3, null);
    expect(alone.flatMap(({ chats }) => chats)).toEqual([]);
    expect(alone.flatMap(({ statuses }) => statuses)).toEqual([]);
  });
});
