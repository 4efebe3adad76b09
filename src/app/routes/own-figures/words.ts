// Texts of the page where agents see their own figures next to those of colleagues.
import type { OwnFigure } from '#api/contract/own-figures.ts';

type Id = OwnFigure['id'];

/** `within` describes half of the colleagues, `own` the reader. */
interface Words {
  title: string;
  means: string;
  within: (low: string, high: string) => string;
  /** The basis of a figure. */
  basis: (count: number, told: string) => string;
}

const chats = (count: number, told: string): string => (count === 1 ? 'one chat' : `${told} chats`);
const ratings = (count: number, told: string): string => (count === 1 ? 'one rating' : `${told} ratings`);

export const figureWords: Record<Id, Words> = {
  first_response: {
    title: 'First response',
    means: 'Half of your first responses came within this time.',
    within: (low, high) => `send half of their first responses within ${low} to ${high}`,
    basis: chats,
  },
  response: {
    title: 'Response',
    means: 'In half of your chats you answered within this time on average.',
    within: (low, high) => `answer within ${low} to ${high} in half of their chats`,
    basis: chats,
  },
  satisfaction: {
    title: 'Satisfaction',
    means: 'Good ratings as a share of all ratings of your chats.',
    within: (low, high) => `have ${low} to ${high} good ratings`,
    basis: ratings,
  },
  chats: {
    title: 'Chats',
    means: 'Chats in which you took part.',
    within: (low, high) => `took part in ${low} to ${high} chats`,
    basis: () => '',
  },
  duration: {
    title: 'Chat duration',
    means: 'Half of your chats were over within this time.',
    within: (low, high) => `finish half of their chats within ${low} to ${high}`,
    basis: chats,
  },
  chatting: {
    title: 'Chatting',
    means: 'Hours with at least one chat open.',
    within: (low, high) => `had a chat open for ${low} to ${high}`,
    basis: chats,
  },
};

export const ownWords = {
  title: 'Your figures',
  sentence: (from: string, to: string) =>
    `Yours beside those of your colleagues in the same groups, from ${from} to ${to}. Nobody is named, and the figures of no single colleague are shown.`,
  you: 'you',
  range: (low: string, high: string) => `${low} – ${high}`,
  middle: (value: string) => `The middle one of them: ${value}.`,
  beside: (count: number, group: string, within: string, own: string) =>
    `About half of your ${count} colleagues in ${group} ${within}; you: ${own}.`,
  noOwn: 'no figure',
  noOwnIn: 'There is nothing of yours to measure in these days.',
  restsOn: (basis: string) => `Yours rests on ${basis}.`,
  restsOnFew: (basis: string) => `Yours rests on only ${basis}, so much of it is chance.`,
  whyNot: {
    too_few: (_count: number, group: string, least: number) =>
      `Fewer than ${least} colleagues in ${group} have enough to compare with in these days, so nothing of theirs is shown.`,
    too_close: (count: number, group: string) =>
      `The figures of your ${count} colleagues in ${group} are so alike that a range would tell each of them, so none is shown.`,
    not_pulled: () => 'Some of these days are not pulled; the comparison comes when they are.',
  },
  noGroup: 'You are not a member of any group here, so there are no colleagues to compare with.',
  noGroupHelp: 'Your own figures and chats are on the pages below.',
  days: 'Whole days that are over are compared, at least 7 of them, so the dates are moved to fit.',
  tooYoung: (day: string) =>
    `There are figures from ${day} on. Whole days that are over are compared, at least 7 of them, and there are not that many yet.`,
  chats: 'Your chats in these days',
  more: 'Your figures day by day',
  seen: 'Who looked at your figures',
  seenHint:
    'Who read your figures by name, alone or among those of all agents; the same thing by the same person is listed once in ten minutes.',
  seenByNobody: 'Nobody has looked at figures of yours by name.',
  seenHeads: ['When', 'Who', 'What', 'About'],
  seenOfAll: ' (of all agents)',
  how: 'How the comparison is made',
  howItems: (least_colleagues: number, least_basis: number) => [
    `Each colleague counts once, however many chats: the bar is where the middle half of them are, and the line in it is the middle one.`,
    `Only chats of these groups count, yours and theirs, and only colleagues with ${least_basis} of them or more (for satisfaction: ratings).`,
    `With fewer than ${least_colleagues} such colleagues nothing is compared. Groups with fewer are put together.`,
    'Each end of the bar is a mean of three colleagues, rounded, so that it is nobody’s own figure. Your colleagues see you in the same way: as a part of a bar.',
  ],
};

/** For readers who are no agents. */
export const forAgents = {
  title: 'Figures of agents',
  sentence: 'Each agent who signs in sees their own here, beside those of colleagues in the same groups.',
  notYours: 'You are not signed in as an agent, so there are no figures of yours.',
  nobodySignsIn: 'Nobody has to sign in here, so the server does not know who you are.',
  everyAgent: 'The figures of the whole team, agent by agent, are on the page Agents.',
  teamOnly: 'The figures of the whole team start on the overview; you do not see single agents.',
  overview: 'Overview',
};
