// Which records an answer speaks about: several values of one kind are any of them, different kinds are all of them.
import type { ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import { tagsAt, type LightChat, type LightGoal } from '../light.ts';
import type { Ticket } from '../tickets.ts';
import type { ReportPeriods } from './periods.ts';

type ReportFilters = Pick<ReportArgs, 'groups' | 'agents' | 'tags'>;

/** Whether an ended chat is of the asked groups, agents and tags. A pending chat is in no report. */
export function isAsked(chat: LightChat, { groups, agents, tags }: ReportFilters, now: number): boolean {
  return (
    chat.ended <= now &&
    isAny(groups, chat.groups) &&
    isAny(agents, chat.agents) &&
    (tags.length === 0 || isAny(tags, tagsAt(chat, now)))
  );
}

/** Every asked chat that started in a period. */
export function eachChat(
  account: ServiceAccount,
  args: ReportFilters,
  periods: ReportPeriods,
  take: (chat: LightChat, cell: number) => void,
): void {
  const { chats } = account;
  const last = Math.min(periods.to, periods.now + 1);
  for (let place = chats.firstFrom(periods.from); place < chats.length; place++) {
    const started = chats.startedAt(place);
    if (started >= last) return;
    const cell = periods.cellAt(started);
    if (cell < 0 || chats.endedAt(place) > periods.now) continue;
    const chat = chats.at(place);
    if (isAsked(chat, args, periods.now)) take(chat, cell);
  }
}

/** Every asked chat that was open at some instant of [from, to), in order of start; also those begun before. */
export function openChats(
  account: ServiceAccount,
  args: ReportFilters,
  now: number,
  from: number,
  to: number,
): LightChat[] {
  const { chats } = account;
  const found: LightChat[] = [];
  for (let place = chats.firstReaching(from); place < chats.length; place++) {
    if (chats.startedAt(place) >= to) break;
    if (chats.endedAt(place) < from || chats.endedAt(place) > now) continue;
    const chat = chats.at(place);
    if (isAsked(chat, args, now)) found.push(chat);
  }
  return found;
}

/** Every goal or sale of an asked chat, by its own instant, once the clock has reached it. */
export function eachGoal(
  account: ServiceAccount,
  args: ReportFilters,
  periods: ReportPeriods,
  take: (goal: LightGoal, cell: number, chat: LightChat) => void,
): void {
  const last = Math.min(periods.to, periods.now + 1);
  for (const chat of account.chats.withGoals(periods.from, last)) {
    for (const goal of chat.goals) {
      if (goal.at < periods.from || goal.at >= last || !isAsked(chat, args, periods.now)) continue;
      const cell = periods.cellAt(goal.at);
      if (cell >= 0) take(goal, cell, chat);
    }
  }
}

/** Every matching ticket whose `moment` has passed and falls into a period; the agent is the assignee. */
export function eachTicket(
  account: ServiceAccount,
  { groups, agents, tags }: ReportFilters,
  periods: ReportPeriods,
  moment: (ticket: Ticket) => number | null | undefined,
  take: (ticket: Ticket, cell: number, at: number) => void,
): void {
  for (const ticket of account.tickets.between(periods.from, Math.min(periods.to, periods.now))) {
    const at = moment(ticket);
    if (at === null || at === undefined || at > periods.now) continue;
    const cell = periods.cellAt(at);
    const assignees = ticket.assignee === null ? [] : [ticket.assignee];
    if (cell < 0 || !isAny(groups, ticket.groups) || !isAny(agents, assignees) || !isAny(tags, ticket.tags)) continue;
    take(ticket, cell, at);
  }
}

export function isAny<T>(asked: readonly T[], own: readonly T[]): boolean {
  return asked.length === 0 || own.some((value) => asked.includes(value));
}
