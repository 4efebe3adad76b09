// The history of an account's pulls from the ledger: their results, failures with remedies, and quarantined records.
import type { Queryable, Row } from '#warehouse/engine.ts';
import { announcements, countSetAside, failedQuestions, newestPulls, setAside } from '#warehouse/read/pulls.ts';
import { most, type FailedQuestions, type FailedState, type Recorded } from './contract/pulls.ts';
import { remedyFor } from './remedies.ts';

export const nothingRecorded: Recorded = {
  ...{ pulls: [], failed: [], more_failed: 0, quarantined: [], more_quarantined: 0, notices: [] },
};

/** From a snapshot, or from the writer's own file. `now` in Unix seconds. */
export async function recordedIn(engine: Queryable, account: string, now: number): Promise<Recorded> {
  const pulls = await newestPulls(engine, account, most.pulls, now);
  const quarantined = await setAside(engine, account, most.quarantined);
  const notices = await announcements(engine, account);
  const all = await countSetAside(engine, account);
  const failed = byReason(await failedQuestions(engine, account));
  failed.sort((one, other) => Number(other.needs_you) - Number(one.needs_you));
  return {
    pulls: pulls as Recorded['pulls'],
    ...{ failed: failed.slice(0, most.failed), more_failed: Math.max(0, failed.length - most.failed) },
    quarantined: quarantined as Recorded['quarantined'],
    more_quarantined: all - quarantined.reduce((sum, { records }) => sum + Number(records), 0),
    notices: notices as Recorded['notices'],
  };
}

/** One row for each report and reason: a report that fails for every agent fails once, and no reason hides another. */
function byReason(rows: readonly Row[]): FailedQuestions[] {
  const groups = Map.groupBy(rows, ({ source, state, error }) => JSON.stringify([source, state, reasonIn(error)]));
  return [...groups.values()].map((same) => {
    const [{ first_day: _, last_day: __, ...row }] = same as [Row];
    const days = same.flatMap(({ first_day, last_day }) => [String(first_day), String(last_day)]).sort();
    // A day that is here and could not be asked again is a failure of the question, not of the day.
    const state = row.state === 'pulled' ? 'failed' : (row.state as FailedState);
    const error = row.error === null ? null : String(row.error);
    const { text: what_to_do, needs_you } = remedyFor(state, error);
    const questions = new Set(same.map(({ split, split_value, grain }) => JSON.stringify([split, split_value, grain])));
    return {
      ...row,
      ...{ from: days[0], to: days.at(-1), days: Math.max(...same.map(({ days }) => Number(days))) },
      ...{ state, error, questions: questions.size, what_to_do, needs_you },
    } as FailedQuestions;
  });
}

/** Groups reasons that differ only in the question's parameters and counts. */
const reasonIn = (error: Row[string] | undefined): string =>
  String(error ?? '').replace(/\?\S+|\d{4}-\d{2}-\d{2}|\b\d+(?= (of|chats|records|pages)\b)/g, '');
