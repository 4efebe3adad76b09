// `chatledger reconcile`: every cell, recomputed against reported; exit code 1 when one is unexplained, or none was compared.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '#contract/query.ts';
import { dayOf } from '#etl/days.ts';
import { reasons, type ReconciledCell } from '#reports/reconciliation/cell.ts';
import { reconcileInParts, record } from '#reports/reconciliation/reconcile.ts';
import { addCells, noCells, type Summary } from '#reports/reconciliation/summary.ts';
import { ownContext } from '#warehouse/query/context.ts';
import { BusyWarehouse } from '#warehouse/errors.ts';
import type { Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { newestName } from '#warehouse/store/snapshot.ts';
import { chosenSources, sourcesOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { resumeErasure } from '../erase/resume.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { out, outJson, showProgress } from '../terminal.ts';
import { openWriter } from '../writer.ts';

interface ReconcileOptions {
  since?: string;
  until?: string;
  account?: string;
  json?: boolean;
}

export async function reconcile(options: ReconcileOptions): Promise<void> {
  for (const [name, value] of Object.entries({ since: options.since, until: options.until }))
    if (value !== undefined && !day.safeParse(value).success)
      throw new Stopped(`--${name} ${value} must be a date like 2026-01-31, not before 2000-01-01`);
  const config = readConfig();
  const folder = openFolder(config.folder);
  const sources = chosenSources(sourcesOf(config, folder, clock()), options.account);
  const asked = sources.map((account) => {
    const { id, timezone, since } = account;
    const range = {
      account: id,
      timezone,
      from: options.since ?? since,
      to: options.until ?? dayOf(clock(), timezone),
    };
    if (range.from <= range.to) return { account, range };
    throw new Stopped(`--since ${range.from} lies after --until ${range.to}`);
  });
  const { engine, is_writer, close } = await openEither(folder);
  try {
    const summary = noCells();
    for (const { account, range } of asked)
      await reconcileInParts(
        ownContext(engine, account, clock()),
        range,
        async (cells, part) => {
          if (is_writer) await record(engine, part, cells, clock());
          addCells(summary, cells);
        },
        progress,
      );
    print(summary, options.json ?? false, sources.length > 1);
    if (summary.cells === 0) throw nothingCompared(asked.map(({ range }) => range));
  } finally {
    await close();
  }
}

/** A check that looked at nothing has not succeeded. */
const nothingCompared = (ranges: readonly { account: string; timezone: string; from: string; to: string }[]): Stopped =>
  new Stopped(
    ranges.map(
      ({ account, timezone, from, to }) =>
        `nothing was compared: of the account ${account} nothing is there that both give from ${from} to ${to} in ${timezone}. ` +
        'Look at --since and --until, and whether CHATLEDGER_TIMEZONE is the zone in which it was pulled',
    ),
    exitCodes.failed,
  );

interface Either {
  engine: Store;
  is_writer: boolean;
  close(): Promise<void>;
}

/** The writer's own file if nobody is writing; otherwise the published one. */
async function openEither(folder: Folder): Promise<Either> {
  if (!existsSync(folder.warehouse))
    throw new Stopped(`${folder.warehouse} does not exist: run 'npx chatledger start' or 'npx chatledger pull' first`);
  try {
    await resumeErasure(folder);
    const { engine, close } = await openWriter(folder);
    return { engine, close, is_writer: true };
  } catch (error) {
    if (!(error instanceof BusyWarehouse)) throw error;
    const file = join(folder.published, newestName);
    if (!existsSync(file))
      throw new Stopped(`${file} does not exist yet: wait until the pull that runs has published it`);
    const engine = await openWarehouse(file, { readOnly: true });
    return { engine, close: () => engine.close(), is_writer: false };
  }
}

function progress(done: number, total: number): void {
  showProgress(done === total ? '' : `comparing ${done} of ${total}`);
}

const most_printed = 20;

function print(summary: Summary, json: boolean, isOfSeveral: boolean): void {
  if (json) outJson(summary);
  else if (summary.cells > 0) {
    out(...tableOf(summary));
    for (const cell of summary.unexplained.slice(0, most_printed))
      out(`${isOfSeveral ? `${cell.account}, ` : ''}${sentenceOf(cell)}`);
    const more = summary.unexplained.length - most_printed;
    if (more > 0) out(`and ${more} more unexplained cells; --json names them all`);
  }
  if (summary.unexplained.length > 0) process.exitCode = exitCodes.failed;
}

function tableOf({ cells, by_reason, by_metric }: Summary): string[] {
  const columns = reasons.filter((reason) => by_reason[reason]);
  const line = (name: string, counts: Summary['by_reason']): string =>
    `${name.padEnd(22)}${columns.map((reason) => String(counts[reason] ?? 0).padStart(Math.max(10, reason.length + 2))).join('')}`;
  const head = `${'metric'.padEnd(22)}${columns.map((reason) => reason.padStart(Math.max(10, reason.length + 2))).join('')}`;
  return [
    head,
    ...Object.entries(by_metric).map(([metric, counts]) => line(metric, counts)),
    line('all', by_reason),
    `${cells} cells`,
  ];
}

const sentenceOf = (cell: ReconciledCell): string =>
  `unexplained: ${cell.metric} ${cell.period}${cell.split === 'account' ? '' : ` of ${cell.split} ${cell.split_value}`}: ` +
  `${cell.measure} reported ${cell.reported}, recomputed ${cell.recomputed}`;
