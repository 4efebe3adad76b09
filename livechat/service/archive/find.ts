// Finds the chats that match an archive request: by start date in the requested zone, newest first, and by every filter.
import type { ArchiveArgs } from '#contract/archive.ts';
import type { ServiceAccount } from '../account.ts';
import { rateAt, tagsAt, type ChatPredicate, type LightChat } from '../light.ts';
import { daysOf } from '../reports/periods.ts';
import { isAny } from '../reports/selection.ts';
import { dayAt, dayOf, zoneNamed } from '../zone.ts';
import { numbersWithText } from './text.ts';

/** The chats that fit, newest first, ties by id descending. */
export function findChats(account: ServiceAccount, args: ArchiveArgs, now: number): LightChat[] {
  const fits = filtersOf(account, args, now);
  return account.chats.filter((chat) => fits.every((fit) => fit(chat))).reverse();
}

/** One test for each argument that was sent, the cheap ones first. */
function filtersOf(account: ServiceAccount, args: ArchiveArgs, now: number): ChatPredicate[] {
  const is_told = (flag: '0' | '1' | undefined, has: ChatPredicate): ChatPredicate[] =>
    flag === undefined ? [] : [(chat) => has(chat) === (flag === '1')];
  const goalsOf = (chat: LightChat, is_sale: boolean) =>
    chat.goals.filter((goal) => goal.is_sale === is_sale && goal.at <= now);
  const is_pending_shown = args.include_pending === '1';
  const { tag, agent, group, goal, sale, rate, query } = args;
  const place = { visitor_id: args.visitor_id, city: args.city, region: args.region, country: args.country };
  const is_placed = Object.values(place).some((value) => value !== undefined);
  return [
    (chat) => (is_pending_shown ? chat.started : chat.ended) <= now,
    ...datesOf(account, args, now),
    (chat) => isAny(group, chat.groups) && isAny(agent, chat.agents),
    ...is_told(args.queued, (chat) => chat.queue_seconds !== null),
    ...is_told(args.has_goal, (chat) => goalsOf(chat, false).length > 0),
    ...is_told(args.has_sale, (chat) => goalsOf(chat, true).length > 0),
    ...is_told(args.tagged, (chat) => tagsAt(chat, now).length > 0),
    ...is_told(args.comment, (chat) => chat.ratings.some((rating) => rating.has_comment && rating.at <= now)),
    ...(tag.length > 0 ? [(chat: LightChat) => isAny(tag, tagsAt(chat, now))] : []),
    ...(rate ? [(chat: LightChat) => isRated(rateAt(chat, now), rate)] : []),
    ...(goal === undefined ? [] : [(chat: LightChat) => goalsOf(chat, false).some(({ id }) => id === goal)]),
    ...(sale === undefined ? [] : [(chat: LightChat) => goalsOf(chat, true).some(({ id }) => id === sale)]),
    ...(is_placed ? [among(account.store.numbersOf(place))] : []),
    ...(query ? [among(numbersWithText(account.store, query, now))] : []),
  ];
}

/** Without `date_from` from the beginning of time, without `date_to` until today. */
function datesOf(account: ServiceAccount, args: ArchiveArgs, now: number): ChatPredicate[] {
  if (!args.date_from && !args.date_to) return [];
  const zone = args.timezone ? zoneNamed(args.timezone) : account.zone;
  const first = args.date_from ? daysOf(account, zone, now, args).first : -Infinity;
  const last = args.date_to ? dayOf(args.date_to) : Infinity;
  return [
    ({ started }) => {
      const day = dayAt(zone, started);
      return first <= day && day <= last;
    },
  ];
}

function isRated(rate: string, asked: NonNullable<ArchiveArgs['rate']>): boolean {
  return asked === 'rated' ? rate !== 'not_rated' : rate === asked;
}

function among(numbers: Set<number>): ChatPredicate {
  return (chat) => numbers.has(chat.number);
}
