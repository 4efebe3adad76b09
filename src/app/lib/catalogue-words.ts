// The texts of the page Metrics.

export const catalogueWords = {
  title: 'Metrics',
  sentence: 'What each metric means, which numbers it has, what it can be split by, and where it is shown.',
  variables: 'Variables by which chats are split',
  search: 'Search metrics',
  count: (count: number) => (count === 1 ? 'one metric' : `${count} metrics`),
  none: 'No metric matches.',
  version: (version: number | string) => `version ${version}`,
  kinds: {
    A: 'counted from the archived chats',
    R: 'as the account reports it',
    'A+R': 'counted from the archived chats, compared with the account’s report',
    'A+R / R': 'counted from the archived chats, in part as the account reports it',
  } as Record<string, string>,
  measures: 'Numbers',
  in: (unit: string) => (unit === 'share' ? 'a share' : unit === 'score' ? 'from 0 to 1' : `in ${unit}`),
  splits: 'Split by',
  split: (name: string) => name.replaceAll('_', ' '),
  noSplits: 'nothing: it exists for the whole account',
  grains: 'Group by',
  shown: 'Shown on',
  nowhere: 'no page yet; ask the API',
  ask: 'Asked by',
  sql: 'Its receipt with the exact SQL',
};
