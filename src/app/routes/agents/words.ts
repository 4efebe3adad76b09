// Words of the page of all agents.

export const words = {
  agents: 'Agents',
  agent: 'Agent',
  sentence:
    'What each agent did in the range. Every number opens where it comes from; a name opens the agent’s own page.',
  sentenceFrom: (chats: number) =>
    `What each agent did in the range, by name. Figures of single agents are shown from ${chats} chats on, and nobody is ranked.`,
  trend: 'Chats over time',
  before: 'before:',
  below: (days: string) => `Below each number: ${days}.`,
  name: 'Name of an agent',
  columns: 'Columns',
  show: 'Show these',
  choose: 'Which agents and columns',
  count: (shown: number, all: number) =>
    shown === all ? (all === 1 ? 'one agent' : `${all} agents`) : `${shown} of ${all} agents`,
  takeAway: 'All agents and columns as a file, each beside what it is compared with',
  files: [
    { kind: 'csv', name: 'CSV' },
    { kind: 'xlsx', name: 'Excel' },
    { kind: 'pdf', name: 'PDF' },
  ] as const,
  noMatch: 'No agent has such a name.',
  noAgents: 'The account has no agents yet.',
};
