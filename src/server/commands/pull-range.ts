// Which days and reports a pull was told to take, and whether they are valid.
import { day } from '#contract/query.ts';
import { reportIds } from '#contract/reports.ts';
import { dayOf } from '#etl/days.ts';
import type { SourceAccount } from '#etl/source.ts';
import { clock } from '../clock.ts';
import { Stopped } from '../errors.ts';

export interface PullRange {
  since?: string;
  until?: string;
  only?: ReadonlySet<string>;
}

export function rangeOf({ since, until, only }: { [option in keyof PullRange]?: string }): PullRange {
  for (const [name, value] of [
    ['--since', since],
    ['--until', until],
  ]) {
    if (value !== undefined && !day.safeParse(value).success)
      throw new Stopped(`${name} ${value} must be a date like 2026-01-31, not before 2000-01-01`);
  }
  if (since && until && since > until) throw new Stopped(`--since ${since} lies after --until ${until}`);
  const names = only?.split(',').map((name) => name.trim());
  const choices: readonly string[] = ['archive', ...reportIds];
  const unknown = names?.find((name) => !choices.includes(name));
  if (unknown !== undefined) throw new Stopped(`--only ${unknown} is no report; choose from ${choices.join(', ')}`);
  return {
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
    ...(names ? { only: new Set(names) } : {}),
  };
}

/** @throws Stopped when the range holds no day of the account: nothing would be pulled, and nobody would be told. */
export function refuseNothing({ since, until }: PullRange, { id, timezone, since: first }: SourceAccount): void {
  const today = dayOf(clock(), timezone);
  if ((since ?? first) > today) {
    const what = since === undefined ? `the first day to pull, ${first}, set for ${id},` : `--since ${since}`;
    throw new Stopped(`${what} lies in the future: in the zone of ${id} (${timezone}) it is ${today}`);
  }
  if (since === undefined && until !== undefined && until < first)
    throw new Stopped(`--until ${until} lies before ${first}, the first day of ${id}: say --since too`);
}
