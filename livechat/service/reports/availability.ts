// How long at least one current member of the asked set was accepting chats: minutes of an hour, else hours.
import type { ReportArgs } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { inHours, inMinutes } from './rounding.ts';
import { union } from './union.ts';

export const availability: ReportHandler<'availability'> = (account) => (args) => {
  const periods = periodsOf(account, args);
  const asked = membersOf(account, args);
  const accepting = [...asked]
    .flatMap((agent) => [...account.statuses.of(agent)])
    .filter(({ status, from, to }) => status === 'accepting chats' && from < periods.to && to > periods.from)
    .map(({ from, to }) => ({ from, to: Math.min(to, periods.now) }))
    .sort((a, b) => a.from - b.from);
  const seconds = periods.zeros();
  for (const { from, to } of union(accepting)) {
    periods.spread(from, to, (cell, passed) => (seconds[cell]! += passed));
  }
  const shown = periods.grouping === 'hour' ? inMinutes : inHours;
  return periods.fill((cell) => ({ hours: shown(seconds[cell]!) }));
};

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
