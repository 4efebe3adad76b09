// Pulls: running ones, finished ones, and every failed question with what to do about it.
import type { Hono } from 'hono';
import type { ActivePull, ApiDeps, FinishedPull } from './deps.ts';
import { Declined } from './errors.ts';
import { accountOf, assertPulledHere, assertSeesAll, readerOf } from './context.ts';
import {
  listPulls,
  most,
  startPull,
  type AccountEnd,
  type Pulls,
  type Recorded,
  type RunningPull,
} from './contract/pulls.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import { queryOf } from './validation.ts';
import { nothingRecorded, recordedIn } from './pull-history.ts';
import { Refused } from '#warehouse/errors.ts';
import { memoized } from '#warehouse/memoize.ts';
import { unnoticed_ms } from '#warehouse/store/redated.ts';

function limitOf(text: string | undefined): number {
  if (text === undefined) return 50;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most.pulls) return Number(text);
  throw new Refused('limit', `limit=${text} must be a whole number from 1 to ${most.pulls}`);
}

export function addPulls(app: Hono, deps: ApiDeps): void {
  app.get(listPulls.path, async (c) => {
    const reader = readerOf(c);
    assertSeesAll(reader, 'how pulls went');
    const { account, limit: longest } = queryOf(c, listPulls.query);
    const { id } = accountOf(deps, reader, account);
    const limit = limitOf(longest);
    const found = await Promise.all(deps.accounts().map((account) => known(deps, account.id)));
    const { recorded } = found.find(({ account }) => account === id) ?? { recorded: nothingRecorded };
    c.header('cache-control', 'no-store');
    return c.json<Pulls>({
      snapshot: deps.published()?.id ?? null,
      running: deps
        .pulls()
        .running.filter(({ account }) => account === id)
        .map((one) => paced(one, deps)),
      accounts: found.map(endOf),
      clock: (await deps.clockProblem?.()) ?? null,
      ...{ ...recorded, pulls: recorded.pulls.slice(0, limit) },
    });
  });

  app.post(startPull.path, (c) => {
    const reader = readerOf(c);
    assertSeesAll(reader, 'starting a pull');
    const { account: asked } = queryOf(c, startPull.query);
    if (asked !== undefined) accountOf(deps, reader, asked);
    assertPulledHere(deps, 'pulls are started');
    if (!deps.pullNow)
      throw new Declined('conflict', "this server only serves: run 'npx chatledger pull', or 'npx chatledger start'");
    deps.pullNow();
    return c.json<AnswerOf<typeof startPull>>({ started: true }, 202);
  });
}

interface RecordedPulls {
  account: string;
  recorded: Recorded;
}

/** Combines the newer of the snapshot's and the note's history with what this process has heard. */
async function known(deps: ApiDeps, account: string): Promise<RecordedPulls> {
  const snapshot = deps.snapshot();
  const engine = snapshot?.engine;
  const now = Math.floor(deps.clock() / 1000);
  const published = engine
    ? await memoized(engine, `recorded ${account}`, () => recordedIn(engine, account, now))
    : nothingRecorded;
  const noted = deps.recorded?.(account) ?? nothingRecorded;
  /** Pulls of a clock that ran ahead come last, as those of long ago. */
  const isAhead = (pull: { started_at: string }): boolean => instantOf(pull) > deps.clock() + unnoticed_ms;
  const newest = ({ pulls: [last] }: Recorded): number => (last ? (isAhead(last) ? 0 : instantOf(last)) : -Infinity);
  const recorded = newest(noted) >= newest(published) ? noted : published;
  const heard = deps.pulls().ended.filter((one) => one.account === account);
  // A row still marked as running was written during the pull.
  const written = recorded.pulls.filter((pull) => pull.ended_at !== null || !heard.some((one) => isSame(one, pull)));
  const fresh = heard.filter((one) => !written.some((pull) => isSame(one, pull)));
  const pulls = [...fresh.map((one) => ({ ...one, faults: null })), ...written];
  pulls.sort(
    (one, other) => Number(isAhead(one)) - Number(isAhead(other)) || (instantOf(one) < instantOf(other) ? 1 : -1),
  );
  return { account, recorded: { ...recorded, pulls } };
}

function endOf({ account, recorded }: RecordedPulls): AccountEnd {
  const last = recorded.pulls.find(({ ended_at, state }) => ended_at !== null || state === 'cut_off');
  return {
    ...{ account, ended_at: last?.ended_at ?? null },
    state: !last || last.state === 'running' ? null : last.state,
    error: last?.error ?? null,
    failed: recorded.failed.length + recorded.more_failed,
    quarantined: recorded.quarantined.reduce((sum, { records }) => sum + records, recorded.more_quarantined),
  };
}

const instantOf = ({ started_at }: { started_at: string }): number => Date.parse(started_at);

/** The ledger writes the second; the message came a little later. */
const isSame = (heard: FinishedPull, written: { started_at: string }): boolean =>
  instantOf(written) >= instantOf(heard) - 10_000 && instantOf(written) <= Date.parse(heard.ended_at);

function paced(running: ActivePull, deps: ApiDeps): RunningPull {
  const { account, stage, done, total, started_at, stage_began, is_resting } = running;
  const pulled_since = deps.pulledSince?.(account) ?? null;
  const seconds = (deps.clock() - stage_began.at) / 1000;
  const rate = done > stage_began.done && seconds > 0 ? (done - stage_began.done) / seconds : null;
  const left = rate === null ? null : Math.ceil((total - done) / rate);
  return { account, stage, done, total, started_at, per_second: rate, seconds_left: left, is_resting, pulled_since };
}
