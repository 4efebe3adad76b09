// Which records an answer speaks about: several values of one kind are any of them, different kinds are all of them.
import type { ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import { tagsAt, type LightChat, type LightGoal } from '../light.ts';
import type { Ticket } from '../tickets.ts';
import { inSlices } from '../slices.ts';
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

/** Chats of these numbers, as they are when this is called, in slices. */
async function eachOf(
  { chats }: ServiceAccount,
  numbers: Iterable<number>,
  take: (chat: LightChat) => void,
): Promise<void> {
  const snapshot = chats.snapshot();
  try {
    await inSlices(numbers, (number) => take(snapshot.of(number)));
  } finally {
    snapshot.end();
  }
}

/** Every asked chat that started in a period. */
export function eachChat(
  account: ServiceAccount,
  args: ReportFilters,
  periods: ReportPeriods,
  take: (chat: LightChat, cell: number) => void,
): Promise<void> {
  const { from, to, now } = periods;
  const span = { from, to: Math.min(to - 1, now), ended_by: now };
  return eachOf(account, account.chats.numbersIn(span), (chat) => {
    const cell = periods.cellAt(chat.started);
    if (cell >= 0 && isAsked(chat, args, now)) take(chat, cell);
  });
}

/** Every asked chat that was open at some instant of [from, to), in order of start; also those begun before. */
export function eachOpenChat(
  account: ServiceAccount,
  args: ReportFilters,
  { now, from, to }: Pick<ReportPeriods, 'now' | 'from' | 'to'>,
  take: (chat: LightChat) => void,
): Promise<void> {
  return eachOf(account, account.chats.numbersOpen(from, to), (chat) => {
    if (isAsked(chat, args, now)) take(chat);
  });
}

/** Every goal or sale of an asked chat, by its own instant, once the clock has reached it. */
export function eachGoal(
  account: ServiceAccount,
  args: ReportFilters,
  periods: ReportPeriods,
  take: (goal: LightGoal, cell: number, chat: LightChat) => void,
): Promise<void> {
  const last = Math.min(periods.to, periods.now + 1);
  return eachOf(account, account.chats.numbersWithGoals(periods.from, last), (chat) => {
    for (const goal of chat.goals) {
      if (goal.at < periods.from || goal.at >= last || !isAsked(chat, args, periods.now)) continue;
      const cell = periods.cellAt(goal.at);
      if (cell >= 0) take(goal, cell, chat);
    }
  });
}

/** Every matching ticket whose `moment` has passed and falls into a period; the agent is the assignee. */
export async function eachTicket(
  account: ServiceAccount,
  { groups, agents, tags }: ReportFilters,
  periods: ReportPeriods,
  moment: (ticket: Ticket) => number | null | undefined,
  take: (ticket: Ticket, cell: number, at: number) => void,
): Promise<void> {
  await inSlices(account.tickets.between(periods.from, Math.min(periods.to, periods.now)), (ticket) => {
    const at = moment(ticket);
    if (at === null || at === undefined || at > periods.now) return;
    const assignees = ticket.assignee === null ? [] : [ticket.assignee];
    const cell = periods.cellAt(at);
    if (cell >= 0 && isAny(groups, ticket.groups) && isAny(agents, assignees) && isAny(tags, ticket.tags))
      take(ticket, cell, at);
  });
}

export function isAny<T>(asked: readonly T[], own: readonly T[]): boolean {
  return asked.length === 0 || own.some((value) => asked.includes(value));
}
