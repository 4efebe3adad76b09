// Texts of the page that shows accounts beside each other.
export const accountsWords = {
  title: 'Accounts',
  account: 'Account',
  sentence:
    'What each account did in the range. Every number opens that account’s page; medians and shares of all accounts are of all their chats.',
  before: 'before:',
  below: (days: string) => `Below each number: ${days}.`,
  zones: (zones: string[], zone: string) => `The accounts are in ${zones.join(', ')}: days are those of ${zone}.`,
  files: [
    { kind: 'csv', name: 'CSV' },
    { kind: 'xlsx', name: 'Excel' },
  ] as const,
  takeAway: 'All accounts and columns as a file, each beside what it is compared with',
  which: 'Which accounts',
  some: (chosen: number, all: number) => (chosen === all ? 'All accounts' : `${chosen} of ${all} accounts`),
  show: 'Show these',
  pull: 'Last pull',
  pulls: {
    never: 'not pulled yet',
    done: (when: string) => when,
    failed: (when: string) => `failed ${when}`,
    cut_off: 'cut off',
    running: 'running',
  },
};
