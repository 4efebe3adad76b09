// The rights, and which role has which: the single table that pages, API and command line read.

export const rightNames = [
  'numbers:read', // figures, pages, exports and documents
  'agents:read', // figures of agents by name
  'chats:read', // conversations, searches in them and the chats behind a figure
  'names:read', // what says who a visitor is, and what was written
  'files', // the published file, whole
  'annotations:write', // notes on days and boards, for everybody
  'targets:write', // targets and goals for periods, for everybody
  'digests:write', // what digests hold and who gets them
  'pulls:write', // starting a pull, and how pulls went
  'people:write', // users, what they may see, and their tokens
  'audit:read', // who did and who read what
  'settings:write', // settings of the program, and all of their values but secrets
  'erase', // erasing a visitor for ever
] as const;

export type Right = (typeof rightNames)[number];

const viewing: readonly Right[] = ['numbers:read'];

/** Own figures and own chats: an agent's row rule is their login. */
const agent: readonly Right[] = [...viewing, 'agents:read', 'chats:read', 'names:read'];

export const roles = {
  agent,
  viewer: viewing,
  manager: [
    ...viewing,
    ...(['agents:read', 'chats:read', 'names:read', 'annotations:write', 'targets:write', 'digests:write'] as const),
  ],
  analyst: [...viewing, 'agents:read', 'chats:read', 'names:read', 'files'],
  admin: rightNames,
} as const satisfies Record<string, readonly Right[]>;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as [Role, ...Role[]];

/** Rights that can be granted beyond a role. A conversation names its agents. */
export const grantable = [
  'agents:read',
  'chats:read',
  'names:read',
  'annotations:write',
  'targets:write',
  'audit:read',
] as const satisfies Right[];

/** Rights that have no effect without another one. */
export const requires: Partial<Record<Right, Right>> = {
  'chats:read': 'agents:read',
  'names:read': 'chats:read',
  files: 'names:read',
  'digests:write': 'names:read',
  'audit:read': 'agents:read',
};

export const rightsOf = (role: Role, extra: readonly Right[] = []): ReadonlySet<Right> =>
  new Set([...roles[role], ...extra]);

/** Of the additionally granted rights, those that have an effect together with a role. */
export function supported<One extends Right>(role: Role, extra: readonly One[]): One[] {
  const all = rightsOf(role, extra);
  const kept = extra.filter((right) => {
    const needed = requires[right];
    return needed === undefined || all.has(needed);
  });
  return kept.length === extra.length ? kept : supported(role, kept);
}
