// What an archive request asks of chats: a start date in the requested zone, and every filter.
import type { ArchiveArgs } from '#contract/archive.ts';
import type { ServiceAccount } from '../account.ts';
import type { Span } from '../chats.ts';
import type { ChatQuestion } from '../find-chats.ts';
import { rateAt, tagsAt, type ChatPredicate, type LightChat } from '../light.ts';
import { daysOf, longestRepeat } from '../reports/periods.ts';
import { isAny } from '../reports/selection.ts';
import { dayAt, dayOf, startOfDay, zoneNamed } from '../zone.ts';
import { textsWith } from './text.ts';

/** What is asked of chats. */
export function questionOf(account: ServiceAccount, args: ArchiveArgs, now: number): ChatQuestion {
  const ended = args.include_pending === '1' ? { to: now } : { ended_by: now };
  const { from, to = Infinity, isAsked } = datesOf(account, args, now);
  const { visitor_id, query, city, region, country } = args;
  return {
    span: { ...ended, from, to: Math.min(to, ended.to ?? Infinity), isAsked },
    among: visitor_id === undefined ? undefined : account.store.numbersOf(visitor_id),
    tests: () => testsOf(args, now),
    file: {
      ...([city, region, country].some((value) => value !== undefined) && { place: { city, region, country } }),
      ...(query && textsWith(query, now)),
    },
  };
}

/** One test for each argument that was sent, the cheap ones first. */
function testsOf(args: ArchiveArgs, now: number): ChatPredicate[] {
  const is_told = (flag: '0' | '1' | undefined, has: ChatPredicate): ChatPredicate[] =>
    flag === undefined ? [] : [(chat) => has(chat) === (flag === '1')];
  const goalsOf = (chat: LightChat, is_sale: boolean) =>
    chat.goals.filter((goal) => goal.is_sale === is_sale && goal.at <= now);
  const { tag, agent, group, goal, sale, rate } = args;
  return [
    ...(group.length + agent.length > 0
      ? [(chat: LightChat) => isAny(group, chat.groups) && isAny(agent, chat.agents)]
      : []),
    ...is_told(args.queued, (chat) => chat.queue_seconds !== null),
    ...is_told(args.has_goal, (chat) => goalsOf(chat, false).length > 0),
    ...is_told(args.has_sale, (chat) => goalsOf(chat, true).length > 0),
    ...is_told(args.tagged, (chat) => tagsAt(chat, now).length > 0),
    ...is_told(args.comment, (chat) => chat.ratings.some((rating) => rating.has_comment && rating.at <= now)),
    ...(tag.length > 0 ? [(chat: LightChat) => isAny(tag, tagsAt(chat, now))] : []),
    ...(rate ? [(chat: LightChat) => isRated(rateAt(chat, now), rate)] : []),
    ...(goal === undefined ? [] : [(chat: LightChat) => goalsOf(chat, false).some(({ id }) => id === goal)]),
    ...(sale === undefined ? [] : [(chat: LightChat) => goalsOf(chat, true).some(({ id }) => id === sale)]),
  ];
}

/** Without `date_from` from the beginning of time, without `date_to` until today. */
function datesOf(account: ServiceAccount, args: ArchiveArgs, now: number): Pick<Span, 'from' | 'to' | 'isAsked'> {
  if (!args.date_from && !args.date_to) return {};
  const zone = args.timezone ? zoneNamed(args.timezone) : account.zone;
  const first = args.date_from ? daysOf(account, zone, now, args).first : undefined;
  const last = args.date_to ? dayOf(args.date_to) : undefined;
  // Far from both ends there is nothing to ask the zone.
  const first_sure = first === undefined ? -Infinity : startOfDay(zone, first) + longestRepeat;
  const last_sure = last === undefined ? Infinity : startOfDay(zone, last + 1) - longestRepeat;
  return {
    ...(first !== undefined && { from: startOfDay(zone, first) - longestRepeat }),
    ...(last !== undefined && { to: startOfDay(zone, last + 1) + longestRepeat }),
    isAsked(started) {
      if (started >= first_sure && started < last_sure) return true;
      const day = dayAt(zone, started);
      return (first ?? day) <= day && day <= (last ?? day);
    },
  };
}

function isRated(rate: string, asked: NonNullable<ArchiveArgs['rate']>): boolean {
  return asked === 'rated' ? rate !== 'not_rated' : rate === asked;
}
