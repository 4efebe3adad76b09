// Texts of the pages about agents; separate from the dashboards' texts, which load on every page.

export const peopleWords = {
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
  noAgent: (login: string) => `The account has no agent “${login}”.`,
  noAgents: 'The account has no agents yet.',
  ownSentence: (login: string) => `What ${login} did in the range; all numbers on this page are of this agent only.`,
  yourSentence: 'What you did in the range; all numbers on this page are of you only.',
  teamFailed: (why: string) => `Where the colleagues lie could not be loaded: ${why}`,
  teamElsewhere: 'How you stand beside your colleagues is on Your figures.',
  teamHidden: 'You may not see figures of single agents, so there is no band of the team here.',
  latest: 'Latest chats',
  allChats: 'All chats of this agent',
  allOwnChats: 'All your chats',
};
