// Estimates the rows of a panel's answer before it is requested: long answers follow after the page.
import { grainFor, periodsOf } from '#dashboards/grains.ts';
import type { Question } from '#dashboards/questions.ts';
import { daysBetween, spanOf } from '#dashboards/ranges.ts';
import { variableOf } from '#dashboards/variables.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Metric } from '#api/contract/metrics.ts';
import type { Filters } from './filters.ts';

/** Maximum number of a split's values according to the account's lists; unknown for countries and currencies. */
function partsOf(split: string, { agents, groups, other_groups, tags, more_tags, goals, variables }: Account): number {
  const known: Readonly<Record<string, number>> = {
    agent: agents.length,
    group: groups.length + other_groups.length,
    // Their number is unknown: treated as too large for the page.
    tag: more_tags ? Infinity : tags.length + 1,
    goal: goals.length,
    country: 40,
    currency: 3,
    weekday: 7,
    hour_of_day: 24,
  };
  const values = variables.find(({ id }) => id === variableOf(split))?.values;
  // Chats without a value are a part, too.
  return Math.max(1, values ? values.length + 1 : (known[split] ?? 1));
}

export function rowsOf(question: Question, account: Account, filters: Filters, metric: Metric | undefined): number {
  const { from, to } = spanOf(question.span, filters);
  const grain = question.grain === 'asked' ? grainFor(metric, filters.grain) : question.grain;
  const parts = question.split.reduce((product, split) => product * partsOf(split, account), 1);
  const ranges = question.compare && filters.compare !== 'none' ? 2 : 1;
  return periodsOf(grain, daysBetween(from, to)) * parts * ranges;
}
