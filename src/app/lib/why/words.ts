// The texts of "Why?".
import type { Measured } from '#dashboards/why/measured.ts';

export const whyWords = {
  title: 'Why?',
  close: 'Close',
  loading: 'Looking for what accounts for it',
  uncompared: 'There is nothing before it to compare it with.',
  uncomparable: 'It is not compared: there is no number at one of the two times.',
  accounts: 'Who and what account for it',
  instead: (label: string) => `The number itself cannot be divided. What is divided here: ${label}.`,
  mayBeChance: 'The difference may be chance alone, and what accounts for it too.',
  undivided: 'This number cannot be divided among groups, agents, tags or hours.',
  nothingToDivide: 'Without a number before it there is no difference to divide.',
  fromTo: (before: string, now: string) => `${before} → ${now}`,
  none: 'none',
  byChance: 'may be chance',
  by: { group: 'By group', agent: 'By agent', tag: 'By tag', hour_of_day: 'By hour' } as Record<string, string>,
  chats: {
    largest: 'Its chats, the longest first',
    smallest: 'Its chats, the worst first',
    started: 'Its chats',
  } as Record<Measured['worst'], string>,
  ofShare: 'Its chats, the worst first',
  noChats: 'No single chats stand behind this number.',
  unlisted: 'Which chats they are is shown to those who may read conversations.',
  allChats: (count: string) => `All ${count} chats`,
  receipt: 'Receipt',
  asked: 'asked',
  failed: 'This could not be worked out',
  unasked: (name: string) => `“Why?” does not take ${name}: the receipt of the number does`,
};
