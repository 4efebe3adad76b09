// How a question to the archive with too many chats is narrowed: by group, agent and tag, then by what every chat either is or is not.
import type { SeenNames } from '../decode/names.ts';

export const narrowings = ['group', 'agent', 'tag', 'rate', 'queued', 'has_goal', 'has_sale'] as const;
type ArchiveNarrowing = (typeof narrowings)[number];

/** Chats without a group or an agent fit none of their questions; each chat fits one of the others. */
const queries: { [name in ArchiveNarrowing]: (names: SeenNames) => [string, string][] } = {
  group: ({ groups }) => [...groups].map((group) => ['group', group]),
  agent: ({ agents }) => [...agents].map((agent) => ['agent', agent]),
  tag: ({ tags }) => [['tagged', '0'], ...[...tags].map((tag): [string, string] => ['tag[]', tag])],
  rate: () => ['not_rated', 'rated_good', 'rated_bad'].map((rate) => ['rate', rate]),
  queued: () => bothOf('queued'),
  has_goal: () => bothOf('has_goal'),
  has_sale: () => bothOf('has_sale'),
};

const bothOf = (name: string): [string, string][] => [
  [name, '0'],
  [name, '1'],
];

/** Query strings to append to a question's path, one per narrower question. */
export const queriesOf = (by: ArchiveNarrowing, names: SeenNames): string[] =>
  queries[by](names).map(([name, value]) => new URLSearchParams({ [name]: value }).toString());
