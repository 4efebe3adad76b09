// What the next pull would ask, without asking: the plan by source and its cost in requests.
import { readLedger } from '#etl/ledger.ts';
import { plan, type Unit } from '#etl/plan.ts';
import { planningOf } from '#etl/pull.ts';
import { openWarehouse } from '#warehouse/open.ts';
import type { Engine } from '#warehouse/engine.ts';
import type { Source } from '#etl/source.ts';
import { clock } from '../clock.ts';
import type { Folder } from '../folder.ts';
import { splitsOf } from '#etl/lists.ts';
import { listUnits } from '#etl/plan.ts';
import { sourceName } from '#etl/run.ts';
import type { Range } from './pull.ts';

export async function printPlan(
  folder: Folder,
  sources: readonly Source[],
  range: Range,
  json: boolean,
): Promise<void> {
  const engine = await openWarehouse(folder.warehouse);
  try {
    for (const source of sources) await printAccount(engine, source, range, json, sources.length > 1);
  } finally {
    await engine.close();
  }
}

async function printAccount(
  engine: Engine,
  source: Source,
  range: Range,
  json: boolean,
  isOneOfSeveral: boolean,
): Promise<void> {
  const { id: account } = source;
  const ledger = await readLedger(engine, account);
  const splits = await splitsOf(engine, account);
  const chapters = plan(planningOf({ source, ...range }, { ledger }, splits, clock()));
  const pages = await pagesByDay(engine, account);
  const bySource = new Map<string, number>([['account lists', listUnits().length + splits.groups.length]]);
  for (const unit of chapters.flatMap(({ units }) => units)) {
    const name = sourceName(unit);
    bySource.set(name, (bySource.get(name) ?? 0) + costOf(unit, pages));
  }
  const requests = [...bySource.values()].reduce((sum, cost) => sum + cost, 0);
  const by_source = Object.fromEntries(bySource);
  if (json) return void process.stdout.write(`${JSON.stringify({ account, requests, by_source })}\n`);
  if (isOneOfSeveral) process.stdout.write(`account ${account}\n`);
  process.stdout.write(tableOf(bySource, requests));
  if (splits.groups.length === 0)
    process.stdout.write('groups and agents are not known before the first pull; it will ask for each of them too\n');
}

/** An archive day costs as many pages as it had the last time, at least one. */
const costOf = (unit: Unit, pages: ReadonlyMap<string, number>): number =>
  unit.kind === 'archive' ? (pages.get(unit.day) ?? 1) : 1;

async function pagesByDay(engine: Engine, account: string): Promise<Map<string, number>> {
  const rows = await engine.query(
    `select day, greatest(1, ceil(coalesce(total, 0) / 25)) as pages
     from ledger.periods
     where source = 'archive' and account = ${engine.dialect.param('account', 'text')}`,
    { account },
  );
  return new Map(rows.map((row) => [String(row.day), Number(row.pages)]));
}

function tableOf(bySource: ReadonlyMap<string, number>, requests: number): string {
  const lines = [...bySource].map(([name, cost]) => `${String(cost).padStart(7)}  ${name}`);
  return `${lines.join('\n')}\n${String(requests).padStart(7)}  requests in all\n`;
}
