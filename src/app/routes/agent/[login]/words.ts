// Words of the page of one agent.

export const words = {
  noAgent: (login: string) => `The account has no agent “${login}”.`,
  unseen: (login: string) => `No agent “${login}” is among those whom you see.`,
  ownSentence: (login: string) => `What ${login} did in the range; all numbers on this page are of this agent only.`,
  yourSentence: 'What you did in the range; all numbers on this page are of you only.',
  teamFailed: (why: string) => `Where the colleagues lie could not be loaded: ${why}`,
  teamElsewhere: 'How you stand beside your colleagues is on Your figures.',
  teamHidden: 'You may not see figures of single agents, so there is no band of the team here.',
  latest: 'Latest chats',
  allChats: 'All chats of this agent',
  allOwnChats: 'All your chats',
};
