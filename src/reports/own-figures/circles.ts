// Whom an agent is compared with: each group that is large enough, and all smaller ones together.
import type { Group } from '#warehouse/read/groups-of-agent.ts';
import { least_colleagues } from './quartiles.ts';

/** Groups whose chats are counted as one, and the colleagues in them. */
export interface Circle {
  groups: readonly Group[];
  colleagues: readonly string[];
}

const circleOf = (login: string, groups: readonly Group[]): Circle => ({
  groups,
  colleagues: [...new Set(groups.flatMap(({ members }) => members))].filter((member) => member !== login).sort(),
});

/**
 * Circles depend on membership alone, never on activity, so they are the same for every question. No two circles share a group, so that
 * no circle is the sum of another one and some group.
 */
export function circlesOf(login: string, groups: readonly Group[]): Circle[] {
  const isLarge = ({ members }: Group): boolean => members.filter((it) => it !== login).length >= least_colleagues;
  const small = groups.filter((group) => !isLarge(group));
  return [
    ...groups.filter(isLarge).map((group) => circleOf(login, [group])),
    ...(small.length > 0 ? [circleOf(login, small)] : []),
  ];
}
