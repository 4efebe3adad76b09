// Texts of the page shown until the first snapshot is published.

export const firstPullWords = {
  title: 'The first pull is running',
  idleTitle: 'Nothing is published yet',
  stoppedTitle: 'The first pull stopped',
  stopped: 'It is tried again by the server’s schedule; what was pulled until then stays.',
  idle: 'No pull is running at the moment. It is started by the server’s schedule, or by hand: npx chatledger pull',
  text: (name: string) =>
    `${name} is pulling the account’s chats and reports, the newest first. The dashboards open by themselves once the newest days are there, long before the rest.`,
  progress: (done: string, total: string) => `${done} of ${total} steps`,
  left: (time: string) => `about ${time} left for all of it`,
  stages: {
    lists: 'Reading agents, groups, tags and goals',
    newest: 'Pulling the newest two weeks',
    backfill: 'Pulling the past',
    changes: 'Looking for late changes',
    done: 'Publishing',
  } as Record<string, string>,
  waiting: 'Waiting for the first answer',
  noScript: 'This page reloads every five seconds.',
};
