// The groups, agents and tags that the chats of an archive mention.

/** Groups (ids as text), agents (logins) and tags that chats can name. */
export interface SeenNames {
  groups: Set<string>;
  agents: Set<string>;
  tags: Set<string>;
}

export const noNames = (): SeenNames => ({ groups: new Set(), agents: new Set(), tags: new Set() });

/** Adds the new names of `more`. */
export function addNames(to: SeenNames, more: SeenNames): void {
  for (const kind of ['groups', 'agents', 'tags'] as const) for (const name of more[kind]) to[kind].add(name);
}
