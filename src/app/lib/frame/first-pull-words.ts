// Texts of the page shown until the first snapshot is published.

export const firstPullWords = {
  title: 'The first pull is running',
  idleTitle: 'Nothing is published yet',
  stoppedTitle: 'The first pull stopped',
  stopped: 'It is tried again by the server’s schedule; what was pulled until then stays.',
  idle: 'No pull is running at the moment. It is started by the server’s schedule, or by hand: npx chatledger pull',
  text: 'Chatledger is fetching the account’s chats and reports. The dashboards open by themselves as soon as there is something to show.',
  progress: (done: string, total: string) => `${done} of ${total} steps`,
  since: (day: string) => `Everything back to ${day} is fetched.`,
  left: (time: string) => `about ${time} left`,
  stages: {
    lists: 'Reading agents, groups, tags and goals',
    newest: 'Fetching the last two weeks, newest first',
    backfill: 'Fetching earlier days',
    changes: 'Looking for late changes',
    done: 'Publishing',
  } as Record<string, string>,
  waiting: 'Waiting for the first answer',
  noScript: 'This page reloads by itself every five seconds.',
};
