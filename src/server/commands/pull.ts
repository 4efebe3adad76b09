// `chatledger pull`: one pull, printed; or, with --dry, the plan and its cost.
import { openArchive } from '#etl/archive.ts';
import { Unauthorized, Unreachable } from '#etl/errors.ts';
import { pull, type Outcome, type Progress } from '#etl/pull.ts';
import type { Source } from '#etl/source.ts';
import { reconcile, record } from '#reports/reconciliation/reconcile.ts';
import { reportIds } from '#contract/reports.ts';
import { day } from '#contract/query.ts';
import { openWarehouse } from '#warehouse/open.ts';
import { newest } from '#warehouse/shelf.ts';
import { publish } from '#warehouse/snapshot.ts';
import type { Engine } from '#warehouse/engine.ts';
import { sourceOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { exitCodes, Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { writeLastPull } from '../last-pull.ts';
import { endWithParent, tell } from '../relay.ts';
import { printPlan } from './pull-plan.ts';

export interface PullOptions {
  since?: string;
  until?: string;
  only?: string;
  dry?: boolean;
  json?: boolean;
}

export async function pullOnce(options: PullOptions): Promise<void> {
  endWithParent();
  const range = rangeOf(options);
  const config = readConfig();
  const folder = openFolder(config.folder);
  try {
    if (options.dry) await printPlan(config, folder, range, options.json ?? false);
    else await run(config, folder, range, options.json ?? false);
  } catch (error) {
    const stopped = stoppedBy(error, config);
    tell({ kind: 'stopped', sentence: stopped.message, code: stopped.code });
    throw stopped;
  }
}

export interface Range {
  since?: string;
  until?: string;
  only?: ReadonlySet<string>;
}

function rangeOf({ since, until, only }: PullOptions): Range {
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

async function run(config: Config, folder: Folder, range: Range, json: boolean): Promise<void> {
  const source = sourceOf(config, folder, clock());
  const engine = await openWarehouse(folder.warehouse, { memory: '1GB' });
  try {
    const archive = await openArchive(folder.raw);
    try {
      const setup = {
        source,
        check: (days: { from: string; to: string }) => reconcileDays(engine, source, days),
        engine,
        archive,
        clock,
        onProgress: progress,
        publish: (has_news: boolean) => publishNow(engine, config, folder, has_news),
      };
      const outcome = await pull({ ...setup, ...range });
      await rememberPull(engine, folder, outcome.pull_id);
      tell({ kind: 'pulled', outcome });
      if (!process.send) process.stdout.write(json ? `${JSON.stringify(outcome)}\n` : `${sentenceOf(outcome)}\n`);
    } finally {
      await archive.close();
    }
  } finally {
    await engine.close();
  }
}

/** After each pull the cells that it touched are compared again; the result is part of what is published. */
async function reconcileDays(engine: Engine, source: Source, days: { from: string; to: string }): Promise<void> {
  const { id: account, timezone } = source;
  const range = { account, timezone, ...days };
  await record(engine, range, await reconcile(engine, range, { account, zone: timezone, now: clock() }), clock());
}

/** Without news a snapshot is made only when the newest is old: what changed is the ledger, and nobody waits for it. */
const longest_without_ms = 3_600_000;

async function publishNow(engine: Engine, config: Config, folder: Folder, has_news: boolean): Promise<void> {
  const now = clock() * 1000;
  const last = has_news ? null : await newest(folder.published);
  if (last && now - Date.parse(last.published_at) < longest_without_ms) return;
  await publish(engine, folder.published, now, config.snapshot_space);
  tell({ kind: 'published' });
}

/** The pull is over and everything it brought is published: the server may say so. */
async function rememberPull(engine: Engine, folder: Folder, pull_id: string): Promise<void> {
  const last = await newest(folder.published);
  const [first] = await engine.query(
    "select min(day) as day from ledger.periods where source = 'archive' and state = 'pulled'",
  );
  if (last === null) return;
  writeLastPull(folder.published, {
    pull_id,
    ended_at: new Date(clock() * 1000).toISOString(),
    pulled_since: first?.day ? String(first.day) : null,
    snapshot_id: last.id,
  });
}

export const sentenceOf = (outcome: Outcome): string =>
  `${outcome.requests} requests, ${outcome.chats_new} chats new, ${outcome.chats_changed} changed, ` +
  `${outcome.chats_unchanged} unchanged${outcome.failed ? `, ${outcome.failed} questions failed (see ledger.periods)` : ''}`;

function progress(progress: Progress): void {
  tell({ kind: 'pull', progress });
  if (!process.send && process.stderr.isTTY)
    process.stderr.write(
      `\r\x1b[Kpull: ${progress.stage} ${progress.done}/${progress.total}${progress.stage === 'done' ? '\n' : ''}`,
    );
}

/** Everything that may stop a pull, as one sentence with its exit code. */
function stoppedBy(error: unknown, config: Config): Stopped {
  if (error instanceof Stopped) return error;
  if (error instanceof Unreachable) {
    const remedy = config.remote
      ? 'check CHATLEDGER_BASE_URL'
      : "start it with 'npx chatledger service', or set CHATLEDGER_BASE_URL";
    return new Stopped(`${error.message}: ${remedy}`, exitCodes.unreachable);
  }
  if (error instanceof Unauthorized) {
    const remedy = 'check CHATLEDGER_LOGIN and CHATLEDGER_API_KEY, or CHATLEDGER_TOKEN';
    return new Stopped(`the account refused the credentials (${error.message}): ${remedy}`, exitCodes.unreachable);
  }
  const byFile = stoppedByFile(error);
  if (byFile) return byFile;
  throw error;
}
