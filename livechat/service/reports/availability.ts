// How long at least one current member of the asked set was accepting chats: minutes of an hour, else hours.
import type { ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import type { StatusInterval } from '../records.ts';
import { inSlices } from '../slices.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { inHours, inMinutes } from './rounding.ts';
import { createUnion } from './union.ts';

export const availability: ReportHandler<'availability'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const asked = membersOf(account, args);
  const open = createUnion();
  await inSlices(byBeginning([...asked].map((agent) => account.statuses.of(agent))), ({ status, from, to }) => {
    if (status === 'accepting chats' && from < periods.to && to > periods.from)
      open.add(from, Math.min(to, periods.now));
  });
  const seconds = periods.zeros();
  await inSlices(open.joined, ({ from, to }) => periods.spread(from, to, (cell, passed) => (seconds[cell]! += passed)));
  const shown = periods.grouping === 'hour' ? inMinutes : inHours;
  return periods.fill((cell) => ({ hours: shown(seconds[cell]!) }));
};

/** Intervals of several agents, each in order, as one list in order. */
function* byBeginning(lists: Iterator<StatusInterval>[]): Generator<StatusInterval> {
  const heads = lists.map((list) => list.next());
  for (;;) {
    let first = -1;
    for (const [place, { done, value }] of heads.entries())
      if (!done && (first < 0 || value.from < heads[first]!.value.from)) first = place;
    if (first < 0) return;
    yield heads[first]!.value;
    heads[first] = lists[first]!.next();
  }
}

/** Without a filter everybody is included, as in group 0. */
function membersOf(account: ServiceAccount, { groups, agents }: ReportArgs): Set<string> {
  const members = account.staff.agents.filter(
    (agent) =>
      (groups.length === 0 || groups.includes(0) || agent.groups.some((group) => groups.includes(group))) &&
      (agents.length === 0 || agents.includes(agent.login)),
  );
  const logins = members.map((agent) => agent.login);
  // The totals of the account stay when an agent is removed.
  const is_account = agents.length === 0 && (groups.length === 0 || groups.includes(0));
  return new Set(is_account ? [...logins, ...account.removed] : logins);
}
