// Of which reports the hours of each agent are pulled, and in which accounts: each agent and day is a request.

export const hoursOfAgents: { sources: readonly string[]; most_agents: number } = {
  /** Their hours contain more than those of the account: how many agents were available at once. */
  sources: ['availability'],
  most_agents: 25,
};
