// The texts of the page of targets and goals for periods.
import type { Target } from '#api/contract/targets.ts';
import type { GoalKind, PeriodGoal } from '#api/contract/period-goals.ts';

type Standing = PeriodGoal['pace']['standing'];

export const targetWords = {
  unread: (asked: string) =>
    `The address asks for something that is not here (${asked}), and nothing in it narrows this page: it shows targets of all groups, over the last four weeks.`,
  title: 'Targets',
  sentence:
    'What is wanted of each day, and what is to be reached in a period. A day is judged by the target that was in force on it.',
  everybody: 'All chats',
  save: 'Save',
  cancel: 'Cancel',
  change: 'Change',
  remove: 'Remove',
  whose: 'Group',
  what: 'What',
  percent: { least: 'At least, in %', most: 'At most, in %' },
  seconds: 'Within seconds',
  setBy: (who: string, day: string) => `set by ${who} on ${day}`,
  kinds: {
    chats: 'Chats',
    first_response: 'First response',
    service_level: 'Service level',
    satisfaction: 'Satisfaction (CSAT)',
    abandonment: 'Abandonment',
  } satisfies Record<GoalKind, string>,
  hints: {
    first_response: 'Share of chats whose first answer came within so many seconds.',
    service_level: 'Share of those who entered a chat from the queue within so many seconds.',
    satisfaction: 'Good ratings as a share of all ratings.',
    abandonment: 'Queued visitors who left, as a share of all queued.',
  } satisfies Record<Target['kind'], string>,
  within: (title: string, time: string) => `${title}, within ${time}`,
  days: {
    title: 'Targets for days',
    add: 'Set a target',
    empty:
      'No target is set. With one, its chart shows a line, days that missed it are marked, and tiles, scheduled reports and files say on how many days it was met.',
    emptyOfPart:
      'No target is set that you may see: a target of the account or of a group is shown to those who see all of its chats.',
    failed: 'Which days met the targets could not be loaded.',
    ask: 'Somebody who may set targets can add one.',
    from: 'Valid from',
    fromHint: 'Days before keep the target that they had.',
    wanted: (isMost: boolean, share: string) => `${isMost ? 'at most' : 'at least'} ${share}`,
    since: (day: string) => `since ${day}`,
    later: (share: string, day: string) => `${share} from ${day} on`,
    ended: (day: string) => `no target from ${day} on`,
    lately: 'last 4 weeks',
    see: 'See the days',
    end: 'End from today on',
    history: (count: number) => (count === 1 ? 'History: one entry' : `History: ${count} entries`),
    sure: (what: string) => `Remove the entry “${what}”, as if it had never been set? Its days are then judged again.`,
    strip: { met: 'met', missed: 'missed', too_few: 'too few', open: 'not over', unknown: 'not known' },
  },
  goals: {
    title: 'Goals for periods',
    add: 'Set a goal',
    empty:
      'No goal is set. With one, such as 1,500 chats or a CSAT of 90% this quarter, this page says whether you are on pace, by your own rhythm of the week, and what is still needed.',
    emptyOfPart:
      'No goal is set that you may see: a goal of the account or of a group is shown to those who see all of its chats.',
    period: 'Period',
    periods: {
      month: 'This month',
      'next-month': 'Next month',
      quarter: 'This quarter',
      'next-quarter': 'Next quarter',
      own: 'Own dates',
    },
    from: 'First day',
    to: 'Last day',
    amount: 'Number of chats',
    wanted: {
      chats: (count: string) => `${count} chats`,
      least: (s: string) => `at least ${s}`,
      most: (s: string) => `at most ${s}`,
    },
    sure: (what: string) => `Remove the goal “${what}”?`,
    behind: 'The chats behind it',
    standings: {
      not_begun: 'Not begun',
      unknown: 'Not known yet',
      too_few: 'Too few yet',
      ahead: 'On pace',
      behind: 'Behind',
      out_of_reach: 'Out of reach',
      reached: 'Reached',
      missed: 'Missed',
    } satisfies Record<Standing, string>,
    signs: {
      ...{
        not_begun: '',
        unknown: '',
        too_few: '',
        ahead: '▲',
        behind: '▼',
        out_of_reach: '✕',
        reached: '✓',
        missed: '✕',
      },
    } satisfies Record<Standing, string>,
    failed: 'The goals cannot be loaded.',
    begins: (day: string) => `It begins on ${day}.`,
    none: 'No day of it is over and pulled yet.',
    sofar: (reached: string, wanted: string, day: string) => `${reached} of ${wanted} chats through ${day}.`,
    share: (reached: string, basis: string, day: string) => `${reached} of ${basis} through ${day}.`,
    nothing: (things: string, day: string) => `No ${things} through ${day}.`,
    ahead: (expected: string, more: string) =>
      `At the usual pace of the weekdays there would be ${expected} by then: ${more} more.`,
    behindBy: (expected: string, less: string) =>
      `At the usual pace of the weekdays there would be ${expected} by then: ${less} fewer.`,
    asExpected: (expected: string) => `At the usual pace of the weekdays there would be ${expected} by then.`,
    needs: (perDay: string, days: number) =>
      days === 1
        ? `${perDay} are needed on the day that is left`
        : `${perDay} a day are needed on the ${days} days that are left`,
    usual: (perDay: string) => `; such days usually bring ${perDay}.`,
    best: (best: string) => `, and no day so far or in the 8 weeks before brought more than ${best}.`,
    rest: (rest: string, isMost: boolean, share: string, must: string) =>
      isMost
        ? `At most ${share} of the roughly ${rest} still to come may ${must}.`
        : `At least ${share} of the roughly ${rest} still to come must ${must}.`,
    safe: (rest: string) => `It holds whatever the roughly ${rest} still to come bring.`,
    never: (rest: string, isMost: boolean, must: string) =>
      isMost
        ? `It cannot be reached any more, not even if none of the roughly ${rest} still to come ${must}.`
        : `It cannot be reached any more: more than all of the roughly ${rest} still to come would have to ${must}.`,
    shares: {
      first_response: { things: 'answered chats', must: 'be answered in time' },
      service_level: { things: 'visitors from the queue', must: 'be answered in time' },
      satisfaction: { things: 'ratings', must: 'be good' },
      abandonment: { things: 'queued visitors', must: 'leave' },
    } satisfies Record<Target['kind'], { things: string; must: string }>,
    equalDays: 'No whole week is known to tell how weekdays differ, so all days count the same.',
    unknownDays: (days: number) =>
      days === 1 ? 'One day of it is not pulled and left out.' : `${days} days of it are not pulled and left out.`,
    progress: (reached: string, wanted: string) => `${reached} of ${wanted}`,
  },
};
