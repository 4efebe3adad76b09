// What somebody may do, and which role may do it: the one table that pages, API and command line read.

/** Each right, as the page People explains it. */
export const rights = {
  'numbers:read': 'figures, pages, exports and documents',
  'agents:read': 'figures of agents by name',
  'chats:read': 'conversations, searches in them and the chats behind a figure',
  'names:read': 'what says who a visitor is, and what was written',
  files: 'the published file, whole',
  'annotations:write': 'notes on days, for everybody',
  'digests:write': 'digests: what they hold and who gets them',
  'pulls:write': 'starting a pull, and how pulls went',
  'people:write': 'users, what they may see, and their tokens',
} as const;

export type Right = keyof typeof rights;
export const rightNames = Object.keys(rights) as Right[];

const viewing: readonly Right[] = ['numbers:read'];

/** Own figures and own chats: an agent's row rule is their login. */
const agent: readonly Right[] = [...viewing, 'agents:read', 'chats:read', 'names:read'];

export const roles = {
  agent,
  viewer: viewing,
  manager: [...viewing, 'agents:read', 'chats:read', 'names:read', 'annotations:write', 'digests:write'],
  analyst: [...viewing, 'agents:read', 'chats:read', 'names:read', 'files'],
  admin: rightNames,
} as const satisfies Record<string, readonly Right[]>;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as [Role, ...Role[]];

/** What may be given to somebody whose role does not have it. A conversation names its agents. */
export const givable = ['agents:read', 'chats:read', 'names:read', 'annotations:write'] as const satisfies Right[];
export type Givable = (typeof givable)[number];

/** What a right is worth nothing without. */
export const requires: Partial<Record<Right, Right>> = {
  'chats:read': 'agents:read',
  'names:read': 'chats:read',
  files: 'names:read',
  'digests:write': 'names:read',
};

export const rightsOf = (role: Role, given: readonly Right[] = []): ReadonlySet<Right> =>
  new Set([...roles[role], ...given]);
