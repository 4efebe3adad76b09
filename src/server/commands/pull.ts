// `chatledger pull`: one pull, printed; or, with --dry, the plan and its cost.
import { fixOrigins } from '../account-origin.ts';
import { warningsOf } from '#etl/fetch/notices.ts';
import type { Retrying } from '#etl/fetch/retry-budget.ts';
import type { PullOutcome } from '#etl/pull.ts';
import type { SourceAccount } from '#etl/source.ts';
import type { FailedQuestions, FailedState } from '#api/contract/pulls.ts';
import { chosenSources, sourcesOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { untilSignal } from '../shutdown.ts';
import { resumeErasure } from '../erase/resume.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { endStopped, endWithParent } from '../ipc.ts';
import { out, outJson, say } from '../terminal.ts';
import { pullAccounts, type End } from './pull-accounts.ts';
import { printPlan } from './pull-plan.ts';
import { rangeOf, refuseNothing, type PullRange } from './pull-range.ts';

interface PullOptions {
  since?: string;
  until?: string;
  only?: string;
  account?: string;
  dry?: boolean;
  json?: boolean;
}

/** `limits` of waiting are an argument for drills; real sources use the default. */
export async function pullOnce(options: PullOptions, limits?: Retrying): Promise<void> {
  endWithParent();
  const range = rangeOf(options);
  const config = readConfig();
  const folder = openFolder(config.folder);
  const told = new AbortController();
  void untilSignal().then(() => told.abort());
  try {
    fixOrigins(config, folder);
    const sources = chosenSources(sourcesOf(config, folder, clock()), options.account);
    // With several accounts, one that begins later does not delay the others.
    if (sources.length === 1 || range.since || range.until || options.dry)
      for (const source of sources) refuseNothing(range, source);
    if (options.dry) await printPlan(folder, sources, range, options.json ?? false);
    else {
      await resumeErasure(folder);
      await run(config, folder, sources, range, options.json ?? false, {
        signal: told.signal,
        ...(limits && { limits }),
      });
    }
  } catch (error) {
    const stopped = error instanceof Stopped ? error : stoppedByFile(error, folder.path);
    if (!stopped) throw error;
    endStopped(stopped);
  }
}

async function run(
  config: Config,
  folder: Folder,
  sources: readonly SourceAccount[],
  range: PullRange,
  json: boolean,
  how: { signal: AbortSignal; limits?: Retrying },
): Promise<void> {
  const ends = await pullAccounts(config, folder, sources, range, how);
  const [only] = ends;
  if (only && ends.length === 1 && 'stopped' in only) {
    if (json) outJson({ account: only.account, error: only.stopped.message });
    throw only.stopped;
  }
  for (const end of ends) printEnd(end, ends.length > 1, json);
}

/** With several accounts, each one's result is printed; one that stopped determines the exit code. */
function printEnd(end: End, isOneOfSeveral: boolean, json: boolean): void {
  const { account } = end;
  if ('stopped' in end) {
    process.exitCode = end.stopped.code;
    if (json) outJson({ account, error: end.stopped.message });
    if (!process.send) say(`${account}: ${end.stopped.message}`);
  } else if (!process.send) {
    const whose = isOneOfSeveral ? `${account}: ` : '';
    const { outcome, failed } = end;
    if (json) outJson({ account, ...outcome, failures: failed });
    else out(`${whose}${sentenceOf(outcome)}`);
    if (!json) for (const line of troublesIn(failed)) say(`${whose}${line}`);
    for (const warning of warningsOf(end.outcome.notices)) say(`${whose}${warning}`);
  }
}

const most_told = 10;

/** What failed, a line for each report and reason: what and when, why, what to do. */
function troublesIn(failed: readonly FailedQuestions[]): string[] {
  const lines = failed.map(({ source, from, to, questions, state, error, what_to_do }) => {
    const when = from === to ? `of ${from}` : `from ${from} to ${to}`;
    const times = questions > 1 ? `, ${questions} questions` : '';
    return `${source} ${when}${times}, ${stateWords[state]}: ${error ?? ''}. ${what_to_do}`;
  });
  const more = lines.length - most_told;
  return [
    ...lines.slice(0, most_told),
    ...(more > 0 ? [`${more} more reasons: see the Operations page, or ledger.periods with npx chatledger sql`] : []),
  ];
}

const stateWords: { readonly [state in FailedState]: string } = {
  failed: 'not received',
  not_in_plan: 'not given to this account',
  gone: 'not offered any more',
  quarantined: 'set aside',
};

export function sentenceOf(outcome: PullOutcome): string {
  const { requests, faults, chats_new, chats_changed, chats_unchanged, failed, quarantined, refused, clock_skew } =
    outcome;
  const parts = [
    `${requests} requests${faults ? ` (${faults} of them in vain)` : ''}`,
    `${chats_new} chats new`,
    `${chats_changed} changed`,
    `${chats_unchanged} unchanged`,
    ...(failed ? [`${failed} questions failed (see the Operations page, or ledger.periods)`] : []),
    ...(quarantined ? [`${quarantined} records set aside (see the Operations page, or ledger.quarantine)`] : []),
    ...(refused.length > 0 ? [`not given to this account: ${refused.join(' ')}`] : []),
    ...(Math.abs(clock_skew ?? 0) > most_skew
      ? [`the source's clock differs from this machine's by ${clock_skew} s`]
      : []),
  ];
  return parts.join(', ');
}

/** Seconds that clocks may differ by without a word; days are cut by this machine's clock. */
const most_skew = 120;
