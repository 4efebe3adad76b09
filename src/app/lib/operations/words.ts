// Every text of the operations page.

export const operationsWords = {
  title: 'Operations',
  sentence:
    'How the numbers get here: pulls, what failed and what to do about it, kept snapshots, backups, restated figures.',
  now: {
    title: 'Now',
    none: 'No pull is running.',
    never: 'No pull has ended yet.',
    last: (when: string, took: string) => `The last pull ended at ${when} and took ${took}.`,
    lastFailed: (when: string, why: string) => `The last pull stopped at ${when}: ${why}`,
    brought: (fresh: string, changed: string, requests: string) =>
      `It sent ${requests} requests and brought ${fresh} new and ${changed} changed chats.`,
    failed: (count: string) => `Could not be pulled: ${count}, listed below.`,
    progress: (done: string, total: string) => `${done} of ${total}`,
    rate: (rate: string) => `${rate} a second`,
    left: (time: string) => `about ${time} left`,
    stages: {
      lists: 'Reading the account’s lists',
      newest: 'Pulling the newest two weeks',
      backfill: 'Pulling the past',
      changes: 'Looking for late changes',
      done: 'Publishing',
    } as Record<string, string>,
    start: 'Sync now',
    started: 'It will run at once, or after the pull that runs.',
    notStarted: (why: string) => `The pull was not started: ${why}`,
  },
  accounts: {
    title: 'Accounts',
    never: 'not pulled',
    done: (when: string) => `pulled at ${when}`,
    stopped: (when: string, why: string) => `stopped at ${when}: ${why}`,
    cutOff: 'the last pull was cut off; the next one goes on from there',
    failed: (count: string) => `${count} could not be pulled`,
    aside: (count: string) => `${count} records set aside`,
  },
  failed: {
    title: 'What could not be pulled',
    none: 'Nothing: every question was answered and understood.',
    calm: 'None of it needs you: what failed is asked again by itself, with the next pull and then ever more rarely, at least once a day. What was pulled before stays.',
    work: (count: string) =>
      `What needs you stands first: ${count}. The rest is asked again by itself. What was pulled before stays.`,
    states: {
      failed: 'not received',
      not_in_plan: 'not in the plan',
      gone: 'not offered any more',
      quarantined: 'set aside',
    } as Record<string, string>,
    archive: 'chats',
    list: (name: string) => `list of ${name.replaceAll('_', ' ')}`,
    byHour: 'by hour',
    questions: (count: string) => `${count} questions`,
    of: (whose: string) => `of ${whose}`,
    asked: (when: string) => `last asked ${when}`,
    what: 'What',
    why: 'Why',
    toDo: 'What to do',
    more: (count: string) =>
      `${count} more are in ledger.periods: npx chatledger sql "from ledger.periods where error is not null".`,
  },
  quarantined: {
    title: 'Records set aside',
    sentence:
      'Each is kept as received and counted nowhere until it can be read: it is asked again by itself, and npx chatledger rebuild reads it again after an update of this program. Everything else of its day is counted.',
    columns: ['From', 'Record', 'Why', 'Received'],
    others: (count: string) => `and ${count} more`,
    more: (count: string) => `${count} more are in ledger.quarantine.`,
  },
  notices: {
    title: 'Announced ends',
    sentence:
      'The service says when an interface that is pulled here ends. Another source for the same chats: CHATLEDGER_ARCHIVE_SOURCE.',
    columns: ['Asked', 'Says', 'When', 'Seen since'],
  },
  pulls: {
    title: 'Pulls',
    columns: ['Started', 'Took', 'State', 'Requests', 'New chats', 'Changed', 'Unchanged'],
    states: { running: 'running', done: 'done', failed: 'stopped', cut_off: 'cut off' } as Record<string, string>,
    none: 'No pull is recorded yet.',
    inVain: (count: string) => `(${count} in vain)`,
  },
  backups: {
    title: 'Backups',
    off: 'No backups are made by themselves. CHATLEDGER_BACKUP names a folder for them, best on another disk; “npx chatledger backup FOLDER” makes one now.',
    on: (count: string, folder: string) => `Scheduled backups go to ${folder}; the newest ${count} are kept.`,
    none: 'There is none yet: the first is made before the next pull.',
    last: (when: string, folder: string) => `The last verified backup was made at ${when} in ${folder}.`,
    sizes: (bytes: string, written: string, seconds: string) =>
      `It holds ${bytes}, of which ${written} were new, and took ${seconds}.`,
    encrypted: 'It is encrypted.',
    plain: 'It is not encrypted.',
    late: 'Two scheduled backups were missed since then: only “npx chatledger start” makes them.',
    failed: (when: string, why: string) => `No backup was made at ${when}: ${why}`,
  },
  snapshots: {
    title: 'Kept snapshots',
    sentence: 'The numbers as they were known at each of these times.',
    sizes: (used: string, space: string) =>
      `They take ${used} of ${space}, each what newer ones do not hold too; the oldest go first.`,
    lost: (count: string, first: string, last: string) =>
      `There was no room for ${count} more, published from ${first} to ${last}: questions about what was known then are answered from an earlier snapshot. CHATLEDGER_SNAPSHOT_SPACE makes room for more from now on.`,
    lostPins: (reasons: string, more: string | 0) =>
      `Some of them were still needed: ${reasons}${more ? ` and ${more} more` : ''}. What was made from them cannot be made again, and its figures cannot be traced.`,
    columns: ['Published', 'Size', 'Kept because'],
    current: 'it is served now',
    download: 'Download the newest',
    more: (count: string) => `${count} older`,
  },
  restatements: {
    title: 'Restated figures',
    sentence:
      'Numbers of past periods that differ now from those in an earlier snapshot, and the chats that changed them.',
    since: 'Since the snapshot of',
    choose: 'Choose one',
    noScript: 'Choose a snapshot, and its numbers are compared with the newest.',
    show: 'Show',
    none: 'No number of a past period changed between these two snapshots.',
    noneWhole:
      'Nothing to compare with yet: the earlier snapshots of the last seven days were made while the past was still being pulled, so their figures differ only by what was missing. Choose one above to compare with it all the same.',
    account: 'the account',
    one: 'There is only one snapshot yet; restatements show from the second on.',
    columns: ['Period', 'Metric', 'Whose', 'Measure', 'Was', 'Is', 'Because of'],
    more: (count: string) => `and ${count} more chats`,
    rest: (count: string) => `${count} more restated numbers: GET /api/restatements lists all.`,
    what: {
      new: 'came late',
      gone: 'gone at the source',
      times: 'other times',
      rating: 'rated late',
      tags: 'tagged',
      goals: 'goal or sale',
      messages: 'other messages',
      agents: 'other agents',
      groups: 'other group',
      queue: 'other wait',
      engagement: 'other engagement',
      visitor: 'other visitor',
      other: 'otherwise',
    } as Record<string, string>,
  },
  failedToLoad: 'The server did not answer this part. Reload the page to try again.',
};
