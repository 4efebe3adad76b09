// What the ledger says of an account's pulls: how they ended, what failed with what to do, what was set aside, what ends.
import { z } from '@hono/zod-openapi';
import type { Engine, Row } from '#warehouse/engine.ts';
import { announcements, countSetAside, failedQuestions, newestPulls, setAside } from '#warehouse/read/pulls.ts';
import { failedStates, remedyFor, type FailedState } from './remedies.ts';

const Ended = z.object({
  account: z.string(),
  pull_id: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cut_off']),
  requests: z.int(),
  faults: z.int().nullable().openapi({ description: 'Requests of it that brought nothing usable' }),
  chats_new: z.int(),
  chats_changed: z.int(),
  chats_unchanged: z.int(),
  error: z.string().nullable(),
});

const Failed = z.object({
  account: z.string(),
  source: z.string(),
  split: z.string(),
  split_value: z.string(),
  grain: z.string(),
  from: z.string(),
  to: z.string(),
  days: z.int(),
  questions: z.int().openapi({ description: 'With the same reason; split and split_value are of the first of them' }),
  state: z.enum(failedStates),
  error: z.string().nullable(),
  last_asked_at: z.string(),
  what_to_do: z.string(),
  needs_you: z.boolean().openapi({ description: 'False where it is asked again by itself and nothing can be done' }),
});
export type Failed = z.infer<typeof Failed>;

const Quarantined = z.object({
  account: z.string(),
  source: z.string(),
  record_id: z.string(),
  records: z.int().openapi({ description: 'Set aside for the same reason; record_id is the first of them' }),
  reason: z.string(),
  seen_at: z.string(),
});

const Notice = z.object({
  source: z.string(),
  header: z.string(),
  value: z.string().openapi({ description: 'As received: the date on which that stage ends' }),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
});

/** Newest first; no more than `most` of each. */
export const Recorded = z.object({
  pulls: z.array(Ended),
  failed: z.array(Failed),
  more_failed: z.int().openapi({ description: 'Reasons that are not listed' }),
  quarantined: z.array(Quarantined),
  more_quarantined: z.int().openapi({ description: 'Records set aside that are not listed' }),
  notices: z.array(Notice).openapi({ description: 'Headers by which the service announces an end' }),
});
export type Recorded = z.infer<typeof Recorded>;

export const most = { pulls: 200, failed: 200, quarantined: 50 } as const;

export const nothingRecorded: Recorded = {
  ...{ pulls: [], failed: [], more_failed: 0, quarantined: [], more_quarantined: 0, notices: [] },
};

/** Of a snapshot, or of the writer's own file. */
export async function recordedIn(engine: Engine, account: string): Promise<Recorded> {
  const pulls = await newestPulls(engine, account, most.pulls);
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
function byReason(rows: readonly Row[]): Failed[] {
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
    } as Failed;
  });
}

/** What a question asks for and how many differ; the reason is the same. */
const reasonIn = (error: Row[string] | undefined): string =>
  String(error ?? '').replace(/\?\S+|\d{4}-\d{2}-\d{2}|\b\d+(?= (of|chats|records|pages)\b)/g, '');
