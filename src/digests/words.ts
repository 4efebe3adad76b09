// What digests say, in documents and mails, in one place for translation.

const plural = { group: 'groups', agent: 'agents', tag: 'tags' } as const;
export type BySplit = keyof typeof plural;

const many = (metrics: number): string => (metrics === 1 ? '1 metric' : `${metrics} metrics`);

export const words = {
  for: (reader: string) => `for ${reader}`,
  keyFigures: 'Key figures',
  whatChanged: 'What truly changed',
  chatsBy: 'Where the change of chats came from',
  restatedTitle: 'Restated since the last report',
  tables: 'The numbers in tables',
  definitions: 'What the numbers mean',
  attached: 'All numbers are in the tables that come with this document.',
  table: 'Numbers on page',
  rest: (count: number) => `${count} more rows are in the CSV and Excel files of this panel.`,
  star: 'Numbers with a star may still change: their period is open or settling.',
  zone: 'Time zone',
  filters: 'Filters',
  everything: 'all chats',
  freshness: 'As of',
  snapshot: 'Snapshot',
  simulated: 'simulated data',
  settles: 'Settles',
  versions: 'Definitions',
  version: (version: number) => `version ${version}`,
  settling: (day: string) => `may still change until ${day} (late ratings, tags and sales)`,
  settled: 'complete: late changes are no longer expected',
  unpulled: 'not yet: some of it has not been pulled',
  allVersions: (count: number) => `${many(count)}, listed with versions on the last pages`,
  versionsElsewhere: (count: number) => `${many(count)}, described on the page Metrics`,
  notCompared: 'No comparison is chosen.',
  noChange: 'There is nothing before this period to compare with.',
  noKeyFigures: 'There are no key figures here whose change could be judged.',
  notPulledBefore: 'There are too few days before this period to compare it with.',
  nothingYet: 'There is no number in this period.',
  notPulled: 'Not all of this period has been pulled from this account.',
  nothing: (reason: string) => `Not given: ${reason}`,
  boardGone: 'A board that this document was to show is not there any more.',
  query: {
    title: 'Saved queries',
    left: {
      no_sql: 'Left out of this document: this program answers no SQL.',
      reader_refused:
        'This is a saved query: it is shown to those who may run SQL and see every account, agent and name.',
      no_owner: 'Left out of this document: a saved query runs as the owner of the digest, and the digest has none.',
      not_agreed:
        'Left out of this document: somebody who may not run SQL has changed what goes to whom in this digest. An admin has to save it again.',
      owner_gone:
        'Left out of this document: a saved query runs as the owner of the digest, who is not a user any more.',
      owner_refused:
        'Left out of this document: a saved query runs as the owner of the digest, who may not run SQL or does not see every account, agent and name.',
      narrowed:
        'Left out of this document: its reader does not see every account, agent and name, and a saved query is not narrowed to what a reader may see.',
      query_gone:
        'Left out of this document: this query was deleted, or is not shared any more with those who do not own it.',
      busy: 'The query was not run: too many others ran or waited.',
      late: 'The query was not run: those before it in this document took more than five minutes.',
    },
    most: (rows: string) => `Only the first ${rows} rows were read, the limit of whoever it runs as.`,
    cut: (rows: string, count: number) =>
      count === 1 ? 'One more row has no room in this document.' : `${rows} more rows have no room in this document.`,
    rows: (rows: string, count: number) => (count === 1 ? 'one row, in the files' : `${rows} rows, in the files`),
    rowsOrMore: (rows: string) => `more than ${rows} rows, of which the files have these`,
    rest: (rows: string, count: number) =>
      count === 1
        ? 'One more row is in the CSV and Excel files of this query.'
        : `${rows} more rows are in the CSV and Excel files of this query.`,
    columns: (names: string, count: number) =>
      `${count === 1 ? 'One more column is' : `${count} more columns are`} in the CSV and Excel files: ${names}`,
    notShort: (count: number) =>
      count === 1
        ? 'A saved query has no place in a document of two pages: its rows are in the CSV and Excel files.'
        : `${count} saved queries have no place in a document of two pages: their rows are in the CSV and Excel files.`,
    notGiven: 'not given',
  },
  filter: {
    group: (names: string) => `group ${names}`,
    agent: (names: string) => `agent ${names}`,
    tag: (names: string) => `tag ${names}`,
    variable: (title: string, values: string) => `${title} ${values}`,
    reader: (names: string) => `limited to group ${names}`,
    own: (name: string) => `limited to chats of ${name}`,
  },
  hours: {
    in: (hours: string) => `response times, waits and service level in business hours (${hours})`,
    none: 'none are set',
    before: (day: string) => `other hours before ${day}`,
    ofGroups: (names: string) => `group ${names} has its own`,
    ofSeveral: (names: string) => `groups ${names} have their own`,
  },
  change: {
    none: (than: string) => `Nothing changed clearly against ${than}: differences this small come by chance.`,
    clear: (title: string, is: string, change: string) => `${title}: ${is}, ${change}.`,
    clearOfFinalDays: (title: string, is: string, change: string) => `${title}: ${is}; ${change}.`,
    others: (count: number, by: BySplit) => (count === 1 ? `1 other ${by}` : `${count} other ${plural[by]}`),
    overlap: (by: BySplit) => `counted in several ${plural[by]} or in none`,
    part: 'Part',
    chats: 'chats',
    whole_row: 'the whole change',
  },
  agents: {
    title: 'Agents',
    agent: 'Agent',
    team: 'The whole team',
    numbers: 'Each agent',
    sales: 'Sales of each agent',
    expected: 'Compared with what was expected',
    nobody: 'The account has no agents yet.',
    compared: (than: string) => `Below each number, in grey: ${than}.`,
    ofTeam:
      'The line of the whole team counts a chat once, and each agent’s line counts it for that agent. Scores, hours and concurrent chats are of single agents only. Sales are listed of those who sold.',
    clear:
      '▲ and ▼ mark a clear change: of chats, CSAT, first response and response, of ten cases or more, beyond what chance explains at 95%. One unchanged number in twenty is marked by chance. All other differences are not clear, or nobody can say.',
    toldFrom: (chats: number) =>
      `Figures of single agents are shown from ${chats} chats on. “Withheld” are those from which the others could be worked out.`,
  },
  stamp: {
    early: 'A report about this period went out before it was over: this one takes its place.',
    late: (due: string) => `This report was due at ${due} and is late: the machine did not run then.`,
    refused: (why: string) => `Numbers are not given: ${why}`,
    missing: (days: string) => `Numbers are missing: ${days} not pulled.`,
    open: (period: string) => `${period} is not over in the snapshot: its numbers are not whole.`,
    old: (hours: string, most: string) => `The last pull was ${hours} h before this report; the limit is ${most} h.`,
    neverPulled: 'No pull has been finished yet.',
    unexplained: (count: number) =>
      count === 1
        ? 'One number of the period differs from the account’s own report without a known reason.'
        : `${count} numbers of the period differ from the account’s own reports without a known reason.`,
  },
  mail: {
    why: 'Why',
    test: (title: string) => `Test: ${title}`,
    check: {
      subject: 'Test: mail from Chatledger works',
      text: 'An admin of Chatledger has sent this mail to try its mail server. Nothing needs to be done.\n',
    },
    part: (at: number, count: number) => `mail ${at} of ${count}`,
    noMore: 'Get no more of this report',
    unsubscribe: (where: string) => `To get no more of this report: ${where}`,
  },
  notice: {
    subject: {
      held: (title: string, period: string) => `${title}, ${period}: held`,
      failed: (title: string, period: string) => `${title}, ${period}: not delivered`,
      unknown: (title: string, period: string) => `${title}, ${period}: unknown whether it arrived`,
    },
    intro: {
      held: (title: string, period: string) => `The report “${title}” about ${period} is held:`,
      failed: (title: string, period: string) => `The report “${title}” about ${period} did not reach:`,
      unknown: (title: string, period: string) =>
        `Nobody can know whether the report “${title}” about ${period} reached:`,
    },
    what: {
      held: (digest: string) =>
        `It goes out by itself once nothing speaks against it. To send it now, stamped: page Scheduled reports, ${digest}, “Send again”.`,
      failed: (digest: string) =>
        `It is not tried again by itself. When the cause is gone: page Scheduled reports, ${digest}, “Send again”.`,
      unknown: (digest: string) =>
        `It is not sent again by itself. Ask whether it arrived; if not: page Scheduled reports, ${digest}, “Send again”.`,
    },
    more: (count: number) => `- and ${count} more`,
    once: 'You are told of this once; the page Scheduled reports always says how it stands.',
  },
  restated: {
    sentence: (name: string, was: string, is: string, difference: string) =>
      `${name}: was ${was}, is ${is} (${difference})`,
    because: (reasons: string) => `because of ${reasons}`,
    unknown: 'no changed chat explains it: the account’s reports changed',
    more: (count: number) => (count === 1 ? 'One more figure was restated.' : `${count} more figures were restated.`),
    intro: (period: string) => `The report about ${period} said something else:`,
  },
} as const;

/** Kinds of changes of chats in words. */
export const changeWords: Readonly<Record<string, string>> = {
  new: 'new chats',
  gone: 'removed chats',
  times: 'changed times',
  rating: 'changed ratings',
  tags: 'changed tags',
  goals: 'late goals or sales',
  messages: 'changed messages',
  agents: 'changed agents',
  groups: 'changed groups',
  queue: 'changed queue times',
  engagement: 'changed beginnings',
  visitor: 'changed visitors',
  other: 'other changes',
};
